// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A URL that is split and decoded once for comparison with many variants.
struct DecodedURL {
  /// A component of the URL in normal form, and its byte range.
  struct Piece {
    let text: [UInt8]
    let range: Range<Int>
  }

  struct Item {
    let key: Piece
    /// The value; empty for a key without `=`.
    let value: Piece
    /// The range of the key and the value.
    let range: Range<Int>
  }

  let url: String
  let parts: ParsedURL
  let scheme: String?
  let labels: [Piece]
  let user: Piece?
  let segments: [Piece]
  let joinedSegments: [Piece]
  /// The items of the query, decoded by the rule of the scheme; in `literalItems` a `+` is a literal.
  let items: [Item]
  let literalItems: [Item]
  let fragment: Piece?

  init(_ url: String) throws(RouteTableError) {
    let url = url.encodingBackslashes ?? url.readableURL
    let bytes = url.utf8.span
    let parts = try ParsedURL(bytes)
    self.url = url
    self.parts = parts
    scheme = url.foldedScheme
    labels = (parts.authority?.labels ?? []).map { Piece($0, form: .host, in: url) }
    user = parts.authority?.user.map { Piece($0, form: .path, in: url) }
    segments = parts.segments.map { Piece($0, form: .path, in: url) }
    joinedSegments = parts.joinedSegments.map { Piece($0, form: .path, in: url) }
    fragment = parts.fragment.map { Piece($0, form: .path, in: url) }
    items = Self.items(parts.query, form: parts.queryForm, in: url)
    literalItems = parts.queryForm == .path ? items : Self.items(parts.query, form: .path, in: url)
  }

  private static func items(_ query: URLSlice?, form: Normalization, in url: String) -> [Item] {
    guard let query else { return [] }
    var items: [Item] = []
    var cursor = QueryCursor(query)
    while let item = cursor.next(url.utf8.span) {
      let value = item.value ?? item.noValue
      items.append(
        Item(
          key: Piece(item.key, form: form, in: url), value: Piece(value, form: form, in: url),
          range: item.key.range.lowerBound..<value.range.upperBound))
    }
    return items
  }

  /// Returns the segments that a variant with this opening matches.
  func segments(under opening: PatternVariant.Opening) -> [Piece] {
    opening == .joinedPath ? joinedSegments : segments
  }

  /// The offset at which the path ends.
  var endOfPath: Int {
    // Exclude the `?` or `#`, which the ranges of query and fragment do not include.
    if let query = parts.query { return query.range.lowerBound - 1 }
    return parts.fragment.map { $0.range.lowerBound - 1 } ?? url.utf8.count
  }

  /// The range of the slashes after the scheme, three at most.
  var slashes: Range<Int> {
    let start = parts.scheme.map { Int($0.end) + 1 } ?? 0
    let count = url.utf8.dropFirst(start).prefix(3).prefix { $0 == UInt8(ascii: "/") }.count
    return start..<start + count
  }

  /// The range of the host, without user and port; `nil` if the URL has no authority.
  var host: Range<Int>? {
    guard parts.authority != nil else { return nil }
    guard let first = labels.first, let last = labels.last else {
      let start = (parts.scheme.map { Int($0.end) } ?? 0) + 3
      return start..<start
    }
    return first.range.lowerBound..<last.range.upperBound
  }
}

extension DecodedURL.Piece {
  init(_ text: URLSlice, form: Normalization, in url: String) {
    self.init(text: form.decode(text, of: url.utf8.span), range: text.range)
  }
}
