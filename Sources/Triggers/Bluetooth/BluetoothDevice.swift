// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// A Bluetooth device as the computer sees it, corresponding to `CBPeripheral`.
public struct BluetoothDevice: Hashable, Sendable {
  /// The address.
  public var address: BluetoothAddress
  /// The name that the device or the user gave it; `nil` if it is unknown.
  public var name: String?
  /// The services that it advertises or offers.
  public var services: Set<BluetoothUUID>
  /// A Boolean value that is `true` if it is connected.
  public var isConnected: Bool
  /// A Boolean value that is `true` if the computer receives its advertisements.
  public var isAdvertising: Bool

  /// Creates a device.
  public init(
    address: BluetoothAddress, name: String? = nil, services: Set<BluetoothUUID> = [],
    isConnected: Bool = false, isAdvertising: Bool = false
  ) {
    self.address = address
    self.name = name
    self.services = services
    self.isConnected = isConnected
    self.isAdvertising = isAdvertising
  }

  /// Reads a device from a payload; `nil` without an address.
  init?(_ payload: PropertyList) {
    guard let address = payload["address"]?.string.flatMap({ BluetoothAddress($0) }) else { return nil }
    self.init(
      address: address, name: payload["name"]?.string,
      services: Set(
        (payload["services"]?.array ?? []).compactMap { $0.string.flatMap { BluetoothUUID($0) } }),
      isConnected: payload["connected"]?.boolean ?? false)
  }

  /// The device in a payload.
  var propertyList: PropertyList {
    var entries: [String: PropertyList] = [
      "address": .string(address.text), "connected": .boolean(isConnected),
      "services": .array(services.sorted().map { .string($0.text) }),
    ]
    entries.set("name", name)
    return .dictionary(entries)
  }
}
