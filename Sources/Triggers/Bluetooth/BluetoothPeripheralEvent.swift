// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// An operation of another device on a value, for which an application is started: the payload of the reason `bluetooth-peripherals`.
public struct BluetoothPeripheralEvent: Hashable, Sendable {
  /// The kind of an operation.
  public enum Kind: Hashable, Sendable {
    /// A device waits for a value that is not stored.
    case read
    /// A device has sent a value, which begins at an offset of the whole one.
    case write([UInt8], offset: Int)
    /// The first device has subscribed to the value.
    case subscribed
    /// The last device has ended its subscription.
    case unsubscribed

    /// The name in the payload.
    public var name: String {
      switch self {
      case .read: "read"
      case .write: "write"
      case .subscribed: "subscribed"
      case .unsubscribed: "unsubscribed"
      }
    }
  }

  /// The kind.
  public var kind: Kind
  /// The value.
  public var characteristic: BluetoothCharacteristicID
  /// The device; `nil` if BlueZ does not name it.
  public var device: BluetoothAddress?
  /// The peripheral after the operation.
  public var peripheral: BluetoothPeripheral

  /// Creates an event.
  public init(
    _ kind: Kind, of characteristic: BluetoothCharacteristicID, by device: BluetoothAddress? = nil,
    for peripheral: BluetoothPeripheral
  ) {
    self.kind = kind
    self.characteristic = characteristic
    self.device = device
    self.peripheral = peripheral
  }

  /// Reads a payload; `nil` if it is of another sender.
  public init?(_ payload: PropertyList) {
    guard let service = payload["service"]?.string.flatMap({ BluetoothUUID($0) }),
      let characteristic = payload["characteristic"]?.string.flatMap({ BluetoothUUID($0) }),
      let peripheral = payload["peripheral"].flatMap({ try? BluetoothPeripheral($0) })
    else { return nil }
    let kind: Kind
    switch payload["event"]?.string {
    case "read": kind = .read
    case "write":
      guard let value = payload["value"]?.data else { return nil }
      kind = .write(value, offset: payload["offset"]?.integer.flatMap(Int.init(exactly:)) ?? 0)
    case "subscribed": kind = .subscribed
    case "unsubscribed": kind = .unsubscribed
    default: return nil
    }
    self.init(
      kind, of: BluetoothCharacteristicID(service: service, characteristic: characteristic),
      by: payload["device"]?["address"]?.string.flatMap { BluetoothAddress($0) }, for: peripheral)
  }

  /// The payload.
  ///
  /// - Parameter date: The time of the operation.
  public func payload(date: WallTime) -> PropertyList {
    var entries: [String: PropertyList] = [
      "identifiers": [.string(peripheral.identifier)], "event": .string(kind.name),
      "service": .string(characteristic.service.text),
      "characteristic": .string(characteristic.characteristic.text), "peripheral": peripheral.propertyList,
      "date": .integer(date.milliseconds),
    ]
    if case .write(let value, let offset) = kind {
      entries["value"] = .data(value)
      entries["offset"] = .integer(Int64(offset))
    }
    if let device { entries["device"] = ["address": .string(device.text)] }
    return .dictionary(entries)
  }
}
