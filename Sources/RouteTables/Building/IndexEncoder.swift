// SPDX-License-Identifier: Apache-2.0
/// An encoder that converts the build-time trie into the flat arrays of the index.
struct IndexEncoder {
  var tree: RouteTrie
  let order: [Int]
  let routes: [RouteRecord]
  /// The encoded nodes, by their numbers in the trie; the numbers of slots of their tables in `edges` are in `places`.
  var nodes: [MatchNode] = []
  var places: [UInt32] = []
  var edges: [MatchEdge] = [MatchEdge()]
  var branches: [MatchBranch] = []
  var ends: [UInt32] = []
  var shapes: [MatchVariant] = []
  var tests: [MatchTest] = []
  var languages: [MatchLanguage] = []
  var automata: [UInt16] = []
  var runs: [UInt32] = []
  var pool: [UInt8] = [0]
  var keyNode = 0
  var captureSteps: [CaptureStep] = []
  var captureNames: [String] = []
  /// The index of the captures that were added last.
  var lastCaptures = 0
  var conditions: [String] = []
  var width = 1
  var keys: [[UInt8]: UInt32] = [:]

  /// Creates an encoder; `order` lists the variants of `tree`, the winner first.
  init(_ tree: RouteTrie, order: [Int], routes: [RouteRecord]) {
    self.tree = tree
    self.order = order
    self.routes = routes
  }

  /// The node of the paths with this opening that hold under any scheme; `nil` if there is none.
  func paths(_ opening: PatternVariant.Opening) -> Int? {
    let any = tree.nodes[0].after(mark: EdgeMark.anyScheme)
    return any.flatMap { tree.nodes[$0].after(mark: EdgeMark.opening(opening)) }
  }

  mutating func run() {
    var ranks = [UInt32](repeating: 0, count: order.count)
    for (rank, shape) in order.enumerated() { ranks[shape] = UInt32(truncatingIfNeeded: rank) }
    for shape in order { add(tree.shapes[shape]) }
    // A local constant, because access to a node through the mutable `self` would copy the node.
    let treeNodes = tree.nodes
    nodes = [MatchNode](repeating: MatchNode(), count: treeNodes.count)
    places = [UInt32](repeating: 0, count: treeNodes.count)
    var widths = [Int](repeating: 1, count: treeNodes.count)
    // In reverse, because a node has a larger number than its parent.
    for number in treeNodes.indices.reversed() {
      var best = layOutShapes(of: number, ranks)
      var width = max(treeNodes[number].shapes.count, 1)
      nodes[number].best = best
      widths[number] = width
      // Most nodes are leaves, and copying a leaf would cost more than all other steps.
      guard !treeNodes[number].isLeaf else { continue }
      for next in treeNodes[number].afterTexts {
        best = min(best, nodes[next].best)
        width = max(width, widths[next])
      }
      for (_, next) in treeNodes[number].marks {
        best = min(best, nodes[next].best)
        width = max(width, widths[next])
      }
      for branch in treeNodes[number].branches { best = min(best, nodes[branch.node].best) }
      if let end = treeNodes[number].end {
        best = min(best, nodes[end].best)
        width = max(width, widths[end])
      }
      nodes[number].best = best
      for branch in treeNodes[number].branches {
        var own = widths[branch.node]
        if case .anchor(let length) = branch.kind { own *= max(1, length) }
        width = min(width + own, Int.max / 4096)
      }
      widths[number] = width
      layOut(number, treeNodes)
    }
    width = widths[0]
    layOutAuthorities()
    let keyTable = keys.sorted { $0.value < $1.value }
    keyNode = append()
    layOutTexts(keyTable.map(\.key), keyTable.map { Int($0.value) }, of: keyNode)
    for language in tree.languages.languages { add(language) }
  }

  /// Encodes the variants that end in a node, and returns the rank of the best; `.max` if there are none.
  private mutating func layOutShapes(of number: Int, _ ranks: [UInt32]) -> UInt32 {
    func end(_ rank: UInt32) -> UInt32 {
      rank | (tree.shapes[order[Int(rank)]].isUnconditional ? 0x8000_0000 : 0)
    }
    let count = tree.nodes[number].shapes.count
    nodes[number].shapeCount = UInt32(truncatingIfNeeded: count)
    guard count > 1 else {
      guard count == 1 else { return .max }
      let rank = ranks[tree.nodes[number].shapes[0]]
      nodes[number].shapes = end(rank)
      return rank
    }
    nodes[number].shapes = UInt32(truncatingIfNeeded: ends.count)
    let sorted = tree.nodes[number].shapes.map { ranks[$0] }.sorted()
    for rank in sorted { ends.append(end(rank)) }
    return sorted[0]
  }

  mutating func append() -> Int {
    nodes.append(MatchNode())
    places.append(0)
    return nodes.count - 1
  }

  private mutating func layOut(_ number: Int, _ treeNodes: [RouteTrie.Node]) {
    var marks = treeNodes[number].marks
    if let end = treeNodes[number].end { marks.append((EdgeMark.hostEnd, end)) }
    layOutTexts(treeNodes[number].texts, treeNodes[number].afterTexts, marks: marks, of: number)
    guard !treeNodes[number].branches.isEmpty else { return }
    var own: [MatchBranch] = []
    var folded: [(text: [UInt8], node: Int)] = []
    for branch in treeNodes[number].branches {
      let next = UInt32(truncatingIfNeeded: branch.node)
      let best = nodes[branch.node].best
      var language: UInt32 = 0
      switch branch.place {
      case .language(let number): language = UInt32(truncatingIfNeeded: number)
      case .folded(let text):
        folded.append((text, branch.node))
        continue
      case .literal: continue
      }
      switch branch.kind {
      case .one: own.append(self.branch(language, next: next, best: best))
      case .rest: own.append(MatchBranch(kind: .rest, language: language, node: next, best: best))
      case .all: own.append(MatchBranch(kind: .all, language: language, node: next, best: best))
      case .anchor(let length):
        own.append(
          MatchBranch(
            kind: .anchor, length: UInt16(truncatingIfNeeded: length), language: language, node: next,
            best: best))
      }
    }
    if !folded.isEmpty {
      let table = append()
      layOutTexts(folded.map(\.text), folded.map(\.node), of: table)
      let best = folded.map { nodes[$0.node].best }.min() ?? .max
      own.append(MatchBranch(kind: .folded, language: 0, node: UInt32(truncatingIfNeeded: table), best: best))
    }
    own.sort { $0.best < $1.best }
    nodes[number].special = own.count == 1 && own[0].kind == .any ? own[0].node : MatchNode.several
    nodes[number].branches = UInt32(truncatingIfNeeded: branches.count)
    nodes[number].branchCount = UInt32(truncatingIfNeeded: own.count)
    branches += own
  }

  /// Returns a branch that accepts one text of a language.
  private mutating func branch(_ language: UInt32, next: UInt32, best: UInt32) -> MatchBranch {
    guard let affixes = tree.languages.affixes[Int(language)] else {
      let isAny = language == UInt32(LanguageInterner.anyText)
      return MatchBranch(kind: isAny ? .any : .one, language: language, node: next, best: best)
    }
    var branch = MatchBranch(
      kind: affixes.decide ? .affixes : .affixesOne, language: language, node: next, best: best)
    branch.affixes = UInt32(truncatingIfNeeded: pool.count)
    add(count: affixes.first.count)
    add(count: affixes.last.count)
    pool += affixes.first + affixes.last
    return branch
  }
}
