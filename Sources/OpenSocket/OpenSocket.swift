// SPDX-License-Identifier: Apache-2.0
/// The broker's socket for plain links, an alternative to the bus: `$XDG_RUNTIME_DIR/usher/open`, only for the user.
///
/// It belongs to the broker of the user's own bus, `$XDG_RUNTIME_DIR/bus`; a broker on any other bus has none. A
/// connection (`SOCK_SEQPACKET`, unix(7)) sends one packet, an ``OpenPacket``, and receives ``OpenAnswer``s. If a
/// connection closes without an answer, the state of the request is unknown, and the caller queries the request with
/// its ID on the bus.
public enum OpenSocket {
  /// The path below `$XDG_RUNTIME_DIR`.
  public static let name = "usher/open"

  /// Returns the path of the socket of a bus's broker; `nil` if there is none, because the bus is not `$XDG_RUNTIME_DIR/bus`.
  ///
  /// - Parameter busAddress: an address in D-Bus's notation; `nil` means the user's own bus.
  public static func path(runtimeDirectory: String?, busAddress: String?) -> String? {
    guard let directory = runtimeDirectory, directory.utf8.first == UInt8(ascii: "/") else { return nil }
    if let address = busAddress, !address.isEmpty {
      // The bus appends its GUID to the address that it passes to the programs it starts.
      let place = address.utf8.prefix { $0 != UInt8(ascii: ",") }
      guard place.elementsEqual("unix:path=\(directory)/bus".utf8) else { return nil }
    }
    return "\(directory)/\(name)"
  }
}
