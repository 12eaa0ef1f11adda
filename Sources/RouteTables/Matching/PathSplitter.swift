// SPDX-License-Identifier: Apache-2.0
/// A splitter of a path at its slashes, for ASCII bytes without percent-encoding.
struct PathSplitter {
  let bytes: UnsafePointer<UInt8>
  /// The end of the path.
  let end: Int
  /// The end of the readable bytes, at least 16: equal to `end`, or behind zeros that follow it.
  let limit: Int

  /// The number of tokens, and whether one of them is a dot segment, packed into one integer.
  struct Outcome {
    static let full = Outcome(bits: -1)
    let bits: Int

    @inline(__always) var isFull: Bool { bits < 0 }
    @inline(__always) var count: Int { bits &>> 1 }
    @inline(__always) var hasDots: Bool { bits & 1 != 0 }
  }

  /// Splits the path at each slash from `start` on; the outcome is `full` if there are more segments than `room`.
  @inline(never)
  func cut(from start: Int, into tokens: UnsafeMutablePointer<MatchToken>, room: Int) -> Outcome {
    var begin = start
    var token = tokens
    var left = room
    var dots = 0
    while begin &+ 16 <= end {
      guard left > 0 else { return .full }
      var key = SegmentKey(low: SegmentKey.load(bytes, begin))
      var length: Int
      let slashes = Self.slashes(in: key.low)
      if slashes != 0 {
        key.low &= Self.below(slashes)
        length = slashes.trailingZeroBitCount &>> 3
        if key.isDots { dots = 1 }
      } else {
        key.high = SegmentKey.load(bytes, begin &+ 8)
        let slashes = Self.slashes(in: key.high)
        key.high &= Self.below(slashes)
        length = 8 &+ (slashes.trailingZeroBitCount &>> 3)
        if slashes == 0 { (key, length) = long(from: begin) }
      }
      token.pointee = MatchToken(key: key, start: begin, end: begin &+ length, isWritten: true)
      token += 1
      left &-= 1
      begin &+= length &+ 1
    }
    while begin <= end {
      guard left > 0 else { return .full }
      // The bytes after the end are zeros, so a window that extends beyond the end is the key of a short segment.
      var key = SegmentKey.window(bytes, begin, limit: limit)
      var length = end &- begin
      let slashes = Self.slashes(in: key.low)
      if slashes != 0 {
        key = SegmentKey(low: key.low & Self.below(slashes))
        length = slashes.trailingZeroBitCount &>> 3
      } else if key.high != 0 {
        let slashes = Self.slashes(in: key.high)
        if slashes != 0 {
          key.high &= Self.below(slashes)
          length = 8 &+ (slashes.trailingZeroBitCount &>> 3)
        }
      }
      if key.isDots { dots = 1 }
      token.pointee = MatchToken(key: key, start: begin, end: begin &+ length, isWritten: true)
      token += 1
      left &-= 1
      begin &+= length &+ 1
    }
    return Outcome(bits: (room &- left) &<< 1 | dots)
  }

  /// Returns the key and length of a segment of sixteen bytes or more.
  @inline(never)
  private func long(from begin: Int) -> (key: SegmentKey, length: Int) {
    let place = ByteSearch(UInt8(ascii: "/")).place(in: bytes, from: begin &+ 16, to: end)
    return (SegmentKey.key(bytes, from: begin, to: place, limit: limit), place &- begin)
  }

  /// Returns the top bit of each byte that is a slash; every byte must be ASCII.
  @inline(__always)
  private static func slashes(in word: UInt64) -> UInt64 {
    // Only a byte that is zero after the XOR has its top bit set after the subtraction.
    (0x8080_8080_8080_8080 &- (word ^ 0x2F2F_2F2F_2F2F_2F2F)) & 0x8080_8080_8080_8080
  }

  /// Returns a mask of the bytes below the lowest set top bit; `places` must not be 0.
  @inline(__always)
  private static func below(_ places: UInt64) -> UInt64 { (places ^ (places &- 1)) &>> 8 }
}
