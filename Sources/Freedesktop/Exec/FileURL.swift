/// URLs of local files (RFC 8089).
public enum FileURL {
  /// The path that a `file:` URL names on this machine; `nil` for any other URL.
  ///
  /// A URL with another machine's name, a query, a fragment, a broken `%`, a NUL, or a path that is not UTF-8
  /// names none.
  public static func path(of url: String) -> String? {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    guard String(url[..<colon]).asciiLowercased == "file" else { return nil }
    var rest = url.utf8[url.utf8.index(after: colon)...]
    guard !rest.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else { return nil }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != UInt8(ascii: "/") }
      guard host.isEmpty || String(Substring(host)).asciiLowercased == "localhost" else { return nil }
      rest = rest.dropFirst(host.count)
    }
    guard rest.first == UInt8(ascii: "/") else { return nil }
    return decoded(rest).flatMap { String(validating: $0, as: UTF8.self) }
  }

  private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes.contains(0) ? nil : bytes
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
      (byte | 0x20) - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
