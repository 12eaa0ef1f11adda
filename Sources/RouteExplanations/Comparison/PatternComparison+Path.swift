// SPDX-License-Identifier: Apache-2.0
import RouteTables
import RegularLanguages

/// The comparison of the path, segment by segment.
extension PatternComparison {
  mutating func comparePath() {
    let path = form.path(of: pattern)
    let segments = reading.segments(under: form.opening)
    let rests = (path.rest == nil ? 0 : 1) + (path.secondRest == nil ? 0 : 1)
    let least = path.prefix.count + path.anchor.count + path.suffix.count + rests
    for (index, part) in path.prefix.enumerated() where index < segments.count {
      compare(part, with: segments[index], at: .segment(index + 1), in: .path)
    }
    if segments.count < least { return missSegments(least - segments.count, segments) }
    guard let rest = path.rest else { return missEnd(after: path.prefix.count, segments) }
    for (index, part) in path.suffix.reversed().enumerated() {
      let number = segments.count - 1 - index
      compare(part, with: segments[number], at: .segment(number + 1), in: .path)
    }
    let middle = segments.indices.dropFirst(path.prefix.count).dropLast(path.suffix.count)
    guard let second = path.secondRest else { return compareRest(rest, range: middle, segments: segments) }
    compareRests(rest, anchor: path.anchor, second, range: middle, segments: segments)
  }

  /// Records that segments are missing, at the end or between a catch-all and the segments after it.
  private mutating func missSegments(_ count: Int, _ segments: [DecodedURL.Piece]) {
    let next = form.segments.dropFirst(segments.count).first
    addMismatch(at: .path, range: nil, expected: .end(missing: next ?? PatternPart()), count: count)
  }

  /// Records that there are too many segments.
  private mutating func missEnd(after count: Int, _ segments: [DecodedURL.Piece]) {
    let others = segments.dropFirst(count)
    guard let first = others.first, let last = others.last else { return }
    // The mismatch includes the slash before the additional segments.
    let start = count == 0 ? first.range.lowerBound : max(0, first.range.lowerBound - 1)
    addMismatch(
      at: .path, range: start..<max(start, last.range.upperBound), expected: .end(missing: nil),
      count: others.count)
  }

  private mutating func compareRest(_ number: Int, range: Range<Int>, segments: [DecodedURL.Piece]) {
    let part = PatternPart(pieces: [.capture(number)])
    for index in range {
      hold(part, segments[index].range)
      guard !takes(number, segments[index]) else { continue }
      addMismatch(at: .segment(index + 1), range: segments[index].range, expected: .part(.path), part: part)
    }
  }

  /// Compares two catch-alls and the segments between them, aligned so that there are the fewest mismatches.
  private mutating func compareRests(
    _ first: Int, anchor: ArraySlice<PatternPart>, _ second: Int, range: Range<Int>,
    segments: [DecodedURL.Piece]
  ) {
    let starts = (range.lowerBound + 1)..<(range.upperBound - anchor.count)
    // The number of mismatches before each segment, for each of the two catch-alls.
    let mismatchCount = [first, second].map { rest in
      range.reduce(into: [0]) { $0.append(($0.last ?? 0) + (takes(rest, segments[$1]) ? 0 : 1)) }
    }
    func count(_ start: Int) -> Int {
      let (before, after) = (start - range.lowerBound, start + anchor.count - range.lowerBound)
      return mismatchCount[0][before] + mismatchCount[1][range.count] - mismatchCount[1][after]
        + zip(anchor, segments[start...]).count { !pattern.takes($0, $1.text, in: .path) }
    }
    guard var best = starts.first else { return }
    var least = count(best)
    for start in starts.dropFirst() where least > 0 {
      let range = count(start)
      if range < least { (best, least) = (start, range) }
    }
    compareRest(first, range: range.lowerBound..<best, segments: segments)
    for (index, part) in anchor.enumerated() {
      compare(part, with: segments[best + index], at: .segment(best + index + 1), in: .path)
    }
    compareRest(second, range: (best + anchor.count)..<range.upperBound, segments: segments)
  }

  /// Indicates whether the path differs only by a missing or additional trailing slash.
  var isOffByTrailingSlash: Bool {
    guard let mismatch = mismatches.first(where: { $0.place == .path }),
      case .end(let missing) = mismatch.expected
    else { return false }
    if let missing { return missing.literal == [] }
    return mismatch.range.map { $0.count == 1 } ?? false
  }

  /// Returns whether a catch-all accepts the segment; an empty segment is accepted if its type allows it.
  private func takes(_ number: Int, _ segment: DecodedURL.Piece) -> Bool {
    pattern.captures[number].type.language.contains(segment.text)
  }
}
