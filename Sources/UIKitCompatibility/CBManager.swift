// SPDX-License-Identifier: Apache-2.0
import Scenes

/// A manager of `Scenes` that asks the user for Bluetooth devices, and restores its state.
protocol RestorableManager: Sendable {
  nonisolated(nonsending) func waitForRestoration() async
  nonisolated(nonsending) func authorizationStatus() async throws(SceneError) -> BluetoothAuthorizationStatus
  nonisolated(nonsending) func requestAuthorization() async throws(SceneError) -> Bool
}

extension CentralManager: RestorableManager {}
extension PeripheralManager: RestorableManager {}

/// The superclass of ``CBCentralManager`` and ``CBPeripheralManager``.
///
/// A manager may be created before the launch, and reports to its delegate on the main actor.
@MainActor public class CBManager {
  /// The managers of this process, which the launch connects to the application.
  private static var all: [WeakManager] = []

  private struct WeakManager {
    weak var manager: CBManager?
  }

  /// The user's answer to the request for Bluetooth devices, as far as it is known.
  public private(set) static var authorization = CBManagerAuthorization.notDetermined
  /// The state of the manager, as far as it is known; the delegate is called with each change.
  public private(set) var state = CBManagerState.unknown

  private var isAttached = false
  /// The calls that wait for the launch.
  private var waiting: [@MainActor () async -> Void] = []
  /// The last call, which the next one follows.
  private(set) var last: Task<Void, Never>?

  init() {
    Self.all.removeAll { $0.manager == nil }
    Self.all.append(WeakManager(manager: self))
    waiting.append { [weak self] in await self?.authorize() }
  }

  /// Creates the manager of `Scenes`, and returns it.
  func connect(to application: Application) -> (any RestorableManager)? { nil }

  /// Reports a change of the state to the delegate.
  func stateChanged() {}

  // MARK: - Calls

  /// Connects the managers that were created before the launch.
  static func attachAll(to application: Application) {
    for entry in all { entry.manager?.attach(to: application) }
  }

  /// Connects the manager to the running application, at its first use.
  func attach() {
    if !isAttached, let application = UIApplication.shared.backing { attach(to: application) }
  }

  private var backing: (any RestorableManager)?

  private func attach(to application: Application) {
    guard !isAttached else { return }
    isAttached = true
    backing = connect(to: application)
    let calls = waiting
    waiting = []
    for call in calls { perform(call) }
  }

  /// Makes a call after the earlier ones, and after the launch.
  func perform(_ call: @escaping @MainActor () async -> Void) {
    attach()
    guard isAttached else { return waiting.append(call) }
    last = Task { [last] in
      await last?.value
      await call()
    }
  }

  private func authorize() async {
    guard let backing else { return }
    // The restored state precedes all other calls of the delegate.
    await backing.waitForRestoration()
    do {
      var status = try await backing.authorizationStatus()
      if status == .notDetermined {
        status = try await backing.requestAuthorization() ? .allowedAlways : .denied
      }
      Self.authorization = CBManagerAuthorization(status)
      update(status == .allowedAlways ? .poweredOn : .unauthorized)
    } catch { update(.unsupported) }
  }

  private func update(_ new: CBManagerState) {
    guard new != state else { return }
    state = new
    stateChanged()
  }

  /// Changes the state by the error of a call.
  func fail(_ error: any Error) {
    update((error as? SceneError)?.brokerError == .denied ? .unauthorized : .unsupported)
  }
}
