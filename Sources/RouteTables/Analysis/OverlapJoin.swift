/// Joins a tree with itself: the pairs of shapes that could have a request in common, as far as texts and types tell.
///
/// Two shapes with different literals in one place never meet, so that what is compared is little more than what overlaps.
struct OverlapJoin {
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
    let first: RouteTrie.Number
    let second: RouteTrie.Number
    let stage: Stage
  }

  var tree: RouteTrie
  /// Pairs that are left to be looked at.
  var stack: [Pair] = []
  private var found: [CandidatePairs.Group] = []
  private let pairs: CandidatePairs
  private var budget: Int
  var isFull: Bool { budget <= 0 }
  /// Of each shape, whether pairs with it are wanted; `nil` if all are.
  private let wanted: [Bool]?
  /// Of each node, whether such a shape ends there or further on.
  private var leads: [Bool] = []

  /// `wanted` says of each shape whether its pairs are: the others are not paired with one another.
  init(_ tree: RouteTrie, limit: Int = Self.limit, wanted: [Bool]? = nil) {
    self.tree = tree
    self.wanted = wanted
    pairs = CandidatePairs(tree)
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
  func leads(_ one: RouteTrie.Number, _ other: RouteTrie.Number) -> Bool {
    wanted == nil || leads[one] || leads[other]
  }

  /// Hands out pair after pair, until `take` wants no more; `false` if the limit was reached.
  mutating func run(_ take: (Int, Int) -> Bool) -> Bool {
    while let pair = stack.popLast() {
      budget -= 1
      if pair.first == pair.second { joinAlone(pair) } else { join(pair) }
      for group in found where !pairs.forEach(in: group, &budget, take) { return true }
      found.removeAll(keepingCapacity: true)
      if isFull { return false }
    }
    return true
  }

  mutating func push(_ first: RouteTrie.Number, _ second: RouteTrie.Number, _ stage: Stage) {
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
    if !first.isEmpty, !second.isEmpty { found.append(.between(first, second)) }
  }

  /// Every two of the shapes.
  mutating func pair(_ shapes: [Int]) {
    let own = wanted.map { wanted in shapes.filter { wanted[$0] } } ?? shapes
    if own.count > 1 { found.append(.within(own)) }
    if let wanted, own.count < shapes.count { add(own, shapes.filter { !wanted[$0] }) }
  }

  /// Whether two places have a text in common.
  mutating func meet(_ one: ComponentMatcher, _ other: ComponentMatcher) -> Bool {
    budget -= 1
    return tree.languages.relation(one, other) != .disjoint
  }
}
