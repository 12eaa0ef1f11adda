// SPDX-License-Identifier: Apache-2.0
extension URLTokenizer {
  /// Splits the path into tokens, and resolves the dot segments of a rooted path.
  mutating func readSegments(_ start: Int, _ end: Int) -> Outcome {
    let first = labelCount
    guard let (count, hasDots) = cut(start, end, into: first) else {
      return tooManySegments(start, end) ? .invalid : .full
    }
    segmentCount = count
    if hasDots, opening != 3 { segmentCount = withoutDots(from: first, count: count, end: end) }
    return .read
  }

  /// Splits everything after `scheme:` and up to three slashes, into the tokens after those of the path.
  ///
  /// Returns the index of the first token and the number of tokens; `nil` if the token buffer is too small or there are too
  /// many segments.
  @inline(never)
  mutating func readJoinedSegments() -> (start: Int, count: Int)? {
    var position = schemeEnd + 1
    let limit = min(position + 3, path.upperBound)
    while position < limit, url.base[position] == UInt8(ascii: "/") { position += 1 }
    let first = labelCount + segmentCount
    guard let (count, hasDots) = cut(position, path.upperBound, into: first) else { return nil }
    return (first, hasDots ? withoutDots(from: first, count: count, end: path.upperBound) : count)
  }

  /// Splits at every slash; `nil` if the token buffer is too small or there are too many segments.
  private mutating func cut(_ start: Int, _ end: Int, into first: Int) -> (count: Int, hasDots: Bool)? {
    let limit = min(capacity &- first, RouteLimits.segments)
    if isPlain, end >= 16 {
      let cutter = PathSplitter(bytes: url.base, end: end, limit: end)
      let outcome = cutter.cut(from: start, into: tokens + first, room: limit)
      return outcome.isFull ? nil : (outcome.count, outcome.hasDots)
    }
    var count = 0
    var begin = start
    var hasDots = false
    while begin <= end {
      guard count < limit else { return nil }
      var slash = begin
      while slash < end, url.base[slash] != UInt8(ascii: "/") { slash &+= 1 }
      let token = encodedToken(from: begin, to: slash, form: .path)
      hasDots = hasDots || token.key.isDots
      tokens[first &+ count] = token
      count &+= 1
      begin = slash &+ 1
    }
    return (count, hasDots)
  }

  @inline(never)
  private mutating func tooManySegments(_ start: Int, _ end: Int) -> Bool {
    var count = 1
    for position in start..<end where url.base[position] == UInt8(ascii: "/") { count += 1 }
    return count > RouteLimits.segments
  }

  /// Resolves dot segments in the tokens and returns the new number of tokens.
  ///
  /// RFC 3986, section 5.2.4.
  @inline(never)
  private mutating func withoutDots(from first: Int, count: Int, end: Int) -> Int {
    var kept = 0
    var endsWithDots = false
    for index in 0..<count {
      let token = tokens[first + index]
      endsWithDots = token.key.isDots
      if !endsWithDots {
        tokens[first + kept] = token
        kept += 1
      } else if token.key.low == 0x2E2E, kept > 0 {
        kept -= 1
      }
    }
    if endsWithDots {
      tokens[first + kept] = MatchToken(key: .empty, start: end, end: end, isWritten: true)
      kept += 1
    }
    return kept
  }
}
