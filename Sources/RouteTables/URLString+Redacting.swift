extension URLString {
  /// How much of a path a log line shows, in characters.
  private static let shownPath = 200

  /// The URL as it may stand in a log: scheme, host and path.
  ///
  /// User information is left out; a query, a fragment and the rest of a long path are an ellipsis. Other
  /// characters than ASCII are shown as they are: a URL has no controls.
  public var redacted: String {
    // Scalars, not characters: a combining mark after a delimiter must not hide it.
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
