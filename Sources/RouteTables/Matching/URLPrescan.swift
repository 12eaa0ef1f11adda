// SPDX-License-Identifier: Apache-2.0
/// A SIMD prescan of a URL, sixteen bytes at a time, that finds URLs which need `URLValidator`.
enum URLPrescan {
  /// Returns whether the URL may contain a byte that is not ordinary; the URL must have at least sixteen bytes.
  ///
  /// Bytes that are not ordinary: `%`, bytes that no URL can contain, bytes outside ASCII, and `?` and `#`.
  @inline(__always)
  static func hasUnusual(_ url: URLBytes) -> Bool {
    var found = unusual(block(url, url.count &- 16))
    var position = 0
    while position &+ 16 < url.count {
      found .|= unusual(block(url, position))
      position &+= 16
    }
    return isAny(found)
  }

  /// Returns whether a URL of fewer than sixteen bytes may contain a byte that is not ordinary.
  @inline(__always)
  static func hasUnusual(_ window: SegmentKey, _ count: Int) -> Bool {
    // Fill the unused bytes with a letter, because zeros count as unusual.
    let filler: UInt64 = 0x4141_4141_4141_4141
    let low = count < 8 ? window.low | filler & ~SegmentKey.mask(count) : window.low
    let high = window.high | filler & ~SegmentKey.mask(max(count &- 8, 0))
    return isAny(unusual(unsafeBitCast(SIMD2(low, high), to: SIMD16<UInt8>.self)))
  }

  /// Returns all bytes of a URL with fewer than sixteen bytes, followed by zeros.
  @inline(__always)
  static func window(short url: URLBytes) -> SegmentKey {
    let count = url.count
    if count > 8 {
      let excess = UInt64(truncatingIfNeeded: (16 &- count) &* 8)
      return SegmentKey(
        low: SegmentKey.load(url.base, 0), high: SegmentKey.load(url.base, count &- 8) &>> excess)
    }
    var low: UInt64 = 0
    var position = count
    while position > 0 {
      position &-= 1
      low = low &<< 8 | UInt64(url.base[position])
    }
    return SegmentKey(low: low)
  }

  /// Returns the end of the path, at `?`, `#` or the end of the URL, and the end of the query, at `#` or the end.
  ///
  /// Returns `nil` if the URL may contain a byte that is encoded, that no URL can contain, or that is outside ASCII. The
  /// URL must have at least sixteen bytes.
  @inline(__always)
  static func ends(_ url: URLBytes, from start: Int = 0) -> (path: Int, query: Int)? {
    let last = url.count &- 16
    var position = min(start, last)
    while !isAny(unusual(block(url, position))) {
      if position == last { return (url.count, url.count) }
      position = min(position &+ 16, last)
    }
    let marks = ByteSearch(UInt8(ascii: "?"), UInt8(ascii: "#"))
    let end = marks.place(in: url.base, from: position, to: url.count)
    var numbers = SIMDMask<SIMD16<Int8>>(repeating: false)
    while true {
      let block = block(url, position)
      if isAny(special(block)) { return nil }
      numbers .|= block .== SIMD16(repeating: UInt8(ascii: "#"))
      if position == last { break }
      position = min(position &+ 16, last)
    }
    if !isAny(numbers) { return (end, url.count) }
    return (end, ByteSearch(UInt8(ascii: "#")).place(in: url.base, from: end, to: url.count))
  }

  @inline(__always)
  private static func block(_ url: URLBytes, _ position: Int) -> SIMD16<UInt8> {
    UnsafeRawPointer(url.base + position).loadUnaligned(as: SIMD16<UInt8>.self)
  }

  /// Returns the bytes that are not ordinary: `%`, forbidden and non-ASCII bytes, `?`, and also `!`, `#` and `'`.
  @inline(__always)
  private static func unusual(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    let signed = unsafeBitCast(block, to: SIMD16<Int8>.self)
    // `?` and DEL differ in one bit, `!`, `#`, `%` and `'` in two bits, so one comparison finds each group.
    return (signed .< SIMD16(repeating: 0x21))
      .| ((block | SIMD16(repeating: 0x40)) .== SIMD16(repeating: 0x7F))
      .| ((block & SIMD16(repeating: 0xF9)) .== SIMD16(repeating: 0x21))
      .| (block .== SIMD16(repeating: 0x5C))
  }

  /// Returns the bytes that are encoded, forbidden or outside ASCII.
  @inline(__always)
  private static func special(_ block: SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>> {
    let signed = unsafeBitCast(block, to: SIMD16<Int8>.self)
    return (signed .< SIMD16(repeating: 0x21)) .| (block .== SIMD16(repeating: 0x7F))
      .| (block .== SIMD16(repeating: 0x25)) .| (block .== SIMD16(repeating: 0x5C))
  }

  @inline(__always)
  private static func isAny(_ mask: SIMDMask<SIMD16<Int8>>) -> Bool {
    let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    return words.x | words.y != 0
  }
}

/// A validation of each byte of a URL, for URLs on which the prescan does not decide.
struct URLValidator {
  /// Indicates whether the URL is ASCII without percent-encoding.
  private(set) var isPlain = true
  /// The offsets of the `?` of the query and the `#` of the fragment; the length of the URL if there is none.
  private(set) var query: Int
  private(set) var fragment: Int
  private(set) var items = 0

  /// Validates a URL; `nil` if it contains a byte or an encoding that no URL can contain.
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

  /// Returns whether every `%` is followed by two digits, and the decoded bytes are UTF-8 without forbidden characters.
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

/// The class of a byte in the validation of a URL.
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
      // Letters are the most frequent bytes, so they are tested first.
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
