// SPDX-License-Identifier: Apache-2.0
import Scenes

/// A group of values that a peripheral offers.
@MainActor public class CBService {
  /// The UUID.
  public let uuid: CBUUID
  /// A Boolean value that is `false` if the service only completes another one.
  public let isPrimary: Bool
  fileprivate var storedCharacteristics: [CBCharacteristic]?

  fileprivate init(_ uuid: CBUUID, isPrimary: Bool) {
    self.uuid = uuid
    self.isPrimary = isPrimary
  }

  /// The values; `nil` if there are none.
  public var characteristics: [CBCharacteristic]? { storedCharacteristics }
}

/// A service that an application offers to other devices.
@MainActor public final class CBMutableService: CBService {
  /// Creates a service.
  public init(type UUID: CBUUID, primary isPrimary: Bool) { super.init(UUID, isPrimary: isPrimary) }

  /// The values, which other devices find after the service was added.
  public override var characteristics: [CBCharacteristic]? {
    get { storedCharacteristics }
    set {
      storedCharacteristics = newValue
      for characteristic in newValue ?? [] { characteristic.service = self }
    }
  }

  convenience init(_ service: BluetoothService) {
    self.init(type: CBUUID(service.uuid), primary: service.isPrimary)
    characteristics = service.characteristics.map { CBMutableCharacteristic($0) }
  }

  /// The service of `Scenes`; `nil` if a UUID is none.
  var service: BluetoothService? {
    guard let uuid = uuid.uuid else { return nil }
    var characteristics: [BluetoothCharacteristic] = []
    for characteristic in storedCharacteristics ?? [] {
      guard let made = (characteristic as? CBMutableCharacteristic)?.characteristic else { return nil }
      characteristics.append(made)
    }
    return BluetoothService(uuid, isPrimary: isPrimary, characteristics: characteristics)
  }
}

/// A value of a service.
@MainActor public class CBCharacteristic {
  /// The UUID.
  public let uuid: CBUUID
  /// The service, after it was set as one of its characteristics.
  public internal(set) weak var service: CBService?
  /// The operations of other devices.
  public fileprivate(set) var properties: CBCharacteristicProperties
  fileprivate var storedValue: Data?

  fileprivate init(_ uuid: CBUUID, _ properties: CBCharacteristicProperties, value: Data?) {
    self.uuid = uuid
    self.properties = properties
    storedValue = value
  }

  /// The value; `nil` if it is not stored.
  public var value: Data? { storedValue }
}

/// A value that an application offers to other devices.
@MainActor public final class CBMutableCharacteristic: CBCharacteristic {
  /// The conditions of the operations.
  public var permissions: CBAttributePermissions

  /// The value that reads get after the service was added; `updateValue(_:for:onSubscribedCentrals:)` changes it later.
  public override var value: Data? {
    get { storedValue }
    set { storedValue = newValue }
  }

  /// Creates a characteristic.
  ///
  /// - Parameter value: The value that reads get. With `nil`, the delegate is asked at each read, until a value was sent with
  ///   `updateValue(_:for:onSubscribedCentrals:)`.
  public init(
    type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?,
    permissions: CBAttributePermissions
  ) {
    self.permissions = permissions
    super.init(UUID, properties, value: value)
  }

  convenience init(_ characteristic: BluetoothCharacteristic) {
    self.init(
      type: CBUUID(characteristic.uuid), properties: CBCharacteristicProperties(characteristic.properties),
      value: characteristic.value.map { Data($0) },
      permissions: CBAttributePermissions(characteristic))
  }

  /// The characteristic of `Scenes`; `nil` if the UUID is none.
  fileprivate var characteristic: BluetoothCharacteristic? {
    guard let uuid = uuid.uuid else { return nil }
    return BluetoothCharacteristic(
      uuid, properties: properties.operations, permissions: permissions.conditions,
      value: value.map { Array($0) })
  }

  /// The name of the characteristic; `nil` without a service.
  var id: BluetoothCharacteristicID? {
    guard let service = service?.uuid.uuid, let uuid = uuid.uuid else { return nil }
    return BluetoothCharacteristicID(service: service, characteristic: uuid)
  }
}

/// The operations of other devices on a value.
public struct CBCharacteristicProperties: OptionSet, Sendable {
  /// The bits of Core Bluetooth.
  public let rawValue: UInt
  /// Creates a set of operations.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The value is broadcast, which Usher does not support.
  public static let broadcast = Self(rawValue: 0x01)
  /// A device reads the value.
  public static let read = Self(rawValue: 0x02)
  /// A device sends a value, and gets no response.
  public static let writeWithoutResponse = Self(rawValue: 0x04)
  /// A device sends a value, and gets a response.
  public static let write = Self(rawValue: 0x08)
  /// A device that has subscribed gets each new value.
  public static let notify = Self(rawValue: 0x10)
  /// A device that has subscribed gets each new value, and confirms it.
  public static let indicate = Self(rawValue: 0x20)

  private static let all: [(Self, BluetoothCharacteristic.Property)] = [
    (.read, .read), (.writeWithoutResponse, .writeWithoutResponse), (.write, .write), (.notify, .notify),
    (.indicate, .indicate),
  ]

  var operations: Set<BluetoothCharacteristic.Property> {
    Set(Self.all.filter { contains($0.0) }.map(\.1))
  }

  init(_ operations: Set<BluetoothCharacteristic.Property>) {
    self.init(Self.all.filter { operations.contains($0.1) }.map(\.0))
  }
}

/// The conditions of the operations on a value.
public struct CBAttributePermissions: OptionSet, Sendable {
  /// The bits of Core Bluetooth.
  public let rawValue: UInt
  /// Creates a set of conditions.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The value can be read; the operations decide.
  public static let readable = Self(rawValue: 0x01)
  /// The value can be written; the operations decide.
  public static let writeable = Self(rawValue: 0x02)
  /// Only a paired device reads the value.
  public static let readEncryptionRequired = Self(rawValue: 0x04)
  /// Only a paired device writes the value.
  public static let writeEncryptionRequired = Self(rawValue: 0x08)

  var conditions: Set<BluetoothCharacteristic.Permission> {
    var conditions: Set<BluetoothCharacteristic.Permission> = []
    if contains(.readEncryptionRequired) { conditions.insert(.readEncryptionRequired) }
    if contains(.writeEncryptionRequired) { conditions.insert(.writeEncryptionRequired) }
    return conditions
  }

  init(_ characteristic: BluetoothCharacteristic) {
    var permissions: Self = []
    if characteristic.properties.contains(.read) { permissions.insert(.readable) }
    if !characteristic.properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
      permissions.insert(.writeable)
    }
    if characteristic.permissions.contains(.readEncryptionRequired) {
      permissions.insert(.readEncryptionRequired)
    }
    if characteristic.permissions.contains(.writeEncryptionRequired) {
      permissions.insert(.writeEncryptionRequired)
    }
    self = permissions
  }
}

/// A device that uses the services of an application.
@MainActor public final class CBCentral {
  /// The identifier of the device, as that of ``CBPeripheral``; zeros if BlueZ does not name it, as for subscriptions.
  public let identifier: UUID
  /// The number of bytes that each device receives in a notification, with the smallest packets.
  public let maximumUpdateValueLength = 20

  init(_ device: BluetoothAddress?) { identifier = device.map { UUID($0) } ?? UUID(uuid: UUID.zeros) }
}

extension UUID {
  fileprivate static let zeros: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

/// A read or write of a device.
@MainActor public final class CBATTRequest {
  /// The device.
  public let central: CBCentral
  /// The value.
  public let characteristic: CBCharacteristic
  /// The position of the first byte; 0 for a read, whose answer is the whole value.
  public let offset: Int
  /// The bytes of a write, or the answer to a read.
  public var value: Data?
  /// Receives the answer to a read.
  private var reply: CheckedContinuation<Data?, Never>?

  init(
    _ characteristic: CBCharacteristic, by device: BluetoothAddress?, offset: Int = 0, value: Data? = nil,
    reply: CheckedContinuation<Data?, Never>? = nil
  ) {
    central = CBCentral(device)
    self.characteristic = characteristic
    self.offset = offset
    self.value = value
    self.reply = reply
  }

  /// Answers a read; a request that is dropped without an answer fails.
  func finish(_ value: Data?) {
    reply?.resume(returning: value)
    reply = nil
  }

  deinit { reply?.resume(returning: nil) }
}

/// An error of the Attribute Protocol.
public struct CBATTError: Error, Hashable, Sendable {
  /// The codes of the Attribute Protocol (Core Specification, volume 3, part F, 3.4.1.1).
  public enum Code: Int, Sendable {
    /// The operation has succeeded.
    case success = 0x00
    /// There is no such value.
    case invalidHandle = 0x01
    /// The value cannot be read.
    case readNotPermitted = 0x02
    /// The value cannot be written.
    case writeNotPermitted = 0x03
    /// The request has another form.
    case invalidPdu = 0x04
    /// The device must authenticate itself.
    case insufficientAuthentication = 0x05
    /// The application does not support the request.
    case requestNotSupported = 0x06
    /// The offset is beyond the end of the value.
    case invalidOffset = 0x07
    /// The device may not do this.
    case insufficientAuthorization = 0x08
    /// Too many writes are prepared.
    case prepareQueueFull = 0x09
    /// There is no such attribute.
    case attributeNotFound = 0x0A
    /// The value cannot be read in parts.
    case attributeNotLong = 0x0B
    /// The key of the connection is too short.
    case insufficientEncryptionKeySize = 0x0C
    /// The value has a wrong length.
    case invalidAttributeValueLength = 0x0D
    /// The operation has failed for another reason.
    case unlikelyError = 0x0E
    /// The connection is not encrypted.
    case insufficientEncryption = 0x0F
    /// The type is no grouping attribute.
    case unsupportedGroupType = 0x10
    /// The application cannot store the request.
    case insufficientResources = 0x11
  }

  /// The code.
  public let code: Code
  /// Creates an error.
  public init(_ code: Code) { self.code = code }
}
