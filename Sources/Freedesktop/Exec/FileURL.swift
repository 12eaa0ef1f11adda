// SPDX-License-Identifier: Apache-2.0
import PercentEncoding

/// Functions for URLs of local files (RFC 8089).
public enum FileURL {
  /// Returns the path that a `file:` URL names on this machine; `nil` for any other URL.
  ///
  /// The path is bytes, which need not be UTF-8. A fragment is ignored, as GIO ignores it. The result is `nil` as well for a URL with
  /// another machine's name, a query, an invalid `%` or a NUL.
  public static func path(of url: String) -> [UInt8]? {
    let end = url.utf8.first(where: isEndOfPath)
    guard end != UInt8(ascii: "?"), case .path(let path)? = place(of: url) else { return nil }
    return path
  }

  /// The location of the file of a `file:` URL.
  public enum Place: Hashable, Sendable {
    /// A path on this machine; its bytes need not be UTF-8.
    case path([UInt8])
    /// A file on the host with this name.
    case host(String)
    /// No file: the path is not absolute, or has an invalid `%` or a NUL.
    case nowhere
  }

  /// Returns the location of the file of a `file:` URL, ignoring query and fragment; `nil` for any other URL.
  public static func place(of url: String) -> Place? {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    // Compare the first letter first, because most URLs have another scheme, which then need not be copied.
    guard url.utf8.first.map(\.asciiLowercased) == UInt8(ascii: "f"),
      String(url[..<colon]).asciiLowercased == "file"
    else { return nil }
    var rest = url.utf8[url.utf8.index(after: colon)...].prefix { !isEndOfPath($0) }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != UInt8(ascii: "/") }
      let name = String(Substring(host))
      guard name.isEmpty || name.asciiLowercased == "localhost" else { return .host(name) }
      rest = rest.dropFirst(host.count)
    }
    guard rest.first == UInt8(ascii: "/"), let path = decoded(rest) else { return .nowhere }
    return .path(path)
  }

  private static func isEndOfPath(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
    guard let bytes = PercentEncoding.bytes(of: text), !bytes.contains(0) else { return nil }
    return bytes
  }
}
