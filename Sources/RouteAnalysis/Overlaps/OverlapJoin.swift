// SPDX-License-Identifier: Apache-2.0
import RouteTables
import RegularLanguages

/// A self-join of the trie that yields the pairs of variants which may match a common request.
///
/// Variants with different literals in one component are never paired, so the number of comparisons is close to the number
/// of overlaps.
struct OverlapJoin {
  /// The maximum number of examined pairs of nodes, texts and types.
  static let limit = 10_000_000

  /// The component that the edges of a node match.
  enum Stage {
    case scheme
    case opening
    case host
    case port(hasUser: Bool)
    case path
    /// The segments after a catch-all, from the end of the path.
    case tail
  }

  struct Pair {
    let first: RouteTrie.Number
    let second: RouteTrie.Number
    let stage: Stage
  }

  var tree: RouteTrie
  /// The pairs of nodes to be joined.
  var stack: [Pair] = []
  private var found: [CandidatePairs.Group] = []
  private let pairs: CandidatePairs
  private var budget: Int
  var isFull: Bool { budget <= 0 }
  /// For each variant, whether its pairs are wanted; `nil` if all are.
  private let wanted: [Bool]?
  /// For each node, whether a wanted variant ends in or under it.
  private var leads: [Bool] = []

  /// Creates a join; `wanted` states for each variant whether its pairs are wanted.
  ///
  /// Pairs of two unwanted variants are omitted.
  init(_ tree: RouteTrie, limit: Int = Self.limit, wanted: [Bool]? = nil) {
    self.tree = tree
    self.wanted = wanted
    pairs = CandidatePairs(tree)
    budget = limit
    stack = [Pair(first: 0, second: 0, stage: .scheme)]
    guard let wanted else { return }
    leads = [Bool](repeating: false, count: tree.nodes.count)
    // A node has a higher number than its predecessors, so its successors are complete in this order.
    for number in tree.nodes.indices.reversed() {
      let node = tree.nodes[number]
      leads[number] = node.shapes.contains { wanted[$0] } || node.nexts.contains { leads[$0] }
    }
  }

  /// Returns whether two nodes lead to a wanted pair.
  func leads(_ one: RouteTrie.Number, _ other: RouteTrie.Number) -> Bool {
    wanted == nil || leads[one] || leads[other]
  }

  /// Calls `visit` with each pair until `visit` returns `false`; returns `false` if the limit was reached.
  mutating func run(_ visit: (Int, Int) -> Bool) -> Bool {
    while let pair = stack.popLast() {
      budget -= 1
      if pair.first == pair.second { joinAlone(pair) } else { join(pair) }
      for group in found where !pairs.forEach(in: group, &budget, visit) { return true }
      found.removeAll(keepingCapacity: true)
      if isFull { return false }
    }
    return true
  }

  mutating func push(_ first: RouteTrie.Number, _ second: RouteTrie.Number, stage: Stage) {
    guard leads(first, second) else { return }
    stack.append(Pair(first: first, second: second, stage: stage))
  }

  /// Adds each variant of the first array paired with each of the second.
  mutating func pair(_ first: [Int], _ second: [Int]) {
    guard let wanted else { return add(first, second) }
    let own = first.filter { wanted[$0] }
    add(own, second)
    if own.count < first.count { add(first.filter { !wanted[$0] }, second.filter { wanted[$0] }) }
  }

  private mutating func add(_ first: [Int], _ second: [Int]) {
    if !first.isEmpty, !second.isEmpty { found.append(.between(first, second)) }
  }

  /// Adds all pairs of two variants in the array.
  mutating func pair(_ shapes: [Int]) {
    let own = wanted.map { wanted in shapes.filter { wanted[$0] } } ?? shapes
    if own.count > 1 { found.append(.within(own)) }
    if let wanted, own.count < shapes.count { add(own, shapes.filter { !wanted[$0] }) }
  }

  /// Returns whether two matchers match a common text.
  mutating func meet(_ one: ComponentMatcher, _ other: ComponentMatcher) -> Bool {
    budget -= 1
    return tree.languages.relation(one, other) != .disjoint
  }
}
