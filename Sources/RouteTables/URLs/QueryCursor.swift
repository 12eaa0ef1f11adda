// SPDX-License-Identifier: Apache-2.0
/// An iterator over the items of a query that skips empty items.
package struct QueryCursor: Sendable {
  package struct Item: Sendable {
    package let key: URLSlice
    /// The value; `nil` if the item has no `=`.
    package let value: URLSlice?

    /// The empty value of an item that is only a key.
    package var noValue: URLSlice { URLSlice(key.range.upperBound..<key.range.upperBound) }
  }

  private var position: Int
  private let end: Int

  package init(_ query: URLSlice) {
    position = query.range.lowerBound
    end = query.range.upperBound
  }

  package mutating func next(_ bytes: borrowing Span<UInt8>) -> Item? {
    while position < end, bytes[position] == UInt8(ascii: "&") { position += 1 }
    guard position < end else { return nil }
    let start = position
    var equals: Int?
    while position < end, bytes[position] != UInt8(ascii: "&") {
      if equals == nil, bytes[position] == UInt8(ascii: "=") { equals = position }
      position += 1
    }
    guard let equals else { return Item(key: URLSlice(start..<position), value: nil) }
    return Item(key: URLSlice(start..<equals), value: URLSlice(equals + 1..<position))
  }
}
