// SPDX-License-Identifier: Apache-2.0
/// The state of one match against the index.
struct MatchState {
  let url: URLBytes
  /// The labels of the host from the left, followed by the segments.
  let tokens: UnsafeMutablePointer<MatchToken>
  /// The token range of the segments to match: those of the path, or all segments after the scheme.
  var first = 0
  var count = 0
  /// The stack of pending alternatives in `walkStraight`.
  let pending: UnsafeMutablePointer<UInt64>
  /// The number of the best variant so far.
  var best = UInt32.max
  var query: QueryScan
  typealias Context = UnsafePointer<[String: String]>
  /// The values of the conditions; the pointer is valid only during the match.
  let context: Context
}

extension RouteIndexView {
  /// Returns the number of the best variant; `RouteIndex.none` if none matches, `RouteIndex.full` if the buffers are too
  /// small.
  @inline(__always)
  func best(
    _ scan: inout URLTokenizer, scratch: MatchScratch, context: MatchState.Context,
    found: UnsafeMutablePointer<FoundRoute>
  ) -> UInt32 {
    var walk = MatchState(
      url: scan.url, tokens: scratch.tokens, first: scan.labelCount, count: scan.segmentCount,
      pending: scratch.pending, query: QueryScan(scan, scratch, keysHavePlus: header.pointee.keysHavePlus),
      context: context)
    if scan.schemeEnd > 0, !walkScheme(&scan, &walk) { return RouteIndex.full }
    let bare = scan.opening == 3 ? header.pointee.opaquePaths : header.pointee.barePaths
    if bare != 0 { walkPath(bare, &walk) }
    if walk.best != RouteIndex.none { writeCaptures(labelCount: scan.labelCount, &walk, to: found) }
    return walk.query.isFull ? RouteIndex.full : walk.best
  }

  /// Matches everything after the scheme; returns `false` if the token buffer is too small.
  @inline(__always)
  private func walkScheme(_ scan: inout URLTokenizer, _ walk: inout MatchState) -> Bool {
    let scheme = node(after: header.pointee.root, scan.scheme, of: walk.url, form: .host)
    guard scheme != 0 else { return true }
    let opening = node(after: scheme, mark: scan.opening)
    if opening != 0 {
      if scan.opening == 1 {
        walkHost(from: opening, left: scan.labelCount, &scan, &walk)
      } else {
        walkPath(opening, &walk)
      }
    }
    // A node with one literal edge has no other edges.
    if walk.best != RouteIndex.none, node(scheme).pointee.mask == 0 { return true }
    let joined = node(after: scheme, mark: 4)
    guard joined != 0, node(joined).pointee.best < walk.best else { return true }
    guard let (start, count) = scan.readJoinedSegments() else {
      // A URL that exceeds the limit of segments matches nothing; otherwise the token buffer was too small.
      return scan.capacity > RouteLimits.segments
    }
    let own = (walk.first, walk.count)
    (walk.first, walk.count) = (start, count)
    walkPath(joined, &walk)
    (walk.first, walk.count) = own
    return true
  }

  /// Matches the host labels from right to left; `left` is the number of labels not matched yet.
  private func walkHost(from number: UInt32, left: Int, _ scan: inout URLTokenizer, _ walk: inout MatchState)
  {
    let node = node(number).pointee
    guard node.best < walk.best else { return }
    if left == 0 {
      walkEnd(of: number, &scan, &walk)
    } else {
      let token = walk.tokens[left &- 1]
      let next = self.node(after: number, token, of: walk.url, form: .host)
      if next != 0 { walkHost(from: next, left: left &- 1, &scan, &walk) }
      if node.branchCount == 0 { return }
    }
    for index in Int(node.branches)..<(Int(node.branches) &+ Int(node.branchCount)) {
      let branch = branches[index]
      if branch.best >= walk.best { return }
      switch branch.kind {
      case .any, .one, .affixes, .affixesOne:
        guard left > 0, takes(branch, walk.tokens[left &- 1], of: walk.url, form: .host) else { continue }
        walkHost(from: branch.node, left: left &- 1, &scan, &walk)
      case .rest, .all:
        guard left > 0 || branch.kind == .all,
          takesAll(branch.language, walk.tokens, count: left, of: walk.url)
        else {
          continue
        }
        walkEnd(of: branch.node, &scan, &walk)
      case .folded, .anchor: continue
      }
    }
  }

  private func takesAll(
    _ language: UInt32, _ tokens: UnsafeMutablePointer<MatchToken>, count: Int, of url: URLBytes
  ) -> Bool {
    if language == 0 { return true }
    for index in 0..<count {
      let token = tokens[index]
      if language == 1
        ? token.isEmpty : !takes(from: token.start, to: token.end, of: url, form: .host, language: language)
      {
        return false
      }
    }
    return true
  }

  /// Matches port, user and path after a complete host.
  @inline(never)
  private func walkEnd(of host: UInt32, _ scan: inout URLTokenizer, _ walk: inout MatchState) {
    let number = node(after: host, mark: EdgeMark.hostEnd)
    if number != 0 { walkPort(from: number, &scan, &walk) }
  }

  @inline(__always)
  private func walkPort(from number: UInt32, _ scan: inout URLTokenizer, _ walk: inout MatchState) {
    let own = node(after: number, mark: scan.port)
    if own != 0 { walkUser(from: own, &scan, &walk) }
    // A node with one literal edge has no other edges.
    if own != 0, node(number).pointee.mask == 0 { return }
    let any = node(after: number, mark: EdgeMark.anyPort | (scan.port & EdgeMark.user))
    if any != 0 { walkUser(from: any, &scan, &walk) }
  }

  @inline(__always)
  private func walkUser(from number: UInt32, _ scan: inout URLTokenizer, _ walk: inout MatchState) {
    guard scan.port >= EdgeMark.user else { return walkPath(number, &walk) }
    walkAfterUser(from: number, &scan, &walk)
  }

  @inline(never)
  private func walkAfterUser(from number: UInt32, _ scan: inout URLTokenizer, _ walk: inout MatchState) {
    let next = node(after: number, scan.user, of: walk.url, form: .path)
    if next != 0 { walkPath(next, &walk) }
    let node = node(number).pointee
    for index in Int(node.branches)..<(Int(node.branches) &+ Int(node.branchCount)) {
      let branch = branches[index]
      if takes(branch, scan.user, of: walk.url, form: .path) { walkPath(branch.node, &walk) }
    }
  }

  /// Returns whether a branch accepts one text.
  @inline(__always)
  func takes(_ branch: MatchBranch, _ token: MatchToken, of url: URLBytes, form: Normalization) -> Bool {
    switch branch.kind {
    case .any: !token.isEmpty
    case .one: takes(from: token.start, to: token.end, of: url, form: form, language: branch.language)
    case .affixes: hasAffixes(branch, token, of: url, form: form)
    case .affixesOne:
      hasAffixes(branch, token, of: url, form: form)
        && takes(from: token.start, to: token.end, of: url, form: form, language: branch.language)
    case .folded, .rest, .all, .anchor: false
    }
  }
}
