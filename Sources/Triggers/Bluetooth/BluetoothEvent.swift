// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// A change of a Bluetooth device for which an application is started: the payload of the reason `bluetooth-centrals`.
public struct BluetoothEvent: Hashable, Sendable {
  /// The kind of a change.
  public enum Kind: String, Sendable {
    /// A device of the central is connected.
    case connected
    /// A device of the central is no longer connected.
    case disconnected
    /// A device with a service of the central is in range.
    case discovered
  }

  /// The kind.
  public var kind: Kind
  /// The device after the change.
  public var device: BluetoothDevice
  /// The central that monitors it.
  public var central: BluetoothCentral

  /// Creates an event.
  public init(_ kind: Kind, _ device: BluetoothDevice, for central: BluetoothCentral) {
    self.kind = kind
    self.device = device
    self.central = central
  }

  /// Reads a payload; `nil` if it is of another sender.
  public init?(_ payload: PropertyList) {
    guard let kind = payload["event"]?.string.flatMap(Kind.init),
      let device = payload["device"].flatMap({ BluetoothDevice($0) }),
      let central = payload["central"].flatMap({ try? BluetoothCentral($0) })
    else { return nil }
    self.init(kind, device, for: central)
  }

  /// The payload.
  ///
  /// - Parameter date: The time of the change.
  public func payload(date: WallTime) -> PropertyList {
    [
      "identifiers": [.string(central.identifier)], "event": .string(kind.rawValue),
      "device": device.propertyList, "central": central.propertyList, "date": .integer(date.milliseconds),
    ]
  }
}
