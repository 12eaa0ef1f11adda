// SPDX-License-Identifier: Apache-2.0
import Scenes

/// A Bluetooth device, of which there is one object for each manager.
@MainActor public final class CBPeripheral {
  /// The identifier of the device: a UUID of version 8 (RFC 9562) that ends with its address.
  public nonisolated let identifier: UUID
  /// The name of the device; `nil` if it is unknown.
  public internal(set) var name: String?
  /// The connection at the time of the last event.
  public internal(set) var state = CBPeripheralState.disconnected

  init(_ identifier: UUID) { self.identifier = identifier }
}

extension CBPeripheral: Hashable {
  /// Returns `true` if the objects are of one device.
  public nonisolated static func == (left: CBPeripheral, right: CBPeripheral) -> Bool {
    left.identifier == right.identifier
  }
  /// Hashes the identifier.
  public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// The connection of a device.
public enum CBPeripheralState: Int, Sendable {
  /// The device is not connected.
  case disconnected
  /// The device is being connected; Usher does not report it.
  case connecting
  /// The device is connected.
  case connected
  /// The device is being disconnected; Usher does not report it.
  case disconnecting
}

/// The UUID of a service.
public struct CBUUID: Hashable, Sendable, CustomStringConvertible {
  /// The UUID; `nil` for a text that is no UUID.
  let uuid: BluetoothUUID?

  /// Creates a UUID of 16, 32 or 128 bits, such as `180D`; another text is a programming error in Core Bluetooth, and no service here.
  public init(string: String) { uuid = BluetoothUUID(string) }

  /// Creates a UUID of 128 bits.
  public init(nsuuid: UUID) { self.init(string: nsuuid.uuidString) }

  init(_ uuid: BluetoothUUID) { self.uuid = uuid }

  /// The UUID in upper case, with 16 bits if that is possible.
  public var uuidString: String {
    let text = uuid?.text.uppercased() ?? ""
    return text.hasPrefix("0000") && text.hasSuffix("-0000-1000-8000-00805F9B34FB")
      ? String(text.dropFirst(4).prefix(4)) : text
  }

  /// The UUID, as ``uuidString``.
  public var description: String { uuidString }
}

extension UUID {
  /// The first ten bytes of the identifiers of devices, with version and variant.
  fileprivate static let peripheralPrefix = "00000000-0000-8000-8000-"

  /// Creates the identifier of a device.
  init(_ address: BluetoothAddress) {
    let bytes = address.text.split(separator: ":").map { UInt8($0, radix: 16) ?? 0 }
    self.init(
      uuid: (0, 0, 0, 0, 0, 0, 0x80, 0, 0x80, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]))
  }
}

extension BluetoothAddress {
  /// Reads the identifier of a device; `nil` if it is another UUID.
  init?(peripheral identifier: UUID) {
    let text = identifier.uuidString
    guard text.hasPrefix(UUID.peripheralPrefix) else { return nil }
    let digits = Array(text.dropFirst(UUID.peripheralPrefix.count))
    let pairs = stride(from: 0, to: digits.count - 1, by: 2).map { String(digits[$0...($0 + 1)]) }
    self.init(pairs.joined(separator: ":"))
  }
}

/// The state of a manager.
public enum CBManagerState: Int, Sendable {
  /// The state is not known yet.
  case unknown
  /// The service was started again; Usher does not report it.
  case resetting
  /// `usher-triggers` does not run, or rejects the calls.
  case unsupported
  /// The user does not allow it.
  case unauthorized
  /// The adapter is turned off; Usher does not report it.
  case poweredOff
  /// The manager monitors devices.
  case poweredOn
}

/// The user's answer to the request for Bluetooth devices.
public enum CBManagerAuthorization: Int, Sendable {
  /// The user was not asked.
  case notDetermined
  /// The answer cannot be given; Usher does not report it.
  case restricted
  /// The user does not allow it.
  case denied
  /// The user allows it.
  case allowedAlways

  init(_ status: BluetoothAuthorizationStatus) {
    self =
      switch status {
      case .notDetermined: .notDetermined
      case .denied: .denied
      case .allowedAlways: .allowedAlways
      }
  }
}

/// A change of the connection of a device.
public enum CBConnectionEvent: Int, Sendable {
  /// The device is no longer connected.
  case peerDisconnected
  /// The device is connected.
  case peerConnected
}

/// A condition of the devices whose connections are monitored.
public struct CBConnectionEventMatchingOption: RawRepresentable, Hashable, Sendable {
  /// The name of the condition.
  public let rawValue: String
  /// Creates a condition.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The identifiers of devices, as `[UUID]`.
  public static let peripheralUUIDs = Self(rawValue: "CBConnectionEventMatchingOptionPeripheralUUIDs")
  /// Services of devices, which Usher does not support.
  public static let serviceUUIDs = Self(rawValue: "CBConnectionEventMatchingOptionServiceUUIDs")
}

/// The option with the restoration identifier of a manager, a `String`.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// The option whether the user is warned that Bluetooth is turned off, which Usher ignores.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// The devices of a restored manager, as `[CBPeripheral]`.
public let CBCentralManagerRestoredStatePeripheralsKey = "kCBRestoredPeripherals"
/// The services of a restored manager, as `[CBUUID]`.
public let CBCentralManagerRestoredStateScanServicesKey = "kCBRestoredScanServices"
/// The services of a discovered device, as `[CBUUID]`.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
