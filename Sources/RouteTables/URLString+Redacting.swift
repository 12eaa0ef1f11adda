extension URLString {
  /// The maximum number of characters of a path in a log line.
  private static let shownPath = 200

  /// The URL in a form that is safe to log: scheme, host and path.
  ///
  /// User information is removed, also where a browser reads it without the two slashes (`https:user@host`). An ellipsis
  /// replaces the query, the fragment, and the part of a path after 200 characters. Non-ASCII characters are not
  /// escaped, because a URL contains no control characters.
  public var redacted: String {
    // Bytes instead of characters, because a combining mark after a delimiter would otherwise hide the delimiter.
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.utf8.endIndex
    var rest = text.utf8[colon...].dropFirst()
    var shown = String(text[..<rest.startIndex])
    if let authority = authority(in: rest) {
      let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority.index(after: $0) }
      shown += text[rest.startIndex..<authority.startIndex]
      shown += text[(host ?? authority.startIndex)..<authority.endIndex]
      rest = rest[authority.endIndex...]
    }
    let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let shownPath = text[path.startIndex..<path.endIndex].unicodeScalars.prefix(Self.shownPath)
    shown += String(shownPath)
    if shownPath.endIndex != path.endIndex { shown += "…" }
    rest = rest[path.endIndex...]
    if rest.first == UInt8(ascii: "?") {
      shown += "?…"
      rest = rest.drop { $0 != UInt8(ascii: "#") }
    }
    return rest.isEmpty ? shown : shown + "#…"
  }

  /// Returns the authority in what follows the colon of the scheme; `nil` if there is none.
  ///
  /// For the schemes of the web a browser reads any number of slashes and backslashes before it, or none.
  private func authority(in rest: Substring.UTF8View) -> Substring.UTF8View? {
    let isWeb = ParsedURL.defaultPort(of: scheme) != nil
    let delimiters = isWeb ? "/\\?#".utf8 : "/?#".utf8
    let slashes = rest.prefix { $0 == UInt8(ascii: "/") || isWeb && $0 == UInt8(ascii: "\\") }
    guard isWeb || slashes.count >= 2 else { return nil }
    return rest.dropFirst(isWeb ? slashes.count : 2).prefix { !delimiters.contains($0) }
  }
}
