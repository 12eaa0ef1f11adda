// SPDX-License-Identifier: Apache-2.0
import RouteTables

extension OverlapJoin {
  typealias Number = RouteTrie.Number

  /// Joins the edges of one node with each other.
  mutating func joinAlone(_ pair: Pair) {
    let node = tree.nodes[pair.first]
    self.pair(node.shapes)
    if case .tail = pair.stage { self.pair(node.shapes, node.nexts.flatMap { tree.shapes(under: $0) }) }
    for next in node.afterTexts { push(next, next, stage: pair.stage.next) }
    for (place, mark) in node.marks.enumerated() {
      push(mark.node, mark.node, stage: pair.stage.after(mark.mark))
      for other in node.marks[(place + 1)...] { join(mark, other, stage: pair.stage) }
    }
    if case .scheme = pair.stage { joinAnyScheme(node) }
    for (place, branch) in node.branches.enumerated() {
      joinAlone(branch, stage: pair.stage)
      for other in node.branches[(place + 1)...] { join(branch, other, stage: pair.stage) }
    }
    joinTexts(of: node, branches: node.branches, stage: pair.stage)
    if let end = node.end {
      push(end, end, stage: .port(hasUser: false))
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
    joinTexts(of: one, other, stage: pair.stage)
    joinTexts(of: one, branches: other.branches, stage: pair.stage)
    joinTexts(of: other, branches: one.branches, stage: pair.stage)
    for mark in one.marks { for others in other.marks { join(mark, others, stage: pair.stage) } }
    for branch in one.branches { for others in other.branches { join(branch, others, stage: pair.stage) } }
    if let end = one.end {
      if let others = other.end { push(end, others, stage: .port(hasUser: false)) }
      joinEnd(end, other.branches)
    }
    if let end = other.end { joinEnd(end, one.branches) }
  }

  /// Joins equal texts of two nodes.
  private mutating func joinTexts(of lhs: RouteTrie.Node, _ rhs: RouteTrie.Node, stage: Stage) {
    guard !lhs.texts.isEmpty, !rhs.texts.isEmpty else { return }
    let (few, many) = lhs.texts.count < rhs.texts.count ? (lhs, rhs) : (rhs, lhs)
    let places = Dictionary(uniqueKeysWithValues: zip(many.texts, many.afterTexts))
    for (text, next) in zip(few.texts, few.afterTexts) {
      if let same = places[text] { push(next, same, stage: stage.next) }
    }
  }

  /// Joins the texts of a node with the branches that match them.
  private mutating func joinTexts(of node: RouteTrie.Node, branches: [RouteTrie.Branch], stage: Stage) {
    for branch in branches {
      for (text, next) in zip(node.texts, node.afterTexts)
      where !isFull && leads(branch.node, next) && meet(.literal(text), branch.place) {
        join(branch, next, stage: stage)
      }
    }
  }

  private mutating func join(_ lhs: RouteTrie.Branch, _ rhs: RouteTrie.Branch, stage: Stage) {
    guard !isFull, leads(lhs.node, rhs.node), meet(lhs.place, rhs.place) else { return }
    if case .one = rhs.kind {
      join(lhs, rhs.node, stage: stage)
    } else {
      join(rhs, lhs.node, stage: stage, kind: lhs.kind)
    }
  }

  /// Joins a branch with the node after a text that both match, or after several if `kind` is not `.one`.
  private mutating func join(
    _ branch: RouteTrie.Branch, _ next: Number, stage: Stage, kind: RouteTrie.Branch.Kind = .one
  ) {
    if case .one = branch.kind { return push(branch.node, next, stage: stage.next) }
    if case .host = stage {
      for end in kind == .one ? ends(under: next) : [tree.nodes[next].end].compactMap(\.self) {
        if let own = tree.nodes[branch.node].end { push(own, end, stage: .port(hasUser: false)) }
      }
      return
    }
    if kind == .rest, branch.kind == .rest { return push(branch.node, next, stage: .tail) }
    pair(tree.shapes(under: branch.node), tree.shapes(under: next))
  }

  private mutating func joinAlone(_ branch: RouteTrie.Branch, stage: Stage) {
    switch branch.kind {
    case .one: push(branch.node, branch.node, stage: stage.next)
    case .rest, .all:
      if case .host = stage {
        push(branch.node, branch.node, stage: .host)
      } else {
        push(branch.node, branch.node, stage: .tail)
      }
    case .anchor: pair(tree.shapes(under: branch.node))
    }
  }

  /// Joins the end of a host with branches that match zero labels.
  private mutating func joinEnd(_ end: Number, _ branches: [RouteTrie.Branch]) {
    for branch in branches where branch.kind == .all {
      if let other = tree.nodes[branch.node].end { push(end, other, stage: .port(hasUser: false)) }
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
