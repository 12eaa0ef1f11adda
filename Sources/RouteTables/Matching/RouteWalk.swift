/// One match on its way through the index.
struct RouteWalk {
  let url: URLBytes
  /// The labels of the host from the left, then the segments.
  let tokens: UnsafeMutablePointer<MatchToken>
  /// The segments that are walked: the path's own, or all that follows the scheme.
  var first: Int
  var count: Int
  /// Whether there was no room to cut the path.
  var isFull = false
  /// The best shape so far.
  var best = UInt32.max
  var query: QueryScan
  typealias Context = UnsafePointer<[String: String]>?
  /// What the request says; nobody keeps it.
  let context: Context
}

extension IndexView {
  /// The shape that wins; `max` if none matches.
  @inline(never)
  func best(
    _ scan: inout URLScan, _ items: UnsafeMutablePointer<MatchToken>, _ capacity: Int,
    _ context: RouteWalk.Context,
    _ found: UnsafeMutablePointer<FoundShape>
  ) -> UInt32 {
    var walk = RouteWalk(
      url: scan.url, tokens: scan.tokens, first: scan.labelCount, count: scan.segmentCount,
      query: QueryScan(scan, items, capacity), context: context)
    if scan.schemeEnd > 0, !walkScheme(&scan, &walk) { return RouteIndex.full }
    // No user stands before a host that a bare pattern holds under.
    let bare = scan.opening == 3 ? 0 : barePaths
    if bare != 0, scan.port < IndexTree.Mark.user { walkPath(bare, &scan, &walk) }
    if walk.best != RouteIndex.none { tellCaptures(scan.labelCount, &walk, found) }
    return walk.query.isFull || walk.isFull ? RouteIndex.full : walk.best
  }

  /// Walks the path from its first node on.
  private func walkPath(_ number: UInt32, _ scan: inout URLScan, _ walk: inout RouteWalk) {
    guard nodes[Int(number)].best < walk.best else { return }
    if !scan.isCut, scan.labelCount &+ Self.straight < scan.capacity {
      var pending: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)
      let isWalked = withUnsafeMutablePointer(to: &pending) { pending in
        pending.withMemoryRebound(to: UInt64.self, capacity: Self.pending) {
          walkStraight(number, scan.path.lowerBound, scan.path.upperBound, $0, &walk)
        }
      }
      if isWalked { return }
    }
    if isCut(&scan, &walk) { walkPath(number, 0, &walk) }
  }

  /// Cuts the path, if it is not cut yet; `false` if there is no room.
  @inline(never)
  private func isCut(_ scan: inout URLScan, _ walk: inout RouteWalk) -> Bool {
    if scan.isCut { return true }
    guard !walk.isFull, case .read = scan.readSegments(scan.path.lowerBound, scan.path.upperBound) else {
      walk.isFull = true
      return false
    }
    scan.isCut = true
    walk.count = scan.segmentCount
    return true
  }

  /// Walks what the scheme leads to; `false` if there is no room.
  @inline(never)
  private func walkScheme(_ scan: inout URLScan, _ walk: inout RouteWalk) -> Bool {
    let scheme = node(after: 0, scan.scheme, walk.url, .host)
    guard scheme != 0 else { return true }
    let opening = node(after: scheme, mark: scan.opening)
    if opening != 0 {
      if scan.opening == 1 {
        walkHost(opening, scan.labelCount, &scan, &walk)
      } else {
        walkPath(opening, &scan, &walk)
      }
    }
    let joined = node(after: scheme, mark: 4)
    guard joined != 0, nodes[Int(joined)].best < walk.best else { return true }
    guard isCut(&scan, &walk), let (start, count) = scan.readJoinedSegments() else {
      // More segments than there may be match nothing.
      return scan.capacity > RouteLimits.segments
    }
    let own = (walk.first, walk.count)
    (walk.first, walk.count) = (start, count)
    walkPath(joined, 0, &walk)
    (walk.first, walk.count) = own
    return true
  }

  /// Walks the labels from the right; `left` are those that are left.
  private func walkHost(_ number: UInt32, _ left: Int, _ scan: inout URLScan, _ walk: inout RouteWalk) {
    let node = nodes[Int(number)]
    guard node.best < walk.best else { return }
    if left == 0 {
      if node.special != 0 { walkPort(node.special, &scan, &walk) }
    } else {
      let token = walk.tokens[left &- 1]
      let next = self.node(after: number, token, walk.url, .host)
      if next != 0 { walkHost(next, left &- 1, &scan, &walk) }
      if node.branchCount == 0 { return }
    }
    for index in Int(node.branches)..<(Int(node.branches) &+ Int(node.branchCount)) {
      let branch = branches[index]
      if branch.best >= walk.best { return }
      switch branch.kind {
      case .any, .one:
        guard left > 0, takes(branch, walk.tokens[left &- 1], walk.url, .host) else { continue }
        walkHost(branch.node, left &- 1, &scan, &walk)
      case .rest, .all:
        guard left > 0 || branch.kind == .all, takesAll(branch.language, walk.tokens, left, walk.url) else {
          continue
        }
        let end = nodes[Int(branch.node)].special
        if end != 0 { walkPort(end, &scan, &walk) }
      case .folded, .anchor: continue
      }
    }
  }

  private func takesAll(
    _ language: UInt32, _ tokens: UnsafeMutablePointer<MatchToken>, _ count: Int, _ url: URLBytes
  ) -> Bool {
    if language == 0 { return true }
    for index in 0..<count {
      let token = tokens[index]
      if language == 1 ? token.isEmpty : !takes(token.start, token.end, of: url, .host, language) {
        return false
      }
    }
    return true
  }

  private func walkPort(_ number: UInt32, _ scan: inout URLScan, _ walk: inout RouteWalk) {
    let own = node(after: number, mark: scan.port)
    if own != 0 { walkUser(own, &scan, &walk) }
    let any = node(after: number, mark: IndexTree.Mark.anyPort | (scan.port & IndexTree.Mark.user))
    if any != 0 { walkUser(any, &scan, &walk) }
  }

  private func walkUser(_ number: UInt32, _ scan: inout URLScan, _ walk: inout RouteWalk) {
    guard scan.port >= IndexTree.Mark.user else { return walkPath(number, &scan, &walk) }
    let next = node(after: number, scan.user, walk.url, .path)
    if next != 0 { walkPath(next, &scan, &walk) }
    let node = nodes[Int(number)]
    for index in Int(node.branches)..<(Int(node.branches) &+ Int(node.branchCount)) {
      let branch = branches[index]
      if takes(branch, scan.user, walk.url, .path) { walkPath(branch.node, &scan, &walk) }
    }
  }

  /// The node after a node over a text; 0 if there is none.
  @inline(__always)
  func node(after number: UInt32, _ token: MatchToken, _ url: URLBytes, _ form: TextForm) -> UInt32 {
    let mask = Int(nodes[Int(number)].mask)
    let start = Int(nodes[Int(number)].edges)
    var place = Self.place(of: token.key, mask)
    while true {
      let edge = edges[start &+ place]
      if edge.key == token.key, edge.node != 0, edge.text == 0 || equals(token, of: url, form, edge.text) {
        return edge.node
      }
      if edge.node == 0 { return 0 }
      place = (place &+ 1) & mask
    }
  }

  /// Whether a branch takes one text.
  @inline(__always)
  func takes(_ branch: MatchBranch, _ token: MatchToken, _ url: URLBytes, _ form: TextForm) -> Bool {
    switch branch.kind {
    case .any: !token.isEmpty
    case .one: takes(token.start, token.end, of: url, form, branch.language)
    case .folded, .rest, .all, .anchor: false
    }
  }
}
