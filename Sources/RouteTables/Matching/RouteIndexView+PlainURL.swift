// SPDX-License-Identifier: Apache-2.0
extension RouteIndexView {
  /// Returns the winning variant of a URL without encoded characters whose authority is a literal of the table.
  ///
  /// Returns `unread` for any other URL, for a scheme with other authorities than literal ones, and if the buffer for the query is too
  /// small. The result is undefined then.
  @inline(never)
  func findPlain(
    _ url: URLBytes, scratch: MatchScratch, context: MatchState.Context,
    found: UnsafeMutablePointer<FoundRoute>
  ) -> UInt32 {
    guard url.count >= 16, url.count <= RouteLimits.bytes else { return RouteIndex.unread }
    let scheme = SegmentKey(low: SegmentKey.load(url.base, 0), high: SegmentKey.load(url.base, 8))
    let colon = scheme.place(of: UInt8(ascii: ":"), orElse: 16)
    guard colon < 9, SegmentKey.load(url.base, colon) & 0xFF_FFFF == 0x2F_2F3A else {
      return RouteIndex.unread
    }
    let schemeNode = node(after: header.pointee.root, scheme.first(colon))
    // Trailing zero bytes do not change a key, so they are excluded here.
    guard colon > 0, url.base[colon &- 1] != 0 else { return RouteIndex.unread }
    // The node of the scheme must have no edges other than literal authorities.
    guard schemeNode != 0, node(schemeNode).pointee.mask == 0, node(schemeNode).pointee.special != 0 else {
      return RouteIndex.unread
    }
    let authority = url.textToSlash(from: colon &+ 3)
    let paths = node(after: node(schemeNode).pointee.special, authority, of: url, form: .host)
    // A text in the table is plain, so that an authority found there is plain too.
    guard paths != 0, url.base[authority.end &- 1] != 0, let ends = URLPrescan.ends(url, from: authority.end),
      ends.path >= 16,
      ends.query &- ends.path <= RouteLimits.queryItems
    else { return RouteIndex.unread }
    let cutter = PathSplitter(bytes: url.base, end: ends.path, limit: ends.path)
    let outcome = cutter.cut(
      from: min(authority.end &+ 1, ends.path), into: scratch.tokens, room: scratch.tokenCount)
    guard !outcome.isFull, !outcome.hasDots else { return RouteIndex.unread }
    var walk = MatchState(
      url: url, tokens: scratch.tokens, count: outcome.count, pending: scratch.pending,
      query: QueryScan(plain: url, ends, scratch, keysHavePlus: header.pointee.keysHavePlus), context: context
    )
    walkPath(paths, &walk)
    if header.pointee.barePaths != 0 { walkPath(header.pointee.barePaths, &walk) }
    if walk.best != RouteIndex.none { writeCaptures(labelCount: 0, &walk, to: found) }
    // An optional capture may be the first to read the query.
    return walk.query.isFull ? RouteIndex.unread : walk.best
  }
}

extension URLBytes {
  /// Returns the text from `start` to the first slash or the end; the URL must have at least sixteen bytes.
  ///
  /// If the text is not ASCII, it can end early or miss the slash. Then it is in no table, or the check of the following
  /// bytes rejects the URL.
  @inline(__always)
  fileprivate func textToSlash(from start: Int) -> MatchToken {
    let window = SegmentKey.window(base, start, limit: count)
    let place = window.place(of: UInt8(ascii: "/"), orElse: 16)
    if place < 16 {
      return MatchToken(key: window.first(place), start: start, end: start &+ place, isWritten: true)
    }
    let end = ByteSearch(UInt8(ascii: "/")).place(in: base, from: start &+ 16, to: count)
    return MatchToken(key: key(start, end), start: start, end: end, isWritten: true)
  }
}
