// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import DBus

/// The devices and services that an application monitors under a restoration identifier: the `central` of
/// `org.usher.Triggers1.AddBluetoothCentral`.
public struct BluetoothCentral: Hashable, Sendable {
  /// `identifier` s: the restoration identifier, which the application gets back.
  public var identifier: String
  /// `devices` as: the devices whose connections and disconnections are events, by address.
  public var devices: Set<BluetoothAddress>
  /// `services` as: the services whose discovery is an event, by UUID.
  public var services: Set<BluetoothUUID>

  /// Creates a central.
  public init(
    identifier: String, devices: Set<BluetoothAddress> = [], services: Set<BluetoothUUID> = []
  ) {
    self.identifier = identifier
    self.devices = devices
    self.services = services
  }

  /// A Boolean value that is `true` if the central monitors nothing.
  public var isEmpty: Bool { devices.isEmpty && services.isEmpty }

  /// Reads a central.
  /// - Throws: ``MessageError`` with the key, and never with an address; the daemon replies `org.usher.Error.InvalidRequest`.
  public init(_ value: PropertyList) throws(MessageError) {
    let fields = try PropertyListFields(value)
    identifier = try fields.requiredIdentifier()
    devices = []
    for (index, text) in try fields.texts("devices", limit: BluetoothLimits.devices).enumerated() {
      guard let address = BluetoothAddress(text) else {
        throw fields.error("devices[\(index)]", "an address such as 00:1A:7D:DA:71:13")
      }
      devices.insert(address)
    }
    services = try fields.uuids("services", limit: BluetoothLimits.services)
    guard !isEmpty else { throw fields.error("devices", "at least one device, or one service in “services”") }
  }

  /// Reads the `a{sv}` of the bus.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    try self.init(PropertyList(.dictionary(entries)))
  }

  /// The central as a property list.
  public var propertyList: PropertyList {
    [
      "identifier": .string(identifier),
      "devices": .array(devices.sorted().map { .string($0.text) }),
      "services": .array(services.sorted().map { .string($0.text) }),
    ]
  }

  /// The central as the `a{sv}` of the bus.
  public var entries: [String: Variant] { propertyList.variant.entries ?? [:] }
}
