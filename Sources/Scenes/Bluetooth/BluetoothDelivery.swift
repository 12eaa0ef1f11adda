// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Triggers

/// The managers of an application, and the events that wait for one.
struct BluetoothDelivery {
  /// A manager that its owner retains.
  struct WeakManager {
    weak var manager: CentralManager?
  }

  /// The maximum number of events that wait for a manager; the oldest ones are dropped.
  static let maxHeld = 64

  var managers: [WeakManager] = []
  /// The event for which the application was started; `nil` if it was started for another reason.
  var launch: BluetoothEvent?
  /// The events for which no manager had a delegate.
  var held: [BluetoothEvent] = []
  /// The delivery of held events, which the next one follows.
  var last: Task<Void, Never>?
}

/// A manager with its delegate at the time of an event.
private struct BluetoothReceiver: Sendable {
  let manager: CentralManager
  let delegate: any CentralManagerDelegate

  nonisolated(nonsending) func receive(_ event: BluetoothEvent) async {
    await manager.waitForRestoration()
    switch event.kind {
    case .connected:
      await delegate.centralManager(manager, connectionEventDidOccur: .peerConnected, for: event.device)
    case .disconnected:
      await delegate.centralManager(manager, connectionEventDidOccur: .peerDisconnected, for: event.device)
    case .discovered: await delegate.centralManager(manager, didDiscover: event.device)
    }
  }
}

extension Application {
  private func bluetoothReceivers(of event: BluetoothEvent) -> [BluetoothReceiver] {
    let managers: [CentralManager] = update { state in
      state.bluetooth.managers.removeAll { $0.manager == nil }
      return state.bluetooth.managers.compactMap(\.manager)
    }
    return managers.filter { $0.restorationIdentifier == event.central.identifier }.compactMap { manager in
      manager.delegate.map { BluetoothReceiver(manager: manager, delegate: $0) }
    }
  }

  /// Records the request for which the application is being started, before its launch methods are called.
  func recordLaunch(_ request: SceneRequest) {
    guard request.reason == .bluetoothCentrals, let event = request.payload.flatMap(BluetoothEvent.init)
    else { return }
    update { $0.bluetooth.launch = event }
  }

  /// Delivers the event of a request to the delegates of its manager, after those that wait; `false` if it has none, or if there is no
  /// delegate.
  nonisolated(nonsending) func deliverBluetooth(_ request: SceneRequest) async -> Bool {
    guard request.reason == .bluetoothCentrals, let event = request.payload.flatMap(BluetoothEvent.init)
    else { return false }
    await update { $0.bluetooth.last }?.value
    let receivers = bluetoothReceivers(of: event)
    guard !receivers.isEmpty else {
      update { state in
        state.bluetooth.held.append(event)
        if state.bluetooth.held.count > BluetoothDelivery.maxHeld { state.bluetooth.held.removeFirst() }
      }
      return false
    }
    for receiver in receivers { await receiver.receive(event) }
    return true
  }

  /// Delivers the events that no delegate has received, and whose managers have one now.
  func deliverHeldBluetoothEvents() {
    let held: [BluetoothEvent] = update { state in
      defer { state.bluetooth.held = [] }
      return state.bluetooth.held
    }
    let deliveries = held.map { ($0, bluetoothReceivers(of: $0)) }
    let waiting = deliveries.filter(\.1.isEmpty).map(\.0)
    let ready = deliveries.filter { !$0.1.isEmpty }
    update { state in
      state.bluetooth.held = waiting + state.bluetooth.held
      guard !ready.isEmpty else { return }
      state.bluetooth.last = Task { [last = state.bluetooth.last] in
        await last?.value
        for (event, receivers) in ready {
          for receiver in receivers { await receiver.receive(event) }
        }
      }
    }
  }
}
