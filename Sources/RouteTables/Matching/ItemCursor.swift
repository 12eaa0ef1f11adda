// SPDX-License-Identifier: Apache-2.0
/// An iterator over the items of a query that yields byte ranges.
///
/// It skips empty items. A key without `=` has an empty value.
struct ItemCursor {
  private var position: Int
  private let end: Int

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// Returns the ranges of the next key and value, or `nil` at the end of the query.
  @inline(__always)
  mutating func next(_ url: URLBytes) -> (key: Range<Int>, value: Range<Int>)? {
    while position < end, url.base[position] == UInt8(ascii: "&") { position &+= 1 }
    guard position < end else { return nil }
    let start = position
    position = ByteSearch(UInt8(ascii: "="), UInt8(ascii: "&")).place(in: url.base, from: start, to: end)
    let key = Range(uncheckedBounds: (start, position))
    guard position < end, url.base[position] == UInt8(ascii: "=") else {
      return (key, Range(uncheckedBounds: (position, position)))
    }
    let value = position &+ 1
    position = ByteSearch(UInt8(ascii: "&")).place(in: url.base, from: value, to: end)
    return (key, Range(uncheckedBounds: (value, position)))
  }
}
