// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Triggers

/// The calls about Bluetooth devices.
extension TriggersFrontend {
  /// The collaborators of the calls about Bluetooth devices.
  struct Bluetooth {
    let monitor: BluetoothMonitor
    let publisher: BluetoothPublisher
    let permission: ApplicationPermission
  }

  /// The methods of the object for Bluetooth devices.
  var bluetoothMembers: [BusMember] {
    typealias Interface = TriggersInterface
    let (monitor, permission) = (bluetooth.monitor, bluetooth.permission)
    return [
      method(Interface.requestBluetoothAuthorization) { access async throws(BusError) in
        try await status(of: permission, for: access.application, asks: true) == .answered(.allowed)
      },
      method(Interface.bluetoothAuthorization) { access async throws(BusError) in
        try await status(of: permission, for: access.application, asks: false).answer.authorization
      },
      method(Interface.addBluetoothCentral) { access, entries async throws(BusError) in
        let central = try decoded(BluetoothCentral(entries))
        try await requirePermission(permission, of: access)
        try await monitor.add(central, of: access.application.rawValue, isOfUser: access.isOfUser)
      },
      method(Interface.removeBluetoothCentrals) { access, identifiers async throws(BusError) in
        try await monitor.remove(identifiers, of: access.application.rawValue)
      },
      method(Interface.removeAllBluetoothCentrals) { access async throws(BusError) in
        try await monitor.remove(nil, of: access.application.rawValue)
      },
      list(Interface.bluetoothCentrals) { visibility in centrals(for: visibility) },
    ]
  }

  /// Returns what the caller may see.
  private func centrals(for visibility: CallerAccess.Visibility) -> [String: Variant] {
    let monitor = bluetooth.monitor
    let centrals = visible(monitor.centrals, to: visibility) { _, monitored in
      var entries = monitored.central.entries
      func devices(connected: Bool) -> Variant {
        let devices = monitored.state.connections.filter { $0.value == connected }.keys
        return .strings(devices.sorted().map(\.text))
      }
      entries["connected"] = devices(connected: true)
      entries["disconnected"] = devices(connected: false)
      entries["in-range"] = .strings(monitored.state.inRange.sorted().map(\.text))
      return entries
    }
    return monitor.status.reply(with: ["centrals": centrals])
  }
}
