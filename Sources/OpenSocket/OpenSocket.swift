/// The broker's socket for plain links, beside the bus: `$XDG_RUNTIME_DIR/usher/open`, for nobody but the user.
///
/// It belongs to the broker of the user's own bus, `$XDG_RUNTIME_DIR/bus`; a broker of any other bus has none. A connection
/// (`SOCK_SEQPACKET`, unix(7)) brings one packet, an ``OpenPacket``, and gets ``OpenAnswer``s. A connection that ends without
/// an answer says nothing of what was begun: the same request, with the same ID, is asked for on the bus.
public enum OpenSocket {
  /// Below `$XDG_RUNTIME_DIR`.
  public static let name = "usher/open"

  /// Where the broker of a bus listens; `nil` where it does not, because the bus is not `$XDG_RUNTIME_DIR/bus`.
  ///
  /// - Parameter busAddress: in D-Bus's notation; the user's own bus where there is none.
  public static func path(runtimeDirectory: String?, busAddress: String?) -> String? {
    guard let directory = runtimeDirectory, directory.utf8.first == UInt8(ascii: "/") else { return nil }
    if let address = busAddress, !address.isEmpty {
      // The bus itself adds its GUID to what it tells the programs that it starts.
      let place = address.utf8.prefix { $0 != UInt8(ascii: ",") }
      guard place.elementsEqual("unix:path=\(directory)/bus".utf8) else { return nil }
    }
    return "\(directory)/\(name)"
  }
}
