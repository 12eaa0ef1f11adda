/// One match on its way through the index.
struct RouteWalk {
  let url: URLBytes
  /// The labels of the host from the left, then the segments.
  let tokens: UnsafeMutablePointer<MatchToken>
  /// The segments that are walked: the path's own, or all that follows the scheme.
  var first: Int
  var count: Int
  /// The best shape so far.
  var best = UInt32.max
  var query: QueryScan
  /// What the request says.
  let context: [String: String]
}

extension RouteIndex {
  /// The shape that wins; `max` if none matches.
  @inline(__always)
  func best(_ scan: inout URLScan, _ items: UnsafeMutablePointer<MatchToken>, _ capacity: Int, _ context: [String: String])
    -> FoundShape
  {
    var walk = RouteWalk(
      url: scan.url, tokens: scan.tokens, first: scan.labelCount, count: scan.segmentCount,
      query: QueryScan(scan, items, capacity), context: context)
    if scan.schemeEnd > 0, !walkScheme(&scan, &walk) { return FoundShape(Self.full) }
    // No user stands before a host that a bare pattern holds under.
    if scan.port < IndexTree.Mark.user {
      let any = node(after: 0, mark: 0)
      if any != 0 {
        let path = node(after: any, mark: scan.opening == 3 ? 3 : 2)
        if path != 0 { walkPath(path, 0, &walk) }
      }
    }
    if walk.best == Self.none { return FoundShape(walk.query.isFull ? Self.full : Self.none) }
    let found = captures(of: walk.best, scan, &walk)
    return walk.query.isFull ? FoundShape(Self.full) : found
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
        walkPath(opening, 0, &walk)
      }
    }
    let joined = node(after: scheme, mark: 4)
    guard joined != 0, nodes[Int(joined)].best < walk.best else { return true }
    guard let (start, count) = scan.readJoinedSegments() else {
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
      if node.end != 0 { walkPort(node.end, &scan, &walk) }
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
        guard left > 0 || branch.kind == .all, takesAll(branch.language, walk.tokens, left, walk.url) else { continue }
        let end = nodes[Int(branch.node)].end
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
      if language == 1 ? token.isEmpty : !takes(Int(token.start), token.end, of: url, .host, language) { return false }
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
    guard scan.port >= IndexTree.Mark.user else { return walkPath(number, 0, &walk) }
    let next = node(after: number, scan.user, walk.url, .path)
    if next != 0 { walkPath(next, 0, &walk) }
    let node = nodes[Int(number)]
    for index in Int(node.branches)..<(Int(node.branches) &+ Int(node.branchCount)) {
      let branch = branches[index]
      if takes(branch, scan.user, walk.url, .path) { walkPath(branch.node, 0, &walk) }
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
      if edge.node == 0 { return 0 }
      if edge.key == token.key {
        if edge.text == 0 {
          if isShort(token, url, form) { return edge.node }
        } else if equals(token, of: url, form, edge.text) {
          return edge.node
        }
      }
      place = (place &+ 1) & mask
    }
  }

  /// Whether the text is its own key.
  @inline(__always)
  private func isShort(_ token: MatchToken, _ url: URLBytes, _ form: TextForm) -> Bool {
    if token.end &- Int(token.start) <= TextKey.shortest { return true }
    return token.isPlain ? false : isShortEncoded(token, url, form)
  }

  @inline(never)
  private func isShortEncoded(_ token: MatchToken, _ url: URLBytes, _ form: TextForm) -> Bool {
    var (position, count) = (Int(token.start), 0)
    while position < token.end {
      _ = url.next(&position, form)
      count += 1
    }
    return count <= TextKey.shortest
  }

  /// Whether a branch takes one text.
  @inline(__always)
  func takes(_ branch: MatchBranch, _ token: MatchToken, _ url: URLBytes, _ form: TextForm) -> Bool {
    switch branch.kind {
    case .any: !token.isEmpty
    case .one: takes(Int(token.start), token.end, of: url, form, branch.language)
    case .folded, .rest, .all, .anchor: false
    }
  }
}
