// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Triggers

/// The calls about Bluetooth peripherals.
extension TriggersFrontend {
  /// The methods of the object for Bluetooth peripherals.
  var peripheralMembers: [BusMember] {
    typealias Interface = TriggersInterface
    let (publisher, permission) = (bluetooth.publisher, bluetooth.permission)
    return [
      method(Interface.addBluetoothPeripheral) { access, entries async throws(BusError) in
        let peripheral = try decoded(BluetoothPeripheral(entries))
        try await requirePermission(permission, of: access)
        try await publisher.add(
          peripheral, of: access.application.rawValue, isOfUser: access.isOfUser)
      },
      method(Interface.updateBluetoothValue) { access, entries async throws(BusError) in
        let update = try decoded(BluetoothValueUpdate(entries))
        // The application was installed when the peripheral was added.
        try await permission.require(access.application.rawValue, isOfUser: access.isOfUser)
        try await publisher.update(update, of: access.application.rawValue)
      },
      method(Interface.removeBluetoothPeripherals) { access, identifiers async throws(BusError) in
        try await publisher.remove(identifiers, of: access.application.rawValue)
      },
      method(Interface.removeAllBluetoothPeripherals) { access async throws(BusError) in
        try await publisher.remove(nil, of: access.application.rawValue)
      },
      list(Interface.bluetoothPeripherals) { visibility in peripherals(for: visibility) },
    ]
  }

  /// Returns what the caller may see.
  private func peripherals(for visibility: CallerAccess.Visibility) -> [String: Variant] {
    let publisher = bluetooth.publisher
    let peripherals = visible(publisher.peripherals, to: visibility) { key, published in
      var entries = published.peripheral.entries
      let state = publisher.state(of: key)
      entries["subscribed"] = .strings(published.subscriptions.sorted().map(\.text))
      entries["published"] = .boolean(state.isPublished)
      entries["advertised"] = .boolean(state.isAdvertised)
      entries["error"] = state.error.map { .string($0.rawValue) }
      return entries
    }
    return publisher.status.reply(with: ["peripherals": peripherals])
  }
}
