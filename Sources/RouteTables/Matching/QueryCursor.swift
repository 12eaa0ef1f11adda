/// Cuts the items of a query, one at a time.
///
/// Empty items are none.
struct QueryCursor: Sendable {
  struct Item: Sendable {
    let key: URLText
    /// `nil` where there is no `=`.
    let value: URLText?

    /// The empty value that a key alone has.
    var noValue: URLText { URLText(key.range.upperBound..<key.range.upperBound) }
  }

  private var position: Int
  private let end: Int

  init(_ query: URLText) {
    position = query.range.lowerBound
    end = query.range.upperBound
  }

  mutating func next(_ bytes: borrowing Span<UInt8>) -> Item? {
    while position < end, bytes[position] == UInt8(ascii: "&") { position += 1 }
    guard position < end else { return nil }
    let start = position
    var equals: Int?
    while position < end, bytes[position] != UInt8(ascii: "&") {
      if equals == nil, bytes[position] == UInt8(ascii: "=") { equals = position }
      position += 1
    }
    guard let equals else { return Item(key: URLText(start..<position), value: nil) }
    return Item(key: URLText(start..<equals), value: URLText(equals + 1..<position))
  }
}
