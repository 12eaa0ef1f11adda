/// Turns a text into a number: itself, if it is short, or a hash of it.
struct TextKey {
  /// The longest text that is its own key, in bytes.
  static let shortest = 8

  private var word: UInt64 = 0
  private var count = 0
  private var hash: UInt64 = 0

  /// The key of the text so far.
  var value: UInt64 {
    count <= Self.shortest ? (count == Self.shortest ? lastWord : word) : Self.finish(hash, word, count)
  }
  var isShort: Bool { count <= Self.shortest }
  private var lastWord: UInt64 = 0

  mutating func append(_ byte: UInt8) {
    word |= UInt64(byte) << UInt64((count & 7) * 8)
    count += 1
    if count & 7 == 0 {
      hash = Self.mix(hash, word)
      lastWord = word
      word = 0
    }
  }

  @inline(__always)
  static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ (mixed >> 29)
  }

  @inline(__always)
  static func finish(_ hash: UInt64, _ word: UInt64, _ count: Int) -> UInt64 {
    // No byte of UTF-8 is 0xFF: a hash is never a text.
    (mix(hash, word) ^ (UInt64(truncatingIfNeeded: count) &* 0xC2B2_AE3D_27D4_EB4F)) | 0xFF00_0000_0000_0000
  }

  /// The key of bytes as they stand.
  @inline(__always)
  static func key(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, limit: Int) -> UInt64 {
    let count = end - start
    if count <= 8 { return word(bytes, start, count, limit: limit) }
    return longKey(bytes, start, end, limit: limit)
  }

  @inline(never)
  private static func longKey(
    _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, limit: Int
  ) -> UInt64 {
    var hash: UInt64 = 0
    var position = start
    while end - position >= 8 {
      hash = mix(hash, load(bytes, position))
      position += 8
    }
    return finish(hash, word(bytes, position, end - position, limit: limit), end - start)
  }

  @inline(__always)
  static func load(_ bytes: UnsafePointer<UInt8>, _ position: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self))
  }

  /// Up to eight bytes, the first the lowest; never reads at `limit` or beyond.
  @inline(__always)
  static func word(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ count: Int, limit: Int) -> UInt64 {
    if count == 0 { return 0 }
    let unused = UInt64(truncatingIfNeeded: 64 &- count &* 8)
    if start + 8 <= limit { return (load(bytes, start) &<< unused) &>> unused }
    if limit >= 8 {
      // The last eight bytes there are hold these, and others before them.
      let excess = UInt64(truncatingIfNeeded: (start &+ 8 &- limit) &* 8)
      return ((load(bytes, limit - 8) &>> excess) &<< unused) &>> unused
    }
    var word: UInt64 = 0
    for index in 0..<count { word |= UInt64(bytes[start + index]) << UInt64(index * 8) }
    return word
  }
}
