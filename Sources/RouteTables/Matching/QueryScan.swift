/// The query of a URL, cut when the first shape asks for it: the first item of each key that a route of the table names.
struct QueryScan {
  /// The number of a key, and its value.
  struct Item: BitwiseCopyable {
    let key: UInt32
    let start: UInt32
    let end: UInt32
  }

  private let range: Range<Int>
  let hasQuery: Bool
  let fragment: Int?
  let readsPlusAsSpace: Bool
  private let items: UnsafeMutablePointer<Item>
  private let capacity: Int
  private var count = 0
  private var isRead = false
  /// Whether there was no room for all of them.
  private(set) var isFull = false

  init(_ scan: URLScan, _ room: MatchRoom) {
    range = scan.query ?? 0..<0
    hasQuery = scan.query != nil
    fragment = scan.fragment
    readsPlusAsSpace = scan.readsPlusAsSpace
    items = room.items
    capacity = room.itemCount
  }

  /// No query.
  init(_ room: MatchRoom) {
    range = 0..<0
    hasQuery = false
    fragment = nil
    readsPlusAsSpace = true
    items = room.items
    capacity = 0
  }

  var form: TextForm { readsPlusAsSpace ? .form : .path }

  /// The first value of a key; `nil` if there is none.
  mutating func first(_ key: UInt32, _ url: URLBytes, _ index: borrowing IndexView) -> Range<Int>? {
    if !isRead { read(url, index) }
    return place(of: key).map { Int(items[$0].start)..<Int(items[$0].end) }
  }

  @inline(__always)
  private func place(of key: UInt32) -> Int? {
    var place = 0
    while place < count {
      if items[place].key == key { return place }
      place &+= 1
    }
    return nil
  }

  private mutating func read(_ url: URLBytes, _ index: borrowing IndexView) {
    isRead = true
    var cursor = ItemCursor(range)
    while let item = cursor.next(url) {
      let key = index.key(item.key, isWritten: item.isWritten, url, form)
      guard key != 0, place(of: key) == nil else { continue }
      guard count < capacity else {
        isFull = true
        return
      }
      items[count] = Item(
        key: key, start: UInt32(truncatingIfNeeded: item.value.lowerBound),
        end: UInt32(truncatingIfNeeded: item.value.upperBound))
      count += 1
    }
  }

  /// All items, in their order.
  func cursor() -> ItemCursor { ItemCursor(range) }
}

/// Cuts the items of a query, one at a time; empty ones are none, and a key alone has the empty value.
struct ItemCursor {
  private var position: Int
  private let end: Int

  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// The key, whether it stands there in normal form, and the value.
  mutating func next(_ url: URLBytes) -> (key: Range<Int>, isWritten: Bool, value: Range<Int>)? {
    while position < end, url.base[position] == UInt8(ascii: "&") { position += 1 }
    guard position < end else { return nil }
    let start = position
    var isWritten = true
    while position < end {
      let byte = url.base[position]
      if byte == UInt8(ascii: "=") || byte == UInt8(ascii: "&") { break }
      if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") { isWritten = false }
      position &+= 1
    }
    let key = start..<position
    guard position < end, url.base[position] == UInt8(ascii: "=") else {
      return (key, isWritten, position..<position)
    }
    position &+= 1
    let value = position
    while position < end, url.base[position] != UInt8(ascii: "&") { position &+= 1 }
    return (key, isWritten, value..<position)
  }
}

extension IndexView {
  /// The number of a key that some route names; 0 for all others.
  func key(_ range: Range<Int>, isWritten: Bool, _ url: URLBytes, _ form: TextForm) -> UInt32 {
    let key =
      isWritten
      ? url.key(range.lowerBound, range.upperBound) : url.key(range.lowerBound, range.upperBound, form)
    let token = MatchToken(key: key, start: range.lowerBound, end: range.upperBound, isWritten: isWritten)
    return node(after: header.pointee.keys, token, url, form)
  }

  /// Whether all holds that a shape asks for beyond its path.
  @inline(never)
  func holds(_ number: UInt32, _ walk: inout RouteWalk) -> Bool {
    let shape = shapes[Int(number)]
    var place = Int(shape.tests)
    for _ in 0..<shape.testCount {
      guard passes(tests[place], shape, &walk) else { return false }
      place += 1
    }
    if shape.hasFragment {
      guard let fragment = walk.query.fragment,
        passes(tests[place], fragment..<walk.url.count, walk.url, .path)
      else { return false }
      place += 1
    }
    for _ in 0..<shape.conditionCount {
      let test = tests[place]
      guard
        index.conditionLanguages[Int(test.value)]?.contains(
          walk.context?.pointee[index.conditions[Int(test.key)]] ?? "")
          == true
      else {
        return false
      }
      place += 1
    }
    return true
  }

  private func passes(_ test: MatchTest, _ shape: MatchShape, _ walk: inout RouteWalk) -> Bool {
    let form = shape.hasLiteralPlus ? TextForm.path : walk.query.form
    if test.kind == .each { return passesEach(test, form, &walk) }
    var value: Range<Int>?
    if shape.hasLiteralPlus, walk.query.readsPlusAsSpace {
      var cursor = walk.query.cursor()
      while value == nil, let item = cursor.next(walk.url) {
        if key(item.key, isWritten: item.isWritten, walk.url, form) == test.key { value = item.value }
      }
    } else if walk.query.hasQuery {
      value = walk.query.first(test.key, walk.url, self)
    }
    guard let value else { return test.kind == .absent }
    return passes(test, value, walk.url, form)
  }

  private func passesEach(_ test: MatchTest, _ form: TextForm, _ walk: inout RouteWalk) -> Bool {
    var cursor = walk.query.cursor()
    var isThere = false
    while let item = cursor.next(walk.url) {
      guard key(item.key, isWritten: item.isWritten, walk.url, form) == test.key else { continue }
      isThere = true
      guard takes(item.value.lowerBound, item.value.upperBound, of: walk.url, form, test.value) else {
        return false
      }
    }
    return isThere
  }

  private func passes(_ test: MatchTest, _ value: Range<Int>, _ url: URLBytes, _ form: TextForm) -> Bool {
    switch test.kind {
    case .absent, .each, .condition: return false
    case .present: return true
    case .first:
      return test.value == 0 || takes(value.lowerBound, value.upperBound, of: url, form, test.value)
    case .text:
      let text = pool + Int(test.value)
      return url.equals(value.lowerBound, value.upperBound, form, text, Int(test.length))
    }
  }
}
