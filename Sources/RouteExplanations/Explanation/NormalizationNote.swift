// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// A note to the user about the normalization of a URL or about values that the pattern ignores.
public enum NormalizationNote: Hashable, Sendable {
  /// Capitals in the scheme are read as lower case.
  case foldedScheme
  /// Capitals in the host are read as lower case.
  case foldedHost
  /// `%2F` at these bytes is a slash inside a segment and does not separate segments.
  case encodedSlash(Range<Int>)
  /// Dot segments were resolved; the value is the resulting path.
  case dotSegments(String)
  /// The port in the URL is the scheme's default and is ignored.
  case defaultPort(UInt16)
  /// The trailing dot of the host is ignored.
  case finalDot
  /// The optional capture counts as absent, because the text found is not of its type.
  case outsideType(RouteCapture, found: String)
  /// The number of values of an optional list that were omitted because they are not of its type.
  case leftOut(RouteCapture, count: Int)
  /// The key occurs more than once, and only its first item counts.
  case laterItems(String)
  /// A `+` is read as a space.
  case plusIsSpace
  /// Texts that are not literals of a pattern are not shown, because the route with this ID has secret captures.
  case mayBeSecret(route: String)
}

extension NormalizationNote: CustomStringConvertible {
  /// A sentence for the user.
  public var description: String {
    switch self {
    case .foldedScheme: "the scheme is compared in lowercase"
    case .foldedHost: "the host is compared in lowercase"
    case .encodedSlash(let range):
      "`%2F` (bytes \(range.lowerBound + 1) to \(range.upperBound)) is a slash inside a segment and does not begin another segment"
    case .dotSegments(let path):
      "`.` and `..` are resolved before matching: the path is \(path)"
    case .defaultPort(let port): "the port \(port) is the default port of the scheme and is ignored"
    case .finalDot: "the final dot of the host is ignored"
    case .outsideType(let capture, let found):
      "`\(capture.name)` reads as \(capture.defaultValue.map { "`\($0)`, its default" } ?? "absent"): `\(found)` is not of the type `\(capture.type)`"
    case .leftOut(let capture, let count):
      "\(count) value\(count == 1 ? "" : "s") of `\(capture.name)` \(count == 1 ? "is" : "are") ignored, because not of the type `\(capture.type)`"
    case .laterItems(let key): "`\(key)` occurs more than once in the query: the first is used"
    case .plusIsSpace: "`+` in the query is a space; `%2B` is a plus"
    case .mayBeSecret(let route):
      "text that is not literal in a pattern is shown as `…`, because `\(route)` has secret captures"
    }
  }
}

extension DecodedURL {
  /// Returns the notes about parts of the URL that differ from their normal form.
  func notes(_ mask: SecretMask) -> [NormalizationNote] {
    var notes: [NormalizationNote] = []
    let bytes = Array(url.utf8)
    func hasCapitals(_ range: Range<Int>) -> Bool {
      // Decoded first, because the hexadecimal digits of percent-encoding are not letters of the text.
      Normalization.path.decode(URLSlice(range), of: url.utf8.span).contains { $0.foldedASCII != $0 }
    }
    if let scheme = parts.scheme, hasCapitals(scheme.range) { notes.append(.foldedScheme) }
    if let host, hasCapitals(host) { notes.append(.foldedHost) }
    if let host, host.upperBound < bytes.count, !host.isEmpty {
      if bytes[host.upperBound] == UInt8(ascii: ".") { notes.append(.finalDot) }
      let colon = bytes[host.upperBound...].prefix { $0 != UInt8(ascii: "/") }.firstIndex(
        of: UInt8(ascii: ":"))
      let hasDigits = colon.map { $0 + 1 < bytes.count && bytes[$0 + 1].isASCIIDigit } ?? false
      if hasDigits, parts.authority?.port == nil, let own = ParsedURL.defaultPort(of: scheme ?? "") {
        notes.append(.defaultPort(own))
      }
    }
    for segment in segments {
      guard let slash = Self.encodedSlash(in: bytes, segment.range), !mask.hides(slash) else { continue }
      notes.append(.encodedSlash(slash))
      break
    }
    if hasDotSegments(bytes) {
      notes.append(.dotSegments("/" + segments.map { mask.shown($0.range, of: url) }.joined(separator: "/")))
    }
    if let route = mask.route { notes.append(.mayBeSecret(route: route)) }
    return notes
  }

  private static func encodedSlash(in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    for position in range where position + 2 < bytes.count && bytes[position] == UInt8(ascii: "%") {
      if bytes[position + 1] == UInt8(ascii: "2"), bytes[position + 2].foldedASCII == UInt8(ascii: "f") {
        return position..<position + 3
      }
    }
    return nil
  }

  private func hasDotSegments(_ bytes: [UInt8]) -> Bool {
    guard parts.isRooted else { return false }
    let start =
      host.map { host in
        bytes[host.upperBound...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
      } ?? (parts.scheme.map { Int($0.end) + 1 } ?? 0)
    guard start < endOfPath else { return false }
    let written = bytes[(start + 1)..<max(start + 1, endOfPath)].split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return written.contains {
      DotSegment(Normalization.path.decode(URLSlice($0.startIndex..<$0.endIndex), of: url.utf8.span)) != nil
    }
  }
}
