// SPDX-License-Identifier: Apache-2.0
/// A search for either of two bytes that compares eight bytes at a time.
struct ByteSearch {
  private let one: UInt64
  private let other: UInt64

  @inline(__always)
  init(_ one: UInt8, _ other: UInt8) {
    self.one = Self.ones &* UInt64(one)
    self.other = Self.ones &* UInt64(other)
  }

  @inline(__always)
  init(_ byte: UInt8) { self.init(byte, byte) }

  /// Returns the offset of the first match in `start..<end`, or `end` if neither byte occurs.
  @inline(__always)
  func place(in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position &+ 8 <= end {
      let found = places(in: SegmentKey.load(bytes, position))
      if found != 0 { return position &+ (found.trailingZeroBitCount &>> 3) }
      position &+= 8
    }
    guard position < end else { return end }
    guard end >= 8 else {
      let (first, second) = (UInt8(truncatingIfNeeded: one), UInt8(truncatingIfNeeded: other))
      while position < end, bytes[position] != first, bytes[position] != second { position &+= 1 }
      return position
    }
    // Shift the last eight bytes so that bytes already compared drop out; a load from `position` would read beyond `end`.
    let known = UInt64(truncatingIfNeeded: (position &+ 8 &- end) &* 8)
    let found = places(in: SegmentKey.load(bytes, end &- 8) &>> known)
    return min(end, position &+ (found.trailingZeroBitCount &>> 3))
  }

  /// Returns whether either byte occurs in `key`.
  @inline(__always)
  func isIn(_ key: SegmentKey) -> Bool { places(in: key.low) | places(in: key.high) != 0 }

  /// Returns a word in which the top bit of each matching byte is set.
  ///
  /// Bytes above the lowest match can have the bit set without matching, so only the lowest set bit is reliable.
  @inline(__always)
  private func places(in word: UInt64) -> UInt64 {
    let (first, second) = (word ^ one, word ^ other)
    return (((first &- Self.ones) & ~first) | ((second &- Self.ones) & ~second)) & (0x80 &* Self.ones)
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
}
