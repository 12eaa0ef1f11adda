// SPDX-License-Identifier: Apache-2.0
/// A set of Unicode scalars, stored as sorted ranges that neither touch nor overlap.
///
/// No set contains NUL or surrogates, because no text of a URL contains them.
package struct ScalarSet: Hashable, Sendable {
  package let ranges: [ClosedRange<UInt32>]

  /// The set of all scalars that a text can contain.
  package static let all = ScalarSet([1...0x10FFFF])
  /// The decimal digits of ASCII.
  package static let digits = ScalarSet("0"..."9")
  /// The white space of ASCII.
  package static let spaces = ScalarSet([9...13, 0x20...0x20])
  /// The letters and digits of ASCII, and `_`.
  package static let word = ScalarSet("0"..."9", "A"..."Z", "_"..."_", "a"..."z")

  package init(_ ranges: [ClosedRange<UInt32>]) {
    var clipped: [ClosedRange<UInt32>] = []
    for range in ranges {
      for part in [1...0xD7FF, 0xE000...0x10FFFF] as [ClosedRange<UInt32>] where range.overlaps(part) {
        clipped.append(range.clamped(to: part))
      }
    }
    clipped.sort { $0.lowerBound < $1.lowerBound }
    var merged: [ClosedRange<UInt32>] = []
    for range in clipped {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
  }

  init(_ ranges: ClosedRange<Unicode.Scalar>...) {
    self.init(ranges.map { $0.lowerBound.value...$0.upperBound.value })
  }

  /// The complement of the set.
  package var inverted: ScalarSet {
    var next: UInt32 = 0
    var others: [ClosedRange<UInt32>] = []
    for range in ranges {
      if range.lowerBound > next { others.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= 0x10FFFF { others.append(next...0x10FFFF) }
    return ScalarSet(others)
  }

  func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }
}
