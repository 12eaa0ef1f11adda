/// A URL cut and decoded once, to be compared with many shapes.
struct DecodedURL {
  /// A piece of the URL in normal form, and where it stands.
  struct Piece {
    let text: [UInt8]
    let range: Range<Int>
  }

  struct Item {
    let key: Piece
    /// The empty text for a key alone.
    let value: Piece
    /// Key and value.
    let range: Range<Int>
  }

  let url: String
  let parts: ParsedURL
  let scheme: String?
  let labels: [Piece]
  let user: Piece?
  let segments: [Piece]
  let joinedSegments: [Piece]
  /// The items of the query; in `literalItems` a `+` is itself.
  let items: [Item]
  let literalItems: [Item]
  let fragment: Piece?

  init(_ url: String) throws(RouteTableError) {
    let url = url.readableURL
    let bytes = url.utf8.span
    let parts = try ParsedURL(bytes)
    self.url = url
    self.parts = parts
    scheme = url.foldedScheme
    labels = (parts.authority?.labels ?? []).map { Piece($0, .host, url) }
    user = parts.authority?.user.map { Piece($0, .path, url) }
    segments = parts.segments.map { Piece($0, .path, url) }
    joinedSegments = parts.joinedSegments.map { Piece($0, .path, url) }
    fragment = parts.fragment.map { Piece($0, .path, url) }
    items = Self.items(parts.query, parts.queryForm, url)
    literalItems = parts.queryForm == .path ? items : Self.items(parts.query, .path, url)
  }

  private static func items(_ query: URLSlice?, _ form: Normalization, _ url: String) -> [Item] {
    guard let query else { return [] }
    var items: [Item] = []
    var cursor = QueryCursor(query)
    while let item = cursor.next(url.utf8.span) {
      let value = item.value ?? item.noValue
      items.append(
        Item(
          key: Piece(item.key, form, url), value: Piece(value, form, url),
          range: item.key.range.lowerBound..<value.range.upperBound))
    }
    return items
  }

  /// The segments as a shape reads them.
  func segments(under opening: PatternVariant.Opening) -> [Piece] {
    opening == .joinedPath ? joinedSegments : segments
  }

  /// Where the path ends.
  var endOfPath: Int {
    // The marks in front do not belong to query and fragment.
    if let query = parts.query { return query.range.lowerBound - 1 }
    return parts.fragment.map { $0.range.lowerBound - 1 } ?? url.utf8.count
  }

  /// The slashes behind the scheme, three at most.
  var slashes: Range<Int> {
    let start = parts.scheme.map { Int($0.end) + 1 } ?? 0
    let count = url.utf8.dropFirst(start).prefix(3).prefix { $0 == UInt8(ascii: "/") }.count
    return start..<start + count
  }

  /// Where the host stands, without user and port; `nil` where there is no authority.
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
  init(_ text: URLSlice, _ form: Normalization, _ url: String) {
    self.init(text: form.decode(text, of: url.utf8.span), range: text.range)
  }
}
