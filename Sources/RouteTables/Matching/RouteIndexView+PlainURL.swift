extension RouteIndexView {
  /// Finds the shape of a URL of the usual kind: nothing in it is encoded, and its authority is one of the scheme's, which
  /// has no others.
  ///
  /// Returns `unread`, and has decided nothing, for any other.
  @inline(never)
  func findPlain(
    _ url: URLBytes, _ room: MatchScratch, _ context: MatchState.Context,
    _ found: UnsafeMutablePointer<FoundRoute>
  ) -> UInt32 {
    guard url.count >= 16, url.count <= RouteLimits.bytes else { return RouteIndex.unread }
    let scheme = SegmentKey(low: SegmentKey.load(url.base, 0), high: SegmentKey.load(url.base, 8))
    let colon = scheme.place(of: UInt8(ascii: ":"), orElse: 16)
    guard colon < 9, SegmentKey.load(url.base, colon) & 0xFF_FFFF == 0x2F_2F3A else {
      return RouteIndex.unread
    }
    let schemeNode = node(after: header.pointee.root, scheme.first(colon))
    // Zeros at the end of a text are nothing in its key.
    guard colon > 0, url.base[colon &- 1] != 0 else { return RouteIndex.unread }
    // Where there is no other way on than authorities.
    guard schemeNode != 0, node(schemeNode).pointee.mask == 0, node(schemeNode).pointee.special != 0 else {
      return RouteIndex.unread
    }
    let authority = url.textToSlash(from: colon &+ 3)
    let paths = node(after: node(schemeNode).pointee.special, authority, url, .host)
    // What stands in the table is plain.
    guard paths != 0, url.base[authority.end &- 1] != 0, let ends = URLPrescan.ends(url, from: authority.end),
      ends.path >= 16,
      ends.query &- ends.path <= RouteLimits.queryItems
    else { return RouteIndex.unread }
    let cutter = PathSplitter(bytes: url.base, end: ends.path, limit: ends.path)
    let outcome = cutter.cut(
      from: min(authority.end &+ 1, ends.path), into: room.tokens, room: room.tokenCount)
    guard !outcome.isFull, !outcome.hasDots else { return RouteIndex.unread }
    var walk = MatchState(
      url: url, tokens: room.tokens, count: outcome.count, pending: room.pending,
      query: QueryScan(plain: url, ends, room, keysHavePlus: header.pointee.keysHavePlus), context: context)
    walkPath(paths, &walk)
    if header.pointee.barePaths != 0 { walkPath(header.pointee.barePaths, &walk) }
    if walk.query.isFull { return RouteIndex.unread }
    if walk.best != RouteIndex.none { tellCaptures(0, &walk, found) }
    return walk.best
  }
}

extension URLBytes {
  /// The text from `start` up to the first slash, or the end; at least sixteen bytes there are.
  ///
  /// Where it is not ASCII it may end at such a byte, or miss the slash: what follows is not plain then, or it is of no table.
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
