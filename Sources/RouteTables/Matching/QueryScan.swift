/// The query of a URL, cut when the first shape asks for it: the first item of each key that a route of the table names.
struct QueryScan {
  /// The number of a key, and its value.
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
  /// Whether nothing in the URL is encoded, and there are sixteen bytes before the query's end.
  private let isPlain: Bool
  private var isRead = false
  /// Whether there was no room for all of them.
  private(set) var isFull = false

  @inline(__always)
  init(_ scan: borrowing URLScan, _ room: MatchRoom) {
    start = UInt32(truncatingIfNeeded: scan.query?.lowerBound ?? 0)
    end = UInt32(truncatingIfNeeded: scan.query?.upperBound ?? 0)
    fragmentStart = UInt32(truncatingIfNeeded: scan.fragment ?? -1)
    items = room.items
    capacity = UInt32(truncatingIfNeeded: room.itemCount)
    hasQuery = scan.query != nil
    readsPlusAsSpace = scan.readsPlusAsSpace
    isPlain = scan.isPlain && end >= 16
  }

  /// No query.
  @inline(__always)
  init(_ room: MatchRoom) {
    (start, end, fragmentStart) = (0, 0, .max)
    items = room.items
    capacity = 0
    hasQuery = false
    readsPlusAsSpace = true
    isPlain = true
  }

  private var range: Range<Int> { Range(uncheckedBounds: (Int(start), Int(end))) }
  /// Where the fragment begins, after its mark; `nil` if there is none.
  var fragment: Int? { fragmentStart == .max ? nil : Int(fragmentStart) }
  var form: TextForm { readsPlusAsSpace ? .form : .path }

  /// The first value of a key; `nil` if there is none.
  @inline(__always)
  mutating func first(_ key: UInt32, _ url: URLBytes, _ index: borrowing IndexView) -> Range<Int>? {
    guard hasQuery else { return nil }
    if !isRead { read(url, index) }
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
  private mutating func read(_ url: URLBytes, _ index: borrowing IndexView) {
    isRead = true
    if isPlain { readPlain(url, index) } else { readRest(from: range.lowerBound, url, index) }
  }

  private mutating func readPlain(_ url: URLBytes, _ index: borrowing IndexView) {
    let limit = range.upperBound
    var position = range.lowerBound
    while position < limit {
      let window = TextKey.window(url.base, position, limit: limit)
      let end = window.place(of: UInt8(ascii: "&"), orElse: limit &- position)
      let key = window.place(of: UInt8(ascii: "="), orElse: 16)
      // What does not fit into the window, and empty items, are for the cursor.
      guard end > 0, min(key, end) < 16, end <= 16 || key < 16 else {
        return readRest(from: position, url, index)
      }
      let keyEnd = position &+ min(key, end)
      var itemEnd = position &+ end
      if end == limit &- position, end > 16 {
        itemEnd = ByteSearch(UInt8(ascii: "&")).place(in: url.base, from: position &+ 16, to: limit)
      }
      let token = MatchToken(key: window.first(min(key, end)), start: position, end: keyEnd, isWritten: true)
      let number =
        token.key.place(of: UInt8(ascii: "+"), orElse: 16) < 16
        ? index.key(position..<keyEnd, url, form)
        : index.node(after: index.header.pointee.keys, token, url, form)
      keep(number, min(keyEnd &+ 1, itemEnd), itemEnd)
      position = itemEnd &+ 1
    }
  }

  private mutating func readRest(from start: Int, _ url: URLBytes, _ index: borrowing IndexView) {
    var cursor = ItemCursor(start..<range.upperBound)
    while let item = cursor.next(url) {
      keep(index.key(item.key, url, form), item.value.lowerBound, item.value.upperBound)
    }
  }

  /// Keeps the first item of a key that some route names.
  @inline(__always)
  private mutating func keep(_ key: UInt32, _ start: Int, _ end: Int) {
    guard key != 0 else { return }
    for place in 0..<Int(count) where items[place].key == key { return }
    guard count < capacity else {
      isFull = true
      return
    }
    items[Int(count)] = Item(
      key: key, start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end))
    count &+= 1
  }

  /// All items, in their order.
  func cursor() -> ItemCursor { ItemCursor(range) }
}
