// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Triggers

/// The state of an application's Bluetooth managers.
struct BluetoothState {
  /// The event for which the application was started; `nil` if it was started for another reason.
  var launch: BluetoothRequest?
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

extension Application {
  /// Records the request for which the application is being started, before its launch methods are called.
  func recordLaunch(_ request: SceneRequest) {
    guard let request = BluetoothRequest(request) else { return }
    update { $0.bluetooth.launch = request }
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
}
