/// Joins a tree with itself: the pairs of shapes that could have a request in common, as far as texts and types tell.
///
/// Two shapes with different literals in one place never meet, so that what is compared is little more than what overlaps.
struct IndexJoin {
  /// How many pairs of nodes, texts and types are looked at before it gives up.
  static let limit = 10_000_000

  /// What the ways from a node stand for.
  enum Stage {
    case scheme
    case opening
    case host
    case port(hasUser: Bool)
    case path
    /// The segments after a rest, from the end.
    case tail
  }

  struct Pair {
    let first: IndexTree.Number
    let second: IndexTree.Number
    let stage: Stage
  }

  /// Shapes to be paired, each of the first with each of the second, or, where both are the same, every two.
  private struct Found {
    let first: [Int]
    let second: [Int]
    let isSame: Bool

    /// Hands out the pairs; `false` once `take` wants no more.
    func forEach(_ take: (Int, Int) -> Bool) -> Bool {
      for (place, one) in first.enumerated() {
        for other in isSame ? second[(place + 1)...] : second[...] where !take(one, other) { return false }
      }
      return true
    }
  }

  var tree: IndexTree
  /// Pairs that are left to be looked at.
  var stack: [Pair] = []
  private var found: [Found] = []
  private var budget: Int
  var isFull: Bool { budget <= 0 }
  /// Of each shape, whether pairs with it are wanted; `nil` if all are.
  private let wanted: [Bool]?
  /// Of each node, whether such a shape ends there or further on.
  private var leads: [Bool] = []

  /// `wanted` says of each shape whether its pairs are: the others are not paired with one another.
  init(_ tree: IndexTree, limit: Int = Self.limit, wanted: [Bool]? = nil) {
    self.tree = tree
    self.wanted = wanted
    budget = limit
    stack = [Pair(first: 0, second: 0, stage: .scheme)]
    guard let wanted else { return }
    leads = [Bool](repeating: false, count: tree.nodes.count)
    // What leads on from a node was added after it.
    for number in tree.nodes.indices.reversed() {
      let node = tree.nodes[number]
      leads[number] = node.shapes.contains { wanted[$0] } || node.nexts.contains { leads[$0] }
    }
  }

  /// Whether the ways from two nodes lead to a pair that is wanted.
  func leads(_ one: IndexTree.Number, _ other: IndexTree.Number) -> Bool {
    wanted == nil || leads[one] || leads[other]
  }

  /// Hands out pair after pair, until `take` wants no more; `false` if the limit was reached.
  mutating func run(_ take: (Int, Int) -> Bool) -> Bool {
    while let pair = stack.popLast() {
      budget -= 1
      if pair.first == pair.second { joinAlone(pair) } else { join(pair) }
      if isFull { return false }
      for pairs in found where !pairs.forEach(take) { return true }
      found.removeAll(keepingCapacity: true)
    }
    return true
  }

  mutating func push(_ first: IndexTree.Number, _ second: IndexTree.Number, _ stage: Stage) {
    guard leads(first, second) else { return }
    stack.append(Pair(first: first, second: second, stage: stage))
  }

  /// Every shape of the one with every one of the other.
  mutating func pair(_ first: [Int], _ second: [Int]) {
    guard let wanted else { return add(first, second) }
    let own = first.filter { wanted[$0] }
    add(own, second)
    if own.count < first.count { add(first.filter { !wanted[$0] }, second.filter { wanted[$0] }) }
  }

  private mutating func add(_ first: [Int], _ second: [Int]) {
    guard !first.isEmpty, !second.isEmpty else { return }
    budget -= first.count * second.count
    found.append(Found(first: first, second: second, isSame: false))
  }

  /// Every two of the shapes.
  mutating func pair(_ shapes: [Int]) {
    guard shapes.count > 1 else { return }
    if let wanted, !shapes.contains(where: { wanted[$0] }) { return }
    budget -= shapes.count * (shapes.count - 1) / 2
    found.append(Found(first: shapes, second: shapes, isSame: true))
  }

  /// Whether two places have a text in common.
  mutating func meet(_ one: Place, _ other: Place) -> Bool {
    budget -= 1
    return tree.languages.relation(one, other) != .disjoint
  }
}
