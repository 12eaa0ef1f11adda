// SPDX-License-Identifier: Apache-2.0
/// The query of a URL: the first item of each key that a route of the table names.
///
/// The query is split when a variant first needs it.
struct QueryScan {
  /// The number of a key, and the byte range of its value.
  struct Item: BitwiseCopyable {
    let key: UInt32
    let start: UInt32
    let end: UInt32
  }

  private let start: UInt32
  private let end: UInt32
  private let fragmentStart: UInt32
  private var count: UInt32 = 0
  private let items: UnsafeMutablePointer<Item>
  private let capacity: UInt32
  let hasQuery: Bool
  let readsPlusAsSpace: Bool
  /// Indicates whether items can be read in 16-byte windows without decoding.
  ///
  /// This requires that nothing in the URL is encoded, that no key of the table contains `+`, and that at least sixteen
  /// bytes precede the end of the query.
  private let isPlain: Bool
  private var isRead = false
  /// Indicates whether the buffer was too small for all items.
  private(set) var isFull = false

  @inline(__always)
  init(_ scan: borrowing URLTokenizer, _ room: MatchScratch, keysHavePlus: Bool) {
    start = UInt32(truncatingIfNeeded: scan.query?.lowerBound ?? 0)
    end = UInt32(truncatingIfNeeded: scan.query?.upperBound ?? 0)
    fragmentStart = UInt32(truncatingIfNeeded: scan.fragment ?? -1)
    items = room.items
    capacity = UInt32(truncatingIfNeeded: room.itemCount)
    hasQuery = scan.query != nil
    readsPlusAsSpace = scan.readsPlusAsSpace
    isPlain = scan.isPlain && end >= 16 && !keysHavePlus
  }

  /// Creates the query of a URL without encoded characters, from the end offsets of its path and its query.
  @inline(__always)
  init(plain url: URLBytes, _ ends: (path: Int, query: Int), _ room: MatchScratch, keysHavePlus: Bool) {
    hasQuery = ends.path < ends.query
    // A query starts after its `?`.
    start = UInt32(truncatingIfNeeded: hasQuery ? ends.path &+ 1 : ends.query)
    end = UInt32(truncatingIfNeeded: ends.query)
    fragmentStart = ends.query < url.count ? end &+ 1 : .max
    items = room.items
    capacity = UInt32(truncatingIfNeeded: room.itemCount)
    readsPlusAsSpace = true
    isPlain = !keysHavePlus
  }

  /// Creates an empty query.
  @inline(__always)
  init(_ room: MatchScratch) {
    (start, end, fragmentStart) = (0, 0, .max)
    items = room.items
    capacity = 0
    hasQuery = false
    readsPlusAsSpace = true
    isPlain = true
  }

  private var range: Range<Int> { Range(uncheckedBounds: (Int(start), Int(end))) }
  /// The offset of the fragment after its `#`; `nil` if there is no fragment.
  var fragment: Int? { fragmentStart == .max ? nil : Int(fragmentStart) }
  var form: Normalization { readsPlusAsSpace ? .form : .path }

  /// Returns the range of the first value of a key; `nil` if the query does not contain the key.
  @inline(__always)
  mutating func first(_ key: UInt32, of url: URLBytes, index: borrowing RouteIndexView) -> Range<Int>? {
    guard hasQuery else { return nil }
    if !isRead {
      isRead = true
      if isPlain { readPlain(url, index) } else { readRest(from: range.lowerBound, url, index) }
    }
    var item = items
    let end = items + Int(count)
    while item < end {
      if item.pointee.key == key {
        return Range(uncheckedBounds: (Int(item.pointee.start), Int(item.pointee.end)))
      }
      item += 1
    }
    return nil
  }

  @inline(never)
  private mutating func readPlain(_ url: URLBytes, _ index: borrowing RouteIndexView) {
    let limit = range.upperBound
    var position = range.lowerBound
    while position < limit {
      let window = SegmentKey.window(url.base, position, limit: limit)
      let length = window.place(of: UInt8(ascii: "="), orElse: 16)
      let next = window.place(of: UInt8(ascii: "&"), orElse: 16)
      // `readRest` handles items without a value and keys that are longer than the window.
      guard length < next else { return readRest(from: position, url, index) }
      let end = next < 16 ? position &+ next : endOfItem(from: position &+ 16, url)
      var number = index.node(after: index.header.pointee.keys, window.first(length))
      if number == 0 { number = decodedKey(position..<(position &+ length), of: url, index: index) }
      if number != 0 { store(number, from: position &+ length &+ 1, to: end) }
      position = end &+ 1
    }
  }

  /// Returns the number of a key that contains `+`; 0 if the key has no `+` or no route names it.
  @inline(never)
  private func decodedKey(_ range: Range<Int>, of url: URLBytes, index: borrowing RouteIndexView) -> UInt32 {
    let plus = ByteSearch(UInt8(ascii: "+")).place(in: url.base, from: range.lowerBound, to: range.upperBound)
    return plus < range.upperBound ? index.key(range, of: url, form: form) : 0
  }

  @inline(never)
  private func endOfItem(from start: Int, _ url: URLBytes) -> Int {
    ByteSearch(UInt8(ascii: "&")).place(in: url.base, from: start, to: Int(end))
  }

  @inline(never)
  private mutating func readRest(from start: Int, _ url: URLBytes, _ index: borrowing RouteIndexView) {
    var cursor = ItemCursor(start..<range.upperBound)
    while let item = cursor.next(url) {
      let number = index.key(item.key, of: url, form: form)
      if number != 0 { store(number, from: item.value.lowerBound, to: item.value.upperBound) }
    }
  }

  /// Stores the value of a key unless an earlier item has the key.
  @inline(__always)
  private mutating func store(_ key: UInt32, from start: Int, to end: Int) {
    for place in 0..<Int(count) where items[place].key == key { return }
    guard count < capacity else {
      isFull = true
      return
    }
    items[Int(count)] = Item(
      key: key, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end))
    count &+= 1
  }

  /// Returns an iterator over all items in the order of the URL.
  func cursor() -> ItemCursor { ItemCursor(range) }
}
