// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Triggers

/// The managers of an application, and the requests that wait for one.
struct BluetoothDelivery {
  /// A manager that its owner retains.
  struct WeakManager {
    weak var manager: (any BluetoothManaging)?
  }

  /// The maximum number of requests that wait for a manager; the oldest ones are dropped.
  static let maximumHeld = 64

  var managers: [WeakManager] = []
  /// The event for which the application was started; `nil` if it was started for another reason.
  var launch: BluetoothRequest?
  /// The events for which no manager had a delegate.
  var held: [BluetoothRequest] = []
  /// The delivery of held events, which the next one follows.
  var last: Task<Void, Never>?
  /// The last change by a manager, which the next one follows.
  var lastChange: Task<Result<Void, SceneError>, Never>?
}

/// An event of `usher-triggers` for a manager of an application.
enum BluetoothRequest: Sendable {
  /// A device of a central has changed.
  case central(BluetoothEvent)
  /// A device has used a value of a peripheral.
  case peripheral(BluetoothPeripheralEvent)

  /// Reads a request; `nil` if it has another reason, or another sender.
  init?(_ request: SceneRequest) {
    guard let payload = request.payload else { return nil }
    switch request.reason {
    case .bluetoothCentrals:
      guard let event = BluetoothEvent(payload) else { return nil }
      self = .central(event)
    case .bluetoothPeripherals:
      guard let event = BluetoothPeripheralEvent(payload) else { return nil }
      self = .peripheral(event)
    default: return nil
    }
  }

  /// A Boolean value that is `true` if the event has an effect also if it is delivered later; a device waits for a read only a few seconds.
  var canWait: Bool {
    if case .peripheral(let event) = self { event.kind != .read } else { true }
  }
}

/// A manager that receives events of `usher-triggers`.
protocol BluetoothManaging: AnyObject, Sendable {
  /// Returns the receiver of a request; `nil` if the request is for another manager, or if there is no delegate.
  func receiver(of request: BluetoothRequest) -> (any BluetoothReceiver)?
}

/// A manager with its delegate at the time of an event.
protocol BluetoothReceiver: Sendable {
  /// Delivers the event, and returns the answer.
  nonisolated(nonsending) func receive() async -> SceneResult
}

extension Application {
  private func bluetoothReceivers(of request: BluetoothRequest) -> [any BluetoothReceiver] {
    let managers: [any BluetoothManaging] = update { state in
      state.bluetooth.managers.removeAll { $0.manager == nil }
      return state.bluetooth.managers.compactMap(\.manager)
    }
    return managers.compactMap { $0.receiver(of: request) }
  }

  /// Records the request for which the application is being started, before its launch methods are called.
  func recordLaunch(_ request: SceneRequest) {
    guard let request = BluetoothRequest(request) else { return }
    update { $0.bluetooth.launch = request }
  }

  /// Delivers the event of a request to the delegates of its manager, after those that wait, and returns the answer; `nil` if the request
  /// has no event, or if there is no delegate.
  nonisolated(nonsending) func deliverBluetooth(_ request: SceneRequest) async -> SceneResult? {
    guard let request = BluetoothRequest(request) else { return nil }
    await update { $0.bluetooth.last }?.value
    let receivers = bluetoothReceivers(of: request)
    guard !receivers.isEmpty else {
      guard request.canWait else { return nil }
      update { state in
        state.bluetooth.held.append(request)
        if state.bluetooth.held.count > BluetoothDelivery.maximumHeld { state.bluetooth.held.removeFirst() }
      }
      return nil
    }
    var result = SceneResult.notHandled
    for receiver in receivers {
      let answer = await receiver.receive()
      if !result.isHandled || result.value == nil { result = answer.isHandled ? answer : result }
    }
    return result
  }

  /// Makes a change after the earlier ones, also by other managers, because a change replaces the state that it has read.
  nonisolated(nonsending) func changeBluetooth(
    _ change: @escaping @Sendable () async throws(SceneError) -> Void
  ) async throws(SceneError) {
    let task = update { state in
      let task = Task { [last = state.bluetooth.lastChange] () -> Result<Void, SceneError> in
        _ = await last?.value
        do throws(SceneError) { return .success(try await change()) } catch { return .failure(error) }
      }
      state.bluetooth.lastChange = task
      return task
    }
    try await task.value.get()
  }

  /// Delivers the events that no delegate has received, and whose managers have one now.
  func deliverHeldBluetoothEvents() {
    let held: [BluetoothRequest] = update { state in
      defer { state.bluetooth.held = [] }
      return state.bluetooth.held
    }
    let deliveries = held.map { ($0, bluetoothReceivers(of: $0)) }
    let waiting = deliveries.filter(\.1.isEmpty).map(\.0)
    let ready = deliveries.flatMap(\.1)
    update { state in
      state.bluetooth.held = waiting + state.bluetooth.held
      guard !ready.isEmpty else { return }
      state.bluetooth.last = Task { [last = state.bluetooth.last] in
        await last?.value
        for receiver in ready { _ = await receiver.receive() }
      }
    }
  }
}
