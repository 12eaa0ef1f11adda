extension URLString {
  /// The maximum number of characters of a path in a log line.
  private static let shownPath = 200

  /// The URL in a form that is safe to log: scheme, host and path.
  ///
  /// User information is removed. An ellipsis replaces the query, the fragment, and the part of a path after 200
  /// characters. Non-ASCII characters are not escaped, because a URL contains no control characters.
  public var redacted: String {
    // Scalars instead of characters, because a combining mark after a delimiter would otherwise hide the delimiter.
    let scheme = text.unicodeScalars.prefix { $0 != ":" }
    var rest = text.unicodeScalars[scheme.endIndex...].dropFirst()
    var shown = String(scheme) + ":"
    if rest.starts(with: "//".unicodeScalars) {
      rest = rest.dropFirst(2)
      let authority = rest.prefix { !"/?#".unicodeScalars.contains($0) }
      let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
      shown += "//" + String(host)
      rest = rest[authority.endIndex...]
    }
    let path = rest.prefix { $0 != "?" && $0 != "#" }
    shown += String(path.prefix(Self.shownPath))
    if path.count > Self.shownPath { shown += "…" }
    rest = rest[path.endIndex...]
    if rest.first == "?" {
      shown += "?…"
      rest = rest.drop { $0 != "#" }
    }
    return rest.isEmpty ? shown : shown + "#…"
  }
}
