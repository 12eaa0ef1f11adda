// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A search for the variants of one owner that no rule orders: equal ones, and overlaps within one component.
///
/// Equal variants end in the same node of the trie. Overlaps are searched within a budget, among the branches of each node
/// and among the variants that end in it.
struct RouteConflictSearch {
  private struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  private var tree: RouteTrie
  private let routes: [RouteRecord]
  /// The pairs of routes that `wins_over` orders.
  private var settled: Set<Pair> = []
  /// The number of remaining comparisons; overlaps that are not found within it are ordered without a report.
  private var budget = 20_000
  private var found: Set<Pair> = []
  /// The routes that take part in a conflict.
  private var matched: Set<Int> = []
  /// The number of conflicts above which each further route is reported with one other route only.
  ///
  /// Otherwise a file of some thousand equal routes would have millions of conflicts.
  private static let manyConflicts = 1_000
  private(set) var conflicts: [RouteConflict] = []
  /// The routes that take part in a conflict, except routes that deny and those that ask unless the other denies.
  private(set) var setAside: Set<Int> = []

  init(_ tree: RouteTrie, _ routes: [RouteRecord], settled: [WinsOver.Pair]) {
    self.tree = tree
    self.routes = routes
    for pair in settled {
      self.settled.insert(Pair(first: min(pair.winner, pair.loser), second: max(pair.winner, pair.loser)))
    }
  }

  /// Searches for conflicts; `equals` are pairs of variants that are known to match the same URLs.
  mutating func run(equals: [(first: Int, second: Int)] = []) {
    for pair in equals { report(.equal, between: pair.first, and: pair.second) }
    // A local constant, because access to a node through the mutable `self` would copy the node.
    let nodes = tree.nodes
    // A node has a larger number than its parent.
    var isAfterCatchAll = nodes.map { $0.isAfterCatchAll }
    for number in nodes.indices {
      if isAfterCatchAll[number] { for next in nodes[number].nexts { isAfterCatchAll[next] = true } }
      if nodes[number].shapes.count > 1 { compare(nodes[number].shapes) }
      if nodes[number].branches.count > 1 {
        compare(nodes[number].branches, afterCatchAll: isAfterCatchAll[number])
      }
    }
    conflicts.sort {
      ($0.first.location.file, $0.first.location.line, $0.first.id, $0.second.id)
        < ($1.first.location.file, $1.first.location.line, $1.first.id, $1.second.id)
    }
  }

  /// Returns whether two routes take part in a common conflict.
  fileprivate func isConflict(_ one: Int, _ other: Int) -> Bool {
    found.contains(Pair(first: min(one, other), second: max(one, other)))
  }

  /// Compares the variants that end in one node.
  private mutating func compare(_ shapes: [Int]) {
    // Variants are grouped by query keys, because only variants with equal keys can be equal or overlap in one component.
    var groups: [[[UInt8]]: [Int]] = [:]
    for shape in shapes { groups[tree.shapes[shape].tests.map(\.key), default: []].append(shape) }
    for group in groups.values where group.count > 1 {
      var languages = tree.languages
      let sorted = group.sorted { one, other in
        switch tree.shapes[one].difference(from: tree.shapes[other], &languages) {
        case .ordered(let comesFirst), .crossing(let comesFirst): comesFirst
        case .none: one < other
        }
      }
      tree.languages = languages
      var start = 0
      var unmatched: [Int] = []
      for (place, shape) in sorted.enumerated() {
        if case .none = tree.shapes[sorted[start]].difference(from: tree.shapes[shape], &tree.languages) {
          reportEqual(shape, to: sorted[start..<place], unmatched: &unmatched)
        } else {
          (start, unmatched) = (place, [])
        }
        if !matched.contains(tree.shapes[shape].route) { unmatched.append(shape) }
        guard budget > 0 else { continue }
        for first in sorted[..<place] where budget > 0 {
          budget -= 1
          if case .crossing = tree.shapes[first].difference(from: tree.shapes[shape], &tree.languages) {
            report(.crossing, between: first, and: shape)
          }
        }
      }
    }
  }

  /// Reports a variant that equals each of `others`.
  ///
  /// - Parameter unmatched: those of `others` whose routes have no conflict yet.
  private mutating func reportEqual(_ shape: Int, to others: ArraySlice<Int>, unmatched: inout [Int]) {
    if conflicts.count < Self.manyConflicts {
      for first in others { report(.equal, between: first, and: shape) }
    } else {
      for first in unmatched { report(.equal, between: first, and: shape) }
      for first in others {
        guard !matched.contains(tree.shapes[shape].route) else { break }
        report(.equal, between: first, and: shape)
      }
    }
    unmatched.removeAll { matched.contains(tree.shapes[$0].route) }
  }

  /// Compares the branches of one node; after a catch-all, only variants that are equally specific can conflict.
  private mutating func compare(_ branches: [RouteTrie.Branch], afterCatchAll: Bool) {
    for (place, one) in branches.enumerated() where one.kind == .one {
      guard budget > 0 else { return }
      for other in branches[(place + 1)...] where other.kind == .one && budget > 0 {
        budget -= 1
        guard tree.languages.relation(one.place, other.place) == .crossing else { continue }
        let others = tree.shapes(under: other.node)
        for first in tree.shapes(under: one.node) {
          for second in others where budget > 0 {
            budget -= 1
            guard !afterCatchAll || tree.shapes[first].specificity == tree.shapes[second].specificity else {
              continue
            }
            report(.crossing, between: first, and: second)
          }
        }
      }
    }
  }

  private mutating func report(_ kind: RouteConflict.Kind, between first: Int, and second: Int) {
    let shapes = [tree.shapes[first], tree.shapes[second]].sorted {
      ($0.route, $0.pattern) < ($1.route, $1.pattern)
    }
    let (one, other) = (routes[shapes[0].route], routes[shapes[1].route])
    let pair = Pair(first: shapes[0].route, second: shapes[1].route)
    // Between owners and between the patterns of one route, precedence decides. Between the variants of one pattern, the one
    // that captures more wins.
    guard one.owner == other.owner, one.rank == other.rank, one.isForemost == other.isForemost,
      !settled.contains(pair),
      shapes[0].route != shapes[1].route || (kind == .equal && shapes[0].pattern != shapes[1].pattern),
      !found.contains(pair)
    else { return }
    let patterns = (one.patterns[shapes[0].pattern], other.patterns[shapes[1].pattern])
    guard
      let witness = PatternInclusion(shapes[0], pattern: patterns.0, shapes[1], pattern: patterns.1).witness(
        &tree.languages)
    else {
      return
    }
    found.insert(pair)
    matched.formUnion(shapes.map(\.route))
    let isDenied = one.denies || other.denies
    setAside.formUnion(shapes.map(\.route).filter { isDenied ? !routes[$0].denies : !routes[$0].asks })
    let sides = shapes.map { shape in
      RouteConflict.Side(
        id: routes[shape.route].id, owner: routes[shape.route].owner,
        pattern: routes[shape.route].patterns[shape.pattern],
        location: routes[shape.route].patternLocations[shape.pattern])
    }
    conflicts.append(
      RouteConflict(
        kind: kind, owner: one.owner, first: sides[0], second: sides[1], witness: witness,
        denials: [one, other].filter(\.denies).map(\.id), questions: [one, other].filter(\.asks).map(\.id)))
  }
}

extension PrecedenceOrder {
  /// Returns those of the pairs of `wins_over` whose routes would be a conflict without it.
  package func conflictsWithoutWinsOver(among routes: [RouteRecord]) -> Set<WinsOver.Pair> {
    guard !constraints.isEmpty else { return [] }
    var search = RouteConflictSearch(tree, routes, settled: [])
    search.run(equals: equals)
    return Set(constraints).filter { search.isConflict($0.winner, $0.loser) }
  }
}

extension RouteTrie {
  /// Returns the variants that end in the node or below it.
  package func shapes(under number: Number) -> [Int] {
    var found: [Int] = []
    var stack = [number]
    while let next = stack.popLast() {
      let node = nodes[next]
      found += node.shapes
      stack += node.nexts
    }
    return found
  }
}
