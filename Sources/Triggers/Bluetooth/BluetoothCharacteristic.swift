// SPDX-License-Identifier: Apache-2.0
import BusInterfaces

/// A value that a peripheral offers to other devices, corresponding to `CBMutableCharacteristic`.
public struct BluetoothCharacteristic: Hashable, Sendable {
  /// An operation of other devices, corresponding to an option of `CBCharacteristicProperties`.
  public enum Property: String, CaseIterable, Sendable {
    /// A device reads the value.
    case read
    /// A device sends a value, and gets no response.
    case writeWithoutResponse = "write-without-response"
    /// A device sends a value, and gets a response.
    case write
    /// A device that has subscribed gets each new value.
    case notify
    /// A device that has subscribed gets each new value, and confirms it.
    case indicate
  }

  /// A condition of an operation, corresponding to an option of `CBAttributePermissions`.
  public enum Permission: String, CaseIterable, Sendable {
    /// Only a device with an encrypted connection, thus a paired one, reads the value.
    case readEncryptionRequired = "encrypt-read"
    /// Only a device with an encrypted connection, thus a paired one, sends a value.
    case writeEncryptionRequired = "encrypt-write"
  }

  /// The UUID, which is unique in its service.
  public var uuid: BluetoothUUID
  /// The operations; at least one.
  public var properties: Set<Property>
  /// The conditions of the operations.
  public var permissions: Set<Permission>
  /// The value that reads get; `nil` if the application is asked for each read.
  public var value: [UInt8]?

  /// Creates a characteristic.
  public init(
    _ uuid: BluetoothUUID, properties: Set<Property>, permissions: Set<Permission> = [],
    value: [UInt8]? = nil
  ) {
    self.uuid = uuid
    self.properties = properties
    self.permissions = permissions
    self.value = value
  }

  /// A Boolean value that is `true` if other devices can subscribe to the value.
  public var canNotify: Bool { !properties.isDisjoint(with: [.notify, .indicate]) }

  /// The names of the properties and permissions, in the order of their declaration.
  public var flags: [String] {
    Property.allCases.filter(properties.contains).map(\.rawValue)
      + Permission.allCases.filter(permissions.contains).map(\.rawValue)
  }

  init(_ fields: PropertyListFields) throws(MessageError) {
    uuid = try fields.requiredUUID("uuid")
    properties = []
    permissions = []
    let names = (Property.allCases.map(\.rawValue) + Permission.allCases.map(\.rawValue)).joined(
      separator: ", ")
    for (index, name) in try fields.texts("properties", limit: 16).enumerated() {
      if let property = Property(rawValue: name) {
        properties.insert(property)
      } else if let permission = Permission(rawValue: name) {
        permissions.insert(permission)
      } else {
        throw fields.error("properties[\(index)]", "one of: \(names)")
      }
    }
    guard !properties.isEmpty else {
      throw fields.error("properties", "at least one operation, such as read")
    }
    // For BlueZ, encrypt-write means a write with a response as well.
    guard !permissions.contains(.readEncryptionRequired) || properties.contains(.read),
      !permissions.contains(.writeEncryptionRequired) || properties.contains(.write)
    else {
      throw fields.error("properties", "encrypt-read only with read, and encrypt-write only with write")
    }
    value = try fields.data("value", limit: BluetoothLimits.value)
  }

  var propertyList: PropertyList {
    var entries: [String: PropertyList] = [
      "uuid": .string(uuid.text), "properties": .array(flags.map { .string($0) }),
    ]
    entries["value"] = value.map { .data($0) }
    return .dictionary(entries)
  }
}

/// A characteristic of a peripheral, which is named by its service and by itself.
public struct BluetoothCharacteristicID: Hashable, Sendable {
  /// The UUID of the service.
  public var service: BluetoothUUID
  /// The UUID of the characteristic.
  public var characteristic: BluetoothUUID

  /// Creates the name of a characteristic.
  public init(service: BluetoothUUID, characteristic: BluetoothUUID) {
    self.service = service
    self.characteristic = characteristic
  }

  /// Reads ``text``; `nil` if it is another text.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { BluetoothUUID(String($0)) }
    guard parts.count == 2, let service = parts[0], let characteristic = parts[1] else { return nil }
    self.init(service: service, characteristic: characteristic)
  }

  /// Both UUIDs, separated by a slash.
  public var text: String { "\(service.text)/\(characteristic.text)" }
}

extension BluetoothCharacteristicID: Comparable {
  /// Orders by text.
  public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}
