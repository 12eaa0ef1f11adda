/// The first look at a URL, sixteen bytes at a time: whether anything in it needs a second.
struct URLMarks {
  /// Whether there may be a byte that is encoded, that no URL may hold, that is not ASCII, or that begins a query or
  /// a fragment.
  @inline(__always)
  static func hasUnusual(_ url: URLBytes) -> Bool {
    let count = url.count
    guard count >= 16 else {
      if count >= 8 {
        let words = SIMD2(TextKey.load(url.base, 0), TextKey.load(url.base, count &- 8))
        return isSet(look(words))
      }
      // Bytes that are not there are `!`: nothing unusual.
      var word: UInt64 = 0x2A2A_2A2A_2A2A_2A2A
      for index in 0..<count { word = word &<< 8 | UInt64(url.base[index]) }
      return isSet(look(SIMD2(word, word)))
    }
    let raw = UnsafeRawPointer(url.base)
    var found = look(raw.loadUnaligned(fromByteOffset: count &- 16, as: SIMD2<UInt64>.self))
    var position = 0
    while position &+ 16 < count {
      found |= look(raw.loadUnaligned(fromByteOffset: position, as: SIMD2<UInt64>.self))
      position &+= 16
    }
    return isSet(found)
  }

  /// Whether there is a byte that is encoded, that no URL may hold, or that is not ASCII; at least eight there are.
  @inline(__always)
  static func hasSpecial(_ url: URLBytes) -> Bool {
    var found = special(TextKey.load(url.base, url.count &- 8))
    var position = 0
    while position &+ 8 < url.count {
      found |= special(TextKey.load(url.base, position))
      position &+= 8
    }
    return found & (0x80 &* ones) != 0
  }

  @inline(__always)
  private static func special(_ word: UInt64) -> UInt64 {
    let deletes = word ^ (0x7F &* ones)
    let percents = word ^ (0x25 &* ones)
    let backslashes = word ^ (0x5C &* ones)
    return ((word &- 0x21 &* ones) & ~word) | word | ((deletes &- ones) & ~deletes)
      | ((percents &- ones) & ~percents) | ((backslashes &- ones) & ~backslashes)
  }

  /// The first place from `start` on where one of two bytes stands; the end if there is none.
  @inline(__always)
  static func first(_ one: UInt8, _ other: UInt8, in url: URLBytes, from start: Int) -> Int {
    var position = start
    while position &+ 8 <= url.count {
      let word = TextKey.load(url.base, position)
      let (first, second) = (word ^ (UInt64(one) &* ones), word ^ (UInt64(other) &* ones))
      // The lowest bit that is set is right; those above it may not be.
      let found = (((first &- ones) & ~first) | ((second &- ones) & ~second)) & (0x80 &* ones)
      if found != 0 { return position &+ found.trailingZeroBitCount &>> 3 }
      position &+= 8
    }
    while position < url.count, url.base[position] != one, url.base[position] != other { position &+= 1 }
    return position
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Sets the top bit of bytes that are unusual, and now and then of the byte after one.
  ///
  /// `w - 1` borrows from the top bit where a byte is zero, and where a byte before it is.
  @inline(__always)
  private static func look(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
    let controls = words &- SIMD2(repeating: 0x21 &* ones)
    // `?` and DEL, `\`, and in one the quartet `!`, `#`, `%`, `'`.
    let questions = (words | SIMD2(repeating: 0x40 &* ones)) ^ SIMD2(repeating: 0x7F &* ones)
    let quartet = (words & SIMD2(repeating: 0xF9 &* ones)) ^ SIMD2(repeating: 0x21 &* ones)
    let backslashes = words ^ SIMD2(repeating: 0x5C &* ones)
    let one = SIMD2(repeating: ones)
    let found =
      (controls & ~words) | words | ((questions &- one) & ~questions) | ((quartet &- one) & ~quartet)
      | ((backslashes &- one) & ~backslashes)
    return found & SIMD2(repeating: 0x80 &* ones)
  }

  @inline(__always)
  private static func isSet(_ flags: SIMD2<UInt64>) -> Bool { flags.x | flags.y != 0 }
}

/// The second look, at each byte.
struct URLCheck {
  /// Whether nothing in the URL is encoded, or is not ASCII.
  private(set) var isPlain = true
  /// Where the query begins, with its mark, and where the fragment; the end if there is none.
  private(set) var query: Int
  private(set) var fragment: Int
  private(set) var items = 0

  /// Looks at a URL; `nil` for what no URL may hold.
  init?(_ url: URLBytes) {
    (query, fragment) = (url.count, url.count)
    for position in 0..<url.count {
      let byte = url.base[position]
      switch ByteKind.of(byte) {
      case .usual: continue
      case .forbidden: return nil
      case .encoded: isPlain = false
      case .question: if fragment == url.count, query == url.count { (query, items) = (position, 1) }
      case .number: if fragment == url.count { fragment = position }
      case .ampersand: if query < position, fragment == url.count { items &+= 1 }
      }
    }
    if query > fragment { query = url.count }
    if !isPlain, !Self.isSound(url) { return nil }
  }

  /// Whether every `%` is sound and the decoded bytes are UTF-8 without what no URL may hold.
  private static func isSound(_ url: URLBytes) -> Bool {
    var text = UTF8Check()
    var position = 0
    var before: UInt8 = 0
    while position < url.count {
      let byte = url.base[position]
      if before == 0xC2, byte < 0xA0, byte >= 0x80 { return false }
      before = byte
      if byte == UInt8(ascii: "%") {
        guard position + 2 < url.count, url.base[position + 1].hexValue != nil,
          url.base[position + 2].hexValue != nil
        else { return false }
      }
      let decoded = url.next(&position, .path)
      guard decoded != 0, text.accept(decoded) else { return false }
    }
    return text.isComplete
  }
}

/// What a byte is to the second look.
enum ByteKind: UInt8 {
  case usual
  case forbidden
  case encoded
  case question
  case number
  case ampersand

  @inline(__always)
  static func of(_ byte: UInt8) -> ByteKind {
    if byte >= UInt8(ascii: "@") {
      // Letters first.
      if byte < 0x7F { return byte == UInt8(ascii: "\\") ? .forbidden : .usual }
      return byte == 0x7F ? .forbidden : .encoded
    }
    switch byte {
    case UInt8(ascii: "?"): return .question
    case UInt8(ascii: "#"): return .number
    case UInt8(ascii: "%"): return .encoded
    case UInt8(ascii: "&"): return .ampersand
    default: return byte <= 0x20 ? .forbidden : .usual
    }
  }
}
