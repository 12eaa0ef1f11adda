// SPDX-License-Identifier: Apache-2.0
extension RouteTrie {
  /// Returns the variants in the order of their first differences, the winner first.
  ///
  /// - Parameter precedes: the order of variants that match the same requests.
  mutating func order(_ precedes: (RouteVariant, RouteVariant) -> Bool) -> [Int] {
    var order: [Int] = []
    order.reserveCapacity(shapes.count)
    // Each element is a node with the number of its children that were visited; `start` is the index of its first variant if it
    // follows a catch-all.
    var stack: [(ways: [Number], index: Int, shapes: [Int], start: Int?)] = [
      (ways(from: 0), 0, shapes(at: 0, precedes), nil)
    ]
    while !stack.isEmpty {
      let top = stack.count - 1
      let index = stack[top].index
      guard index < stack[top].ways.count else {
        order += stack[top].shapes
        if let start = stack[top].start { sortBySpecificity(&order, from: start) }
        stack.removeLast()
        continue
      }
      stack[top].index += 1
      let next = stack[top].ways[index]
      if nodes[next].isLeaf {
        order += shapes(at: next, precedes)
      } else {
        let start = nodes[next].isAfterCatchAll ? order.count : nil
        stack.append((ways(from: next), 0, shapes(at: next, precedes), start))
      }
    }
    return order
  }

  /// Sorts the variants from an index on by what follows their common catch-all; equally specific ones keep their order.
  private func sortBySpecificity(_ order: inout [Int], from start: Int) {
    let sorted = order[start...].enumerated().sorted { one, other in
      let (own, others) = (shapes[one.element].specificity, shapes[other.element].specificity)
      return own == others ? one.offset < other.offset : own > others
    }
    order.replaceSubrange(start..., with: sorted.map(\.element))
  }

  /// Returns the children of a node, the narrower first: literal texts, then branches by the languages that they accept.
  private mutating func ways(from number: Number) -> [Number] {
    // The node's properties are read one by one, because a local variable would copy the whole node.
    var ways = nodes[number].afterTexts
    for mark in nodes[number].marks.sorted(by: { $0.mark < $1.mark }) { ways.append(mark.node) }
    let end = nodes[number].end
    if nodes[number].branches.isEmpty, end == nil { return ways }
    var branches = nodes[number].branches
    if branches.count > 1 {
      var languages = languages
      branches.sort { Self.precedes($0, $1, using: &languages) }
      self.languages = languages
    }
    // The branch for any host comes last, because it is wider than the empty host.
    let open = branches.last?.kind == .all ? branches.popLast() : nil
    for branch in branches { ways.append(branch.node) }
    if let end { ways.append(end) }
    if let open { ways.append(open.node) }
    return ways
  }

  /// Returns whether `lhs` precedes `rhs`; of equal languages, a segment precedes a catch-all.
  ///
  /// A catch-all that follows more segments precedes one that follows fewer.
  private static func precedes(_ lhs: Branch, _ rhs: Branch, using languages: inout LanguageInterner) -> Bool
  {
    if lhs.place != rhs.place {
      if languages.precedes(lhs.place, rhs.place) { return true }
      if languages.precedes(rhs.place, lhs.place) { return false }
    }
    return lhs.kind.order < rhs.kind.order
  }

  private mutating func shapes(at number: Number, _ precedes: (RouteVariant, RouteVariant) -> Bool) -> [Int] {
    let ends = nodes[number].shapes
    guard ends.count > 1 else { return ends }
    var languages = languages
    let sorted = ends.sorted { one, other in
      switch shapes[one].difference(from: shapes[other], &languages) {
      case .ordered(let comesFirst), .crossing(let comesFirst): comesFirst
      case .none: precedes(shapes[one], shapes[other])
      }
    }
    self.languages = languages
    return sorted
  }
}

extension RouteTrie.Branch.Kind {
  /// The rank among branches that accept the same texts; lower wins.
  package var order: Int {
    switch self {
    case .one: Int.min
    case .anchor(let length): -length
    case .rest: 1
    case .all: 2
    }
  }
}
