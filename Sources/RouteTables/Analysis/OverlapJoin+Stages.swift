extension OverlapJoin {
  typealias Number = RouteTrie.Number

  /// Joins the edges of one node with each other.
  mutating func joinAlone(_ pair: Pair) {
    let node = tree.nodes[pair.first]
    self.pair(node.shapes)
    if case .tail = pair.stage { self.pair(node.shapes, node.nexts.flatMap { tree.shapes(under: $0) }) }
    for next in node.afterTexts { push(next, next, pair.stage.next) }
    for (place, mark) in node.marks.enumerated() {
      push(mark.node, mark.node, pair.stage.after(mark.mark))
      for other in node.marks[(place + 1)...] { join(mark, other, pair.stage) }
    }
    if case .scheme = pair.stage { joinAnyScheme(node) }
    for (place, branch) in node.branches.enumerated() {
      joinAlone(branch, pair.stage)
      for other in node.branches[(place + 1)...] { join(branch, other, pair.stage) }
    }
    joinTexts(of: node, branches: node.branches, pair.stage)
    if let end = node.end {
      push(end, end, .port(hasUser: false))
      joinEnd(end, node.branches)
    }
  }

  /// Joins the edges of two nodes.
  mutating func join(_ pair: Pair) {
    let (one, other) = (tree.nodes[pair.first], tree.nodes[pair.second])
    self.pair(one.shapes, other.shapes)
    if case .tail = pair.stage {
      self.pair(one.shapes, other.nexts.flatMap { tree.shapes(under: $0) })
      self.pair(one.nexts.flatMap { tree.shapes(under: $0) }, other.shapes)
    }
    joinTexts(of: one, other, pair.stage)
    joinTexts(of: one, branches: other.branches, pair.stage)
    joinTexts(of: other, branches: one.branches, pair.stage)
    for mark in one.marks { for others in other.marks { join(mark, others, pair.stage) } }
    for branch in one.branches { for others in other.branches { join(branch, others, pair.stage) } }
    if let end = one.end {
      if let others = other.end { push(end, others, .port(hasUser: false)) }
      joinEnd(end, other.branches)
    }
    if let end = other.end { joinEnd(end, one.branches) }
  }

  /// Joins equal texts of two nodes.
  private mutating func joinTexts(of one: RouteTrie.Node, _ other: RouteTrie.Node, _ stage: Stage) {
    guard !one.texts.isEmpty, !other.texts.isEmpty else { return }
    let (few, many) = one.texts.count < other.texts.count ? (one, other) : (other, one)
    let places = Dictionary(uniqueKeysWithValues: zip(many.texts, many.afterTexts))
    for (text, next) in zip(few.texts, few.afterTexts) {
      if let same = places[text] { push(next, same, stage.next) }
    }
  }

  /// Joins the texts of a node with the branches that match them.
  private mutating func joinTexts(of node: RouteTrie.Node, branches: [RouteTrie.Branch], _ stage: Stage) {
    for branch in branches {
      for (text, next) in zip(node.texts, node.afterTexts)
      where !isFull && leads(branch.node, next) && meet(.literal(text), branch.place) {
        join(branch, next, stage)
      }
    }
  }

  private mutating func join(_ one: RouteTrie.Branch, _ other: RouteTrie.Branch, _ stage: Stage) {
    guard !isFull, leads(one.node, other.node), meet(one.place, other.place) else { return }
    if case .one = other.kind { join(one, other.node, stage) } else { join(other, one.node, stage, one.kind) }
  }

  /// Joins a branch with the node after a text that both match, or after several if `kind` is not `.one`.
  private mutating func join(
    _ branch: RouteTrie.Branch, _ next: Number, _ stage: Stage, _ kind: RouteTrie.Branch.Kind = .one
  ) {
    if case .one = branch.kind { return push(branch.node, next, stage.next) }
    if case .host = stage {
      for end in kind == .one ? ends(under: next) : [tree.nodes[next].end].compactMap(\.self) {
        if let own = tree.nodes[branch.node].end { push(own, end, .port(hasUser: false)) }
      }
      return
    }
    if kind == .rest, branch.kind == .rest { return push(branch.node, next, .tail) }
    pair(tree.shapes(under: branch.node), tree.shapes(under: next))
  }

  private mutating func joinAlone(_ branch: RouteTrie.Branch, _ stage: Stage) {
    switch branch.kind {
    case .one: push(branch.node, branch.node, stage.next)
    case .rest, .all:
      if case .host = stage {
        push(branch.node, branch.node, .host)
      } else {
        push(branch.node, branch.node, .tail)
      }
    case .anchor: pair(tree.shapes(under: branch.node))
    }
  }

  /// Joins the end of a host with branches that match zero labels.
  private mutating func joinEnd(_ end: Number, _ branches: [RouteTrie.Branch]) {
    for branch in branches where branch.kind == .all {
      if let other = tree.nodes[branch.node].end { push(end, other, .port(hasUser: false)) }
    }
  }

  /// Returns the ends of all hosts that continue from a node.
  private func ends(under number: Number) -> [Number] {
    var found: [Number] = []
    var stack = [number]
    while let next = stack.popLast() {
      let node = tree.nodes[next]
      if let end = node.end { found.append(end) }
      stack += node.afterTexts + node.branches.map(\.node)
    }
    return found
  }
}
