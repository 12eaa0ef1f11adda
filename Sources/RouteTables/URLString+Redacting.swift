// SPDX-License-Identifier: Apache-2.0
extension URLString {
  /// The maximum number of characters of a path in a log line.
  private static let maximumPathLength = 200
  /// The maximum number of characters of scheme, host and port in a log line; a host name has at most 253.
  private static let maximumOriginLength = 300
  /// The maximum number of bytes before the query or fragment in which user information is searched for.
  private static let maximumSearchedLength = 8_192

  /// The URL in a form that is safe to log: scheme, host and path.
  ///
  /// User information is removed: before a host, also where a browser reads it without the two slashes
  /// (`https:user@host`), before the host of a URL in the path, and before an `@` that follows a colon
  /// (`webcal:user:secret@host`). An ellipsis replaces the query, the fragment, the part of a path after 200 characters
  /// or after an encoded `?` or `#`, everything after 300 characters of scheme, host and port, and whatever follows a
  /// host with an invalid port, which may be a part of a password, or an encoded `?` or `#` in a host. Delimiters that are
  /// encoded several times (`%2540`) count, too. If more than 8 KiB precede the query, an ellipsis replaces everything after the scheme.
  /// Non-ASCII characters are not escaped, because a URL contains no control characters.
  public var redacted: String { redacted(hidingPath: false) }

  /// Returns ``redacted``, with an ellipsis in place of the path if `hidesPath` is set.
  public func redacted(hidingPath hidesPath: Bool) -> String {
    // Bytes instead of characters, because a combining mark after a delimiter would otherwise hide the delimiter.
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.utf8.endIndex
    var rest = text.utf8[colon...].dropFirst()
    guard !isTooLongToSearch else {
      return String(text[..<rest.startIndex].unicodeScalars.prefix(Self.maximumOriginLength)) + "…"
    }
    var shown = String(text[..<rest.startIndex])
    var isCutOff = false
    if let authority = authority(in: rest) {
      let host = authority.withoutUser
      let end = host.endOfShownHost
      isCutOff = end != nil
      shown += text[rest.startIndex..<authority.startIndex]
      shown += String(Substring(host[..<(end ?? host.endIndex)]))
      rest = rest[authority.endIndex...]
    }
    let origin = shown.unicodeScalars.prefix(Self.maximumOriginLength)
    guard origin.endIndex == shown.unicodeScalars.endIndex else { return String(origin) + "…" }
    return shown + (isCutOff ? "…" : pathAndRest(rest, hidesPath: hidesPath))
  }

  /// The path without user information, in at most 200 characters, and whether it is complete.
  ///
  /// `nil` if the path may be a part of a password, because the port before it is invalid, or of a query, because the host contains
  /// an encoded `?` or `#`, or if it is longer than 8 KiB.
  package var shownPath: (text: String, isComplete: Bool)? {
    guard !isTooLongToSearch else { return nil }
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.utf8.endIndex
    var rest = text.utf8[colon...].dropFirst()
    if let authority = authority(in: rest) {
      guard authority.withoutUser.endOfShownHost == nil else { return nil }
      rest = rest[authority.endIndex...]
    }
    return Self.shown(rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  }

  /// A Boolean value that indicates whether the part before the query and fragment is so long that a search would delay other requests.
  private var isTooLongToSearch: Bool {
    text.utf8.count > Self.maximumSearchedLength
      && !text.utf8.prefix(Self.maximumSearchedLength).contains {
        $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
      }
  }

  private func pathAndRest(_ text: Substring.UTF8View, hidesPath: Bool) -> String {
    let path = text.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    var shown: String
    if hidesPath {
      let isOnlySlash = path.count == 1 && path.first == UInt8(ascii: "/")
      shown = (path.first == UInt8(ascii: "/") ? "/" : "") + (path.isEmpty || isOnlySlash ? "" : "…")
    } else {
      let (text, isComplete) = Self.shown(path)
      shown = text + (isComplete ? "" : "…")
    }
    var rest = text[path.endIndex...]
    if rest.first == UInt8(ascii: "?") {
      shown += "?…"
      rest = rest.drop { $0 != UInt8(ascii: "#") }
    }
    return rest.isEmpty ? shown : shown + "#…"
  }

  /// Returns the part of a path that logs show, and whether that is all of it.
  private static func shown(_ path: Substring.UTF8View) -> (text: String, isComplete: Bool) {
    var rest = path
    // Without slashes at its beginning, a path may be what programs read as user, host and path.
    if path.first != UInt8(ascii: "/"), let at = path.lastAt, path[..<at.lowerBound].hasColon,
      !path[..<at.lowerBound].hasTwoSlashes
    {
      rest = path[at.upperBound...]
    }
    var shown = ""
    var (number, isBehindSlashes, isComplete) = (0, false, true)
    while isComplete {
      let segment = rest.prefix { $0 != UInt8(ascii: "/") }
      var kept = segment
      if let at = segment.lastAt, isBehindSlashes || segment[..<at.lowerBound].hasColon {
        kept = segment[at.upperBound...]
      }
      if let end = isBehindSlashes ? kept.startOfInvalidPort : nil {
        (kept, isComplete) = (kept[..<end], false)
      }
      if let end = kept.encodedDelimiter { (kept, isComplete) = (kept[..<end], false) }
      shown += String(Substring(kept).unicodeScalars.prefix(maximumPathLength + 1))
      guard isComplete, segment.endIndex < rest.endIndex, shown.utf8.count <= maximumPathLength * 4 else {
        break
      }
      shown += "/"
      rest = rest[segment.endIndex...].dropFirst()
      number += 1
      // The first segment of an absolute path is empty, too.
      isBehindSlashes = segment.isEmpty && number >= 2
    }
    let short = shown.unicodeScalars.prefix(maximumPathLength)
    guard short.endIndex == shown.unicodeScalars.endIndex else {
      return (String(short), false)
    }
    return (shown, isComplete)
  }

  /// Returns the authority in what follows the colon of the scheme; `nil` if there is none.
  ///
  /// For the schemes of the web a browser reads any number of slashes and backslashes before it, or none. Under other
  /// schemes some programs read a `\` as a `/`.
  private func authority(in rest: Substring.UTF8View) -> Substring.UTF8View? {
    let isWeb = ParsedURL.defaultPort(of: scheme) != nil
    let delimiters = isWeb ? "/\\?#".utf8 : "/?#".utf8
    let slashes = rest.prefix { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    guard isWeb || slashes.count >= 2 else { return nil }
    return rest.dropFirst(isWeb ? slashes.count : 2).prefix { !delimiters.contains($0) }
  }
}

/// The delimiters of user information, plain or percent-encoded, because some programs decode before they parse.
extension Substring.UTF8View {
  /// The authority without user information.
  fileprivate var withoutUser: Substring.UTF8View { lastAt.map { self[$0.upperBound...] } ?? self }

  /// The range of the last `@`.
  fileprivate var lastAt: Range<Index>? {
    var last: Range<Index>?
    _ = firstIndex { index in
      if let end = end(of: "@", at: index) { last = index..<end }
      return false
    }
    return last
  }

  fileprivate var hasColon: Bool { firstIndex { end(of: ":", at: $0) != nil } != nil }

  fileprivate var hasTwoSlashes: Bool {
    var isBehindSlash = false
    for byte in self {
      if byte == UInt8(ascii: "/"), isBehindSlash { return true }
      isBehindSlash = byte == UInt8(ascii: "/")
    }
    return false
  }

  /// The start of an encoded `?` or `#`.
  fileprivate var encodedDelimiter: Index? {
    firstIndex {
      self[$0] == UInt8(ascii: "%") && (end(of: "?", at: $0) != nil || end(of: "#", at: $0) != nil)
    }
  }

  /// Returns the first index for which `condition` holds; `nil` if there is none.
  ///
  /// The `indices` of a view of a substring are generic, and their creation takes longer than the search in a short path.
  private func firstIndex(_ condition: (Index) -> Bool) -> Index? {
    var index = startIndex
    while index < endIndex {
      if condition(index) { return index }
      formIndex(after: &index)
    }
    return nil
  }

  /// The end of the part of an authority without user information that logs show; `nil` if that is all of it.
  fileprivate var endOfShownHost: Index? {
    [startOfInvalidPort, encodedDelimiter].compactMap(\.self).min()
  }

  /// The start of what follows the host of an authority without user information, if that is not a port.
  fileprivate var startOfInvalidPort: Index? {
    var host = self
    if first == UInt8(ascii: "["), let bracket = firstIndex(of: UInt8(ascii: "]")) {
      host = self[index(after: bracket)...]
    }
    guard let colon = host.firstIndex(of: UInt8(ascii: ":")),
      host[index(after: colon)...].contains(where: { !$0.isASCIIDigit })
    else { return nil }
    return colon
  }

  /// Returns the end of a delimiter that starts at `index`, plain or encoded any number of times; `nil` if there is none.
  private func end(of delimiter: Unicode.Scalar, at index: Index) -> Index? {
    if self[index] == UInt8(ascii: delimiter) { return self.index(after: index) }
    guard self[index] == UInt8(ascii: "%") else { return nil }
    var digits = self[index...].dropFirst()
    while let high = digits.popFirst()?.hexValue, let low = digits.popFirst()?.hexValue {
      let byte = UInt32(high) << 4 | UInt32(low)
      if byte == delimiter.value { return digits.startIndex }
      // Another level of encoding: `%25` is an encoded `%`, whose digits follow.
      guard byte == UInt32(UInt8(ascii: "%")) else { return nil }
    }
    return nil
  }
}
