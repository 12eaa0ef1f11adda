// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The address of a bus.
public enum BusAddress: Hashable, Sendable, CustomStringConvertible {
  /// The user's own bus, as the environment variables name it.
  case user
  /// An address in D-Bus's notation, such as `unix:path=/run/user/1000/bus`.
  case address(String)

  /// Returns the address in D-Bus's notation, without the GUIDs of the bus.
  ///
  /// A bus passes its address with its GUID to the programs that it starts. A bus that is restarted at this address has
  /// another GUID, and would not be accepted by a connection that expects the first one.
  ///
  /// - Throws: `Disconnected` if the environment names no bus.
  public func resolved() throws(BusError) -> String {
    switch self {
    case .address(let text): return Self.withoutGUIDs(text)
    case .user:
      if let address = Self.variable("DBUS_SESSION_BUS_ADDRESS") { return Self.withoutGUIDs(address) }
      guard let directory = Self.variable("XDG_RUNTIME_DIR") else {
        throw BusError(
          .disconnected, "no user bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")
      }
      return "unix:path=\(Self.escaped(directory))/bus"
    }
  }

  /// Returns an address in D-Bus's notation without its GUIDs, so that it names the bus after a restart, too.
  public static func withoutGUIDs(_ address: String) -> String {
    address.split(separator: ";").map { alternative in
      alternative.split(separator: ",").filter { !$0.hasPrefix("guid=") }.joined(separator: ",")
    }.joined(separator: ";")
  }

  /// The address, or a description of it.
  public var description: String {
    switch self {
    case .user: "the user's bus"
    case .address(let text): text
    }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  // D-Bus Specification, "Server Addresses": all bytes except these are written as %xx.
  private static func escaped(_ path: String) -> String {
    let plain = Set("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz/.*".utf8)
    return path.utf8.map { byte in
      if plain.contains(byte) { return String(Unicode.Scalar(byte)) }
      let hex = String(byte, radix: 16)
      return "%" + (hex.count == 1 ? "0" + hex : hex)
    }.joined()
  }
}
