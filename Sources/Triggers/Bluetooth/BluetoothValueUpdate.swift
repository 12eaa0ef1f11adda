// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import DBus

/// A new value of a characteristic: the `update` of `org.usher.Triggers1.UpdateBluetoothValue`.
public struct BluetoothValueUpdate: Hashable, Sendable {
  /// `identifier` s: the peripheral.
  public var identifier: String
  /// `service` s: the service; `nil` for the first one with the characteristic.
  public var service: BluetoothUUID?
  /// `characteristic` s: the characteristic.
  public var characteristic: BluetoothUUID
  /// `value` ay: the value.
  public var value: [UInt8]

  /// Creates an update.
  public init(
    _ value: [UInt8], of characteristic: BluetoothUUID, in service: BluetoothUUID? = nil,
    identifier: String
  ) {
    self.identifier = identifier
    self.service = service
    self.characteristic = characteristic
    self.value = value
  }

  /// Reads an update.
  /// - Throws: ``MessageError`` with the key, and never with the value.
  public init(_ value: PropertyList) throws(MessageError) {
    let fields = try PropertyListFields(value)
    identifier = try fields.requiredIdentifier()
    service = try fields.uuid("service")
    characteristic = try fields.requiredUUID("characteristic")
    guard let bytes = try fields.data("value", limit: BluetoothLimits.value) else {
      throw fields.missing("value")
    }
    self.value = bytes
  }

  /// Reads the `a{sv}` of the bus.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    try self.init(PropertyList(.dictionary(entries)))
  }

  /// The update as the `a{sv}` of the bus.
  public var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "identifier": .string(identifier), "characteristic": .string(characteristic.text),
      "value": .bytes(value),
    ]
    entries["service"] = service.map { .string($0.text) }
    return entries
  }
}
