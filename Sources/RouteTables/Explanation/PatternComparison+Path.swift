/// The comparison of the path, segment by segment.
extension PatternComparison {
  mutating func comparePath() {
    let path = form.path(of: pattern)
    let segments = reading.segments(under: form.opening)
    let rests = (path.rest == nil ? 0 : 1) + (path.secondRest == nil ? 0 : 1)
    let least = path.prefix.count + path.anchor.count + path.suffix.count + rests
    for (index, part) in path.prefix.enumerated() where index < segments.count {
      compare(part, segments[index], .segment(index + 1), .path)
    }
    if segments.count < least { return missSegments(least - segments.count, segments) }
    guard let rest = path.rest else { return missEnd(after: path.prefix.count, segments) }
    for (index, part) in path.suffix.reversed().enumerated() {
      let number = segments.count - 1 - index
      compare(part, segments[number], .segment(number + 1), .path)
    }
    let middle = segments.indices.dropFirst(path.prefix.count).dropLast(path.suffix.count)
    guard let second = path.secondRest else { return compareRest(rest, middle, segments) }
    compareRests(rest, path.anchor, second, middle, segments)
  }

  /// Records that segments are missing, at the end or between a catch-all and the segments after it.
  private mutating func missSegments(_ count: Int, _ segments: [DecodedURL.Piece]) {
    let next = form.segments.dropFirst(segments.count).first
    miss(.path, nil, .end(missing: next ?? PatternPart()), count: count)
  }

  /// Records that there are too many segments.
  private mutating func missEnd(after count: Int, _ segments: [DecodedURL.Piece]) {
    let others = segments.dropFirst(count)
    guard let first = others.first, let last = others.last else { return }
    // The mismatch includes the slash before the additional segments.
    let start = count == 0 ? first.range.lowerBound : max(0, first.range.lowerBound - 1)
    miss(.path, start..<max(start, last.range.upperBound), .end(missing: nil), count: others.count)
  }

  private mutating func compareRest(_ number: Int, _ own: Range<Int>, _ segments: [DecodedURL.Piece]) {
    let part = PatternPart(pieces: [.capture(number)])
    for index in own {
      hold(part, segments[index].range)
      guard !takes(number, segments[index]) else { continue }
      miss(.segment(index + 1), segments[index].range, .part(.path), part: part)
    }
  }

  /// Compares two catch-alls and the segments between them, aligned so that there are the fewest mismatches.
  private mutating func compareRests(
    _ first: Int, _ anchor: ArraySlice<PatternPart>, _ second: Int, _ own: Range<Int>,
    _ segments: [DecodedURL.Piece]
  ) {
    let starts = (own.lowerBound + 1)..<(own.upperBound - anchor.count)
    // The number of mismatches before each segment, for each of the two catch-alls.
    let mismatchCount = [first, second].map { rest in
      own.reduce(into: [0]) { $0.append(($0.last ?? 0) + (takes(rest, segments[$1]) ? 0 : 1)) }
    }
    func count(_ start: Int) -> Int {
      let (before, after) = (start - own.lowerBound, start + anchor.count - own.lowerBound)
      return mismatchCount[0][before] + mismatchCount[1][own.count] - mismatchCount[1][after]
        + zip(anchor, segments[start...]).count { !pattern.takes($0, $1.text, .path) }
    }
    guard var best = starts.first else { return }
    var least = count(best)
    for start in starts.dropFirst() where least > 0 {
      let own = count(start)
      if own < least { (best, least) = (start, own) }
    }
    compareRest(first, own.lowerBound..<best, segments)
    for (index, part) in anchor.enumerated() {
      compare(part, segments[best + index], .segment(best + index + 1), .path)
    }
    compareRest(second, (best + anchor.count)..<own.upperBound, segments)
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
