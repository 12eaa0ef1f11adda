// SPDX-License-Identifier: Apache-2.0
import Glibc

extension BusAddress {
  /// The system bus: the address in `DBUS_SYSTEM_BUS_ADDRESS`, otherwise that of the specification.
  public static var system: BusAddress {
    guard let address = getenv("DBUS_SYSTEM_BUS_ADDRESS"), address.pointee != 0 else {
      return .address("unix:path=/run/dbus/system_bus_socket")
    }
    return .address(String(cString: address))
  }

  /// The path of the first socket in the file system; `nil` if the address names none.
  public var socketPath: String? {
    guard let text = try? resolved() else { return nil }
    for alternative in text.split(separator: ";") where alternative.hasPrefix("unix:") {
      for pair in alternative.dropFirst("unix:".count).split(separator: ",") where pair.hasPrefix("path=") {
        return String(pair.dropFirst("path=".count))
      }
    }
    return nil
  }
}
