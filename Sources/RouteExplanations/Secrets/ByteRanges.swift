// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A sorted set of byte ranges that neither overlap nor touch.
struct ByteRanges: Hashable {
  private(set) var ranges: [Range<Int>] = []

  mutating func insert(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.endIndex
    let end = ranges[first...].firstIndex { $0.lowerBound > range.upperBound } ?? ranges.endIndex
    let bounds = ranges[first..<end].reduce(range) {
      min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
    }
    ranges.replaceSubrange(first..<end, with: [bounds])
  }

  func overlaps(_ range: Range<Int>) -> Bool { ranges.contains { $0.overlaps(range) } }
}
