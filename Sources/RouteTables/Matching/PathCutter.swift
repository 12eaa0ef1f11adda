/// Cuts a path in which nothing is encoded into tokens.
enum PathCutter {
  /// What came of it, as one number: how many tokens there are, and whether one of them is a dot segment.
  struct Outcome {
    static let full = Outcome(bits: -1)
    let bits: Int

    var isFull: Bool { bits < 0 }
    var count: Int { bits &>> 1 }
    var hasDots: Bool { bits & 1 != 0 }
  }

  /// Cuts at every slash from `start` up to `end`; never reads at `limit` or beyond.
  @inline(never)
  static func cut(
    _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, limit: Int,
    into tokens: UnsafeMutablePointer<MatchToken>,
    room: Int
  ) -> Outcome {
    var begin = start
    var count = 0
    var dots = 0
    while count < room {
      let left = end &- begin
      let word: UInt64
      if begin &+ 8 <= limit {
        word = TextKey.load(base, begin)
      } else {
        word = TextKey.word(base, begin, left, limit: limit)
      }
      let slashes = word ^ 0x2F2F_2F2F_2F2F_2F2F
      // The top bit of each byte that is a slash; of those above the lowest it may be set all the same.
      let found = (slashes &- 0x0101_0101_0101_0101) & ~slashes & 0x8080_8080_8080_8080
      var length = found.trailingZeroBitCount &>> 3
      var key: UInt64
      if length < left, found != 0 {
        // The bits below that of the slash.
        key = word & (((found & (0 &- found)) &>> 7) &- 1)
      } else if left <= 8 {
        length = left
        key =
          left == 0
          ? 0
          : (word &<< UInt64(truncatingIfNeeded: 64 &- left &* 8))
            &>> UInt64(truncatingIfNeeded: 64 &- left &* 8)
      } else {
        length = Self.length(base, begin, end)
        key = TextKey.key(base, begin, begin &+ length, limit: limit)
      }
      if key | 0x2E00 == 0x2E2E { dots = 1 }
      tokens[count] = MatchToken(key: key, start: begin, end: begin &+ length, isWritten: true)
      count &+= 1
      begin &+= length &+ 1
      if begin > end { return Outcome(bits: count &<< 1 | dots) }
    }
    return .full
  }

  /// Whether a segment begins with a dot.
  static func mayHaveDots(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    var before = UInt8(ascii: "/")
    for position in start..<max(start, end) {
      if base[position] == UInt8(ascii: "."), before == UInt8(ascii: "/") { return true }
      before = base[position]
    }
    return false
  }

  /// The length and the key of a segment that has eight bytes or more.
  @inline(never)
  static func longSegment(
    _ base: UnsafePointer<UInt8>, _ begin: Int, _ end: Int, limit: Int
  ) -> (length: Int, key: UInt64) {
    let length = length(base, begin, end)
    return (length, TextKey.key(base, begin, begin &+ length, limit: limit))
  }

  /// How long a segment is that has eight bytes or more.
  private static func length(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
    var position = start &+ 8
    while position &+ 8 <= end {
      let slashes = TextKey.load(base, position) ^ 0x2F2F_2F2F_2F2F_2F2F
      let found = (slashes &- 0x0101_0101_0101_0101) & ~slashes & 0x8080_8080_8080_8080
      if found != 0 { return position &+ found.trailingZeroBitCount &>> 3 &- start }
      position &+= 8
    }
    while position < end, base[position] != UInt8(ascii: "/") { position &+= 1 }
    return position &- start
  }
}
