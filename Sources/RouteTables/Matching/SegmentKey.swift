// SPDX-License-Identifier: Apache-2.0
/// The key of a text in the index: a text of up to sixteen bytes itself, or the hash and length of a longer text.
///
/// The writer of a URL can choose a text for a hash. So the hash only finds the slot of a table, and a comparison of the bytes
/// decides whether two long texts are equal.
struct SegmentKey: Hashable, BitwiseCopyable {
  /// The maximum length of a text that is its own key, in bytes.
  static let longest = 16
  /// The key of the empty text.
  static let empty = SegmentKey(low: 0)

  /// The first eight bytes, in little-endian order; for a longer text, its hash.
  var low: UInt64
  /// The next eight bytes; for a longer text, its length and a top byte that never occurs in UTF-8.
  var high: UInt64 = 0

  /// Indicates whether the key may be the hash of a longer text.
  @inline(__always) var mayBeHash: Bool { Int64(bitPattern: high) < 0 }
  /// Indicates whether the text is `.` or `..`.
  @inline(__always) var isDots: Bool {
    // The comparison of the first byte excludes almost all other texts.
    low & 0xFF == 0x2E && high == 0 && (low == 0x2E || low == 0x2E2E)
  }

  /// Returns the key of the bytes in `start..<end` as written; reads nothing beyond `limit`, which is at least 16.
  @inline(__always)
  static func key(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, limit: Int) -> SegmentKey {
    let count = end &- start
    return count > longest
      ? hash(bytes, from: start, to: end) : window(bytes, start, limit: limit).first(count)
  }

  /// Returns the sixteen bytes from `start` on, with zeros from `limit` on.
  @inline(__always)
  static func window(_ bytes: UnsafePointer<UInt8>, _ start: Int, limit: Int) -> SegmentKey {
    if start &+ 16 <= limit { return SegmentKey(low: load(bytes, start), high: load(bytes, start &+ 8)) }
    // Load the last sixteen bytes before `limit` and shift out those before `start`, because a load must not read beyond
    // `limit`.
    let (low, high) = (load(bytes, limit &- 16), load(bytes, limit &- 8))
    let excess = UInt64(truncatingIfNeeded: (start &+ 16 &- limit) &* 8)
    if excess >= 64 { return SegmentKey(low: excess == 128 ? 0 : high &>> (excess &- 64)) }
    return SegmentKey(low: low &>> excess | high &<< (64 &- excess), high: high &>> excess)
  }

  /// Returns the offset of the first occurrence of a byte, or `other`; all sixteen bytes must be ASCII.
  @inline(__always)
  func place(of byte: UInt8, orElse other: Int) -> Int {
    let pattern = UInt64(byte) &* 0x0101_0101_0101_0101
    let top: UInt64 = 0x8080_8080_8080_8080
    // Only a byte that is zero after the XOR has its top bit set after the subtraction.
    let first = (top &- (low ^ pattern)) & top
    if first != 0 { return first.trailingZeroBitCount &>> 3 }
    let second = (top &- (high ^ pattern)) & top
    return second != 0 ? 8 &+ (second.trailingZeroBitCount &>> 3) : other
  }

  /// Returns the first `count` bytes of a text that is its own key.
  @inline(__always)
  func first(_ count: Int) -> SegmentKey {
    if count >= 8 {
      return count == 16 ? self : SegmentKey(low: low, high: high & Self.mask(count &- 8))
    }
    return SegmentKey(low: low & Self.mask(count))
  }

  /// Returns a mask of the `count` lowest bytes; `count` is less than eight.
  @inline(__always)
  static func mask(_ count: Int) -> UInt64 {
    (1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1
  }

  /// Returns the key of a text of more than sixteen bytes.
  @inline(never)
  static func hash(_ bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> SegmentKey {
    var hash: UInt64 = 0
    var position = start
    while position &+ 8 < end {
      hash = mix(hash, load(bytes, position))
      position &+= 8
    }
    return hashed(mix(hash, load(bytes, end &- 8)), end &- start)
  }

  @inline(__always)
  static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ (mixed >> 29)
  }

  @inline(__always)
  static func hashed(_ hash: UInt64, _ count: Int) -> SegmentKey {
    SegmentKey(low: hash, high: UInt64(truncatingIfNeeded: count) | 0xFF00_0000_0000_0000)
  }

  @inline(__always)
  static func load(_ bytes: UnsafePointer<UInt8>, _ position: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self))
  }
}

/// A builder of the key of a text that is read byte by byte.
struct SegmentKeyReader {
  private var key = SegmentKey.empty
  private var hash: UInt64 = 0
  /// The last eight bytes.
  private var last: UInt64 = 0
  private var count = 0

  /// Returns the key of a text.
  static func key(_ text: [UInt8]) -> SegmentKey {
    guard text.count > SegmentKey.longest else {
      var words: (low: UInt64, high: UInt64) = (0, 0)
      withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: text) }
      return SegmentKey(low: UInt64(littleEndian: words.low), high: UInt64(littleEndian: words.high))
    }
    var reader = SegmentKeyReader()
    for byte in text { reader.append(byte) }
    return reader.value
  }

  /// The key of the text so far.
  var value: SegmentKey { count > SegmentKey.longest ? .hashed(SegmentKey.mix(hash, last), count) : key }
  var isShort: Bool { count <= SegmentKey.longest }

  mutating func append(_ byte: UInt8) {
    // Add a complete word to the hash only when another byte follows, because the last word is added separately.
    if count & 7 == 0, count > 0 { hash = SegmentKey.mix(hash, last) }
    last = last >> 8 | UInt64(byte) << 56
    if count < 8 {
      key.low |= UInt64(byte) << UInt64(count * 8)
    } else if count < 16 {
      key.high |= UInt64(byte) << UInt64(count * 8 - 64)
    }
    count += 1
  }
}
