/// Cuts a path at its slashes, in bytes of which none is encoded and all are ASCII.
struct PathSplitter {
  let bytes: UnsafePointer<UInt8>
  /// Where the path ends.
  let end: Int
  /// Where the bytes end that may be read: there, or at zeros behind it; 16 at least.
  let limit: Int

  /// What came of cutting, as one number: how many tokens there are, and whether one of them is a dot segment.
  struct Outcome {
    static let full = Outcome(bits: -1)
    let bits: Int

    @inline(__always) var isFull: Bool { bits < 0 }
    @inline(__always) var count: Int { bits &>> 1 }
    @inline(__always) var hasDots: Bool { bits & 1 != 0 }
  }

  /// Cuts at every slash from `start` on.
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
      // Behind the end there are zeros.
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

  /// A segment of sixteen bytes or more.
  @inline(never)
  private func long(from begin: Int) -> (key: SegmentKey, length: Int) {
    let place = ByteSearch(UInt8(ascii: "/")).place(in: bytes, from: begin &+ 16, to: end)
    return (SegmentKey.key(bytes, begin, place, limit: limit), place &- begin)
  }

  /// The top bit of each byte of ASCII that is a slash.
  @inline(__always)
  private static func slashes(in word: UInt64) -> UInt64 {
    // A byte that is zero now is the only one that leaves the top bit as it is.
    (0x8080_8080_8080_8080 &- (word ^ 0x2F2F_2F2F_2F2F_2F2F)) & 0x8080_8080_8080_8080
  }

  /// The bits of the bytes below the lowest of `places`.
  @inline(__always)
  private static func below(_ places: UInt64) -> UInt64 { (places ^ (places &- 1)) &>> 8 }
}
