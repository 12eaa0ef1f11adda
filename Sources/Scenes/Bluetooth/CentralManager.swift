// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import Triggers

/// A manager of the Bluetooth devices that an application monitors, corresponding to `CBCentralManager`.
///
/// `usher-triggers` monitors devices and services also while the application does not run, and starts it for an event. An application that
/// was started creates its manager again, with its restoration identifier, at the latest in `didFinishLaunching`, and sets the delegate.
/// The delegate then receives `centralManager(_:willRestoreState:)`, and the event after it.
///
/// ```swift
/// manager = CentralManager(of: application, restorationIdentifier: "heart-rate")
/// manager.delegate = self
/// guard try await manager.requestAuthorization() else { return }
/// try await manager.scanForPeripherals(withServices: [heartRate])
/// ```
/// The manager connects no device: the desktop or the application does. The methods throw ``SceneError/bluetoothFailed(_:)`` if
/// `usher-triggers` rejects the call or does not run. Simultaneous calls have an effect one after the other.
public final class CentralManager: Sendable {
  private struct State {
    weak var delegate: (any CentralManagerDelegate)?
    /// The report of the restored state, which only the first delegate receives.
    var restoration: Task<Void, Never>?
  }

  /// The identifier by which the application recognizes the manager that was restored (`CBCentralManagerOptionRestoreIdentifierKey`).
  public let restorationIdentifier: String
  private let application: Application
  private let state = Mutex(State())

  /// Creates a manager of an application.
  public init(of application: Application, restorationIdentifier: String) {
    self.application = application
    self.restorationIdentifier = restorationIdentifier
    application.bluetoothEvents.add(self)
  }

  private var monitor: any BluetoothMonitoring { application.triggers }

  /// The receiver of the events, which the manager does not retain.
  ///
  /// A delegate that is set later than the event for which the application was started receives it then, unless
  /// `application(_:didReceive:)` has handled it.
  public var delegate: (any CentralManagerDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      state.withLock { $0.delegate = newValue }
      guard let newValue else { return }
      restore(to: newValue)
      application.bluetoothEvents.deliverHeld()
    }
  }

  /// Reports the restored state to the first delegate, if the application was started for an event of this manager.
  private func restore(to delegate: any CentralManagerDelegate) {
    guard case .central(let event) = application.update({ $0.bluetooth.launch }),
      event.central.identifier == restorationIdentifier
    else { return }
    let central = event.central
    state.withLock { state in
      guard state.restoration == nil else { return }
      state.restoration = Task { await delegate.centralManager(self, willRestoreState: central) }
    }
  }

  /// Waits until the delegate has received the restored state, if there is one.
  package nonisolated(nonsending) func waitForRestoration() async {
    await state.withLock { $0.restoration }?.value
  }

  /// Asks the user whether the application may be started for Bluetooth devices, and returns the answer.
  ///
  /// The user is asked once; after that, the method returns the stored answer.
  public nonisolated(nonsending) func requestAuthorization() async throws(SceneError) -> Bool {
    try await monitor.requestBluetoothAuthorization()
  }

  /// Returns the user's answer, without asking.
  public nonisolated(nonsending) func authorizationStatus() async throws(SceneError)
    -> BluetoothAuthorizationStatus
  {
    try await monitor.bluetoothAuthorization()
  }

  /// Returns what the manager monitors; a central without devices and services if nothing.
  public nonisolated(nonsending) func monitoredCentral() async throws(SceneError) -> BluetoothCentral {
    try await monitor.central(restorationIdentifier) ?? BluetoothCentral(identifier: restorationIdentifier)
  }

  /// Monitors the connections and disconnections of devices, instead of those of an earlier call; an empty set ends it.
  ///
  /// The delegate receives changes from now on; the state at the beginning is no event.
  ///
  /// - Throws: An error with ``SceneError/brokerError`` `denied` if the user does not allow it, and `tooMany` beyond the limits of
  ///   `org.usher.Triggers1.xml`.
  public nonisolated(nonsending) func registerForConnectionEvents(
    of devices: Set<BluetoothAddress>
  ) async throws(SceneError) {
    try await change { $0.devices = devices }
  }

  /// Monitors the devices that advertise or offer one of these services, instead of those of an earlier call.
  ///
  /// The delegate receives each device once when it comes into range, and again after five minutes at the earliest.
  ///
  /// - Throws: As for ``registerForConnectionEvents(of:)``.
  public nonisolated(nonsending) func scanForPeripherals(
    withServices services: Set<BluetoothUUID>
  ) async throws(SceneError) {
    try await change { $0.services = services }
  }

  /// Ends the monitoring of services.
  public nonisolated(nonsending) func stopScan() async throws(SceneError) {
    try await change { $0.services = [] }
  }

  private nonisolated(nonsending) func change(
    _ body: @escaping @Sendable (inout BluetoothCentral) -> Void
  ) async throws(SceneError) {
    try await application.changeBluetooth { () async throws(SceneError) in
      var central = try await self.monitoredCentral()
      body(&central)
      guard central.isEmpty else { return try await self.monitor.add(central) }
      try await self.monitor.removeCentral(self.restorationIdentifier)
    }
  }
}

extension CentralManager: EventManager {
  /// A manager with its delegate at the time of an event.
  private struct Receiver: EventReceiver {
    let manager: CentralManager
    let delegate: any CentralManagerDelegate
    let event: BluetoothEvent

    nonisolated(nonsending) func receive() async -> SceneResult {
      await manager.waitForRestoration()
      switch event.kind {
      case .connected:
        await delegate.centralManager(manager, connectionEventDidOccur: .peerConnected, for: event.device)
      case .disconnected:
        await delegate.centralManager(manager, connectionEventDidOccur: .peerDisconnected, for: event.device)
      case .discovered: await delegate.centralManager(manager, didDiscover: event.device)
      }
      return .handled
    }
  }

  func receiver(of request: BluetoothRequest) -> (any EventReceiver)? {
    guard case .central(let event) = request, event.central.identifier == restorationIdentifier else {
      return nil
    }
    return delegate.map { Receiver(manager: self, delegate: $0, event: event) }
  }
}

/// The receiver of the events of a ``CentralManager``, corresponding to `CBCentralManagerDelegate`.
///
/// The methods run with the isolation of the implementing type.
public protocol CentralManagerDelegate: AnyObject, Sendable {
  /// Reports what the manager monitored when the application was started for one of its events, before that event.
  func centralManager(_ manager: CentralManager, willRestoreState central: BluetoothCentral) async
  /// Reports that a device is connected, or no longer.
  func centralManager(
    _ manager: CentralManager, connectionEventDidOccur event: BluetoothConnectionEvent,
    for device: BluetoothDevice) async
  /// Reports that a device with a monitored service is in range.
  func centralManager(_ manager: CentralManager, didDiscover device: BluetoothDevice) async
}

extension CentralManagerDelegate {
  /// Does nothing.
  public func centralManager(_ manager: CentralManager, willRestoreState central: BluetoothCentral) async {}
  /// Does nothing.
  public func centralManager(
    _ manager: CentralManager, connectionEventDidOccur event: BluetoothConnectionEvent,
    for device: BluetoothDevice
  ) async {}
  /// Does nothing.
  public func centralManager(_ manager: CentralManager, didDiscover device: BluetoothDevice) async {}
}

/// A change of the connection of a device, corresponding to `CBConnectionEvent`.
public enum BluetoothConnectionEvent: Hashable, Sendable {
  /// The device is connected.
  case peerConnected
  /// The device is no longer connected.
  case peerDisconnected
}

/// The user's answer to the request for Bluetooth devices, corresponding to `CBManagerAuthorization`.
public enum BluetoothAuthorizationStatus: String, Sendable {
  /// The user was not asked.
  case notDetermined = "not-determined"
  /// The user does not allow it, or the administrator has locked grants.
  case denied
  /// The user allows it, also while the application does not run.
  case allowedAlways = "authorized"
}
