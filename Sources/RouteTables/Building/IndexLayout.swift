/// Lays the tree out in flat arrays.
struct IndexLayout {
  private var tree: IndexTree
  private let pattern: (_ route: Int, _ index: Int) -> RoutePattern
  private let order: [Int]
  private(set) var nodes: [MatchNode] = []
  private(set) var edges: [MatchEdge] = [MatchEdge(), MatchEdge()]
  private(set) var branches: [MatchBranch] = []
  private(set) var ends: [UInt32] = []
  private(set) var shapes: [MatchShape] = []
  private(set) var tests: [MatchTest] = []
  private(set) var languages: [MatchLanguage] = []
  private(set) var automata: [UInt16] = []
  private(set) var runs: [UInt32] = []
  private(set) var pool: [UInt8] = [0]
  private(set) var keyNode: UInt32 = 0
  private(set) var captureSteps: [CaptureStep] = []
  private(set) var captureNames: [String] = []
  private(set) var conditions: [String] = []
  private(set) var width = 1
  /// The node of the paths that hold under any scheme and host; 0 if there is none.
  var barePaths: UInt32 {
    let any = tree.nodes[0].texts.first { $0.label == .anyScheme }?.node
    let path = any.flatMap { tree.nodes[$0].texts.first { $0.label == IndexTree.Label(.rootedPath) }?.node }
    return UInt32(truncatingIfNeeded: path ?? 0)
  }
  private var keys: [[UInt8]: UInt32] = [:]

  /// `order` is that of the shapes.
  init(_ tree: IndexTree, _ order: [Int], _ pattern: @escaping (_ route: Int, _ index: Int) -> RoutePattern) {
    self.tree = tree
    self.pattern = pattern
    self.order = order
  }

  mutating func run() {
    var ranks = [UInt32](repeating: 0, count: order.count)
    for (rank, shape) in order.enumerated() { ranks[shape] = UInt32(truncatingIfNeeded: rank) }
    for shape in order { add(tree.shapes[shape]) }
    nodes = [MatchNode](repeating: MatchNode(), count: tree.nodes.count)
    var widths = [Int](repeating: 1, count: tree.nodes.count)
    // A node comes after the one that leads to it.
    for number in tree.nodes.indices.reversed() {
      let node = tree.nodes[number]
      let ranked = node.shapes.map { ranks[$0] }.sorted()
      nodes[number].shapes = UInt32(truncatingIfNeeded: ends.count)
      nodes[number].shapeCount = UInt32(truncatingIfNeeded: ranked.count)
      for rank in ranked { ends.append(rank | (tree.shapes[order[Int(rank)]].asksNothing ? 0x8000_0000 : 0)) }
      var best = ranked.first ?? .max
      for (_, next) in node.texts { best = min(best, nodes[next].best) }
      for branch in node.branches { best = min(best, nodes[branch.node].best) }
      if let end = node.end {
        nodes[number].special = UInt32(truncatingIfNeeded: end)
        best = min(best, nodes[end].best)
      }
      nodes[number].best = best
      widths[number] = max(
        ranked.count, 1,
        (node.texts.map { widths[$0.node] } + (node.end.map { [widths[$0]] } ?? [])).max() ?? 0)
      for branch in node.branches {
        var own = widths[branch.node]
        if case .anchor(let length) = branch.kind { own *= max(1, length) }
        widths[number] = min(widths[number] + own, Int.max / 4096)
      }
      layOut(number, node)
    }
    width = widths[0]
    let keyTable = keys.sorted { $0.value < $1.value }.map { (IndexTree.Label.text($0.key), Int($0.value)) }
    keyNode = UInt32(truncatingIfNeeded: nodes.count)
    nodes.append(MatchNode())
    layOutTexts(keyTable, of: Int(keyNode))
    for language in tree.languages.languages { add(language) }
  }

  private mutating func layOut(_ number: Int, _ node: IndexTree.Node) {
    layOutTexts(node.texts.map { ($0.label, $0.node) }, of: number)
    guard !node.branches.isEmpty else { return }
    var own: [MatchBranch] = []
    var folded: [(IndexTree.Label, Int)] = []
    for branch in node.branches {
      let next = UInt32(truncatingIfNeeded: branch.node)
      let best = nodes[branch.node].best
      var language: UInt32 = 0
      switch branch.place {
      case .language(let number): language = UInt32(truncatingIfNeeded: number)
      case .folded(let text):
        folded.append((.text(text), branch.node))
        continue
      case .literal: continue
      }
      switch branch.kind {
      case .one:
        let isAny = language == UInt32(LanguageTable.anyText)
        own.append(MatchBranch(kind: isAny ? .any : .one, language: language, node: next, best: best))
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
      let table = nodes.count
      nodes.append(MatchNode())
      layOutTexts(folded, of: table)
      let best = folded.map { nodes[$0.1].best }.min() ?? .max
      own.append(MatchBranch(kind: .folded, language: 0, node: UInt32(truncatingIfNeeded: table), best: best))
    }
    own.sort { $0.best < $1.best }
    if node.end == nil, own.count == 1, own[0].kind == .any { nodes[number].special = own[0].node }
    nodes[number].branches = UInt32(truncatingIfNeeded: branches.count)
    nodes[number].branchCount = UInt32(truncatingIfNeeded: own.count)
    branches += own
  }

  /// Writes a node's table: open addressing, at most half full.
  private mutating func layOutTexts(_ texts: [(IndexTree.Label, Int)], of number: Int) {
    guard !texts.isEmpty else { return }
    var size = 2
    while size < texts.count * 2 { size *= 2 }
    let start = edges.count
    edges += [MatchEdge](repeating: MatchEdge(), count: size)
    nodes[number].edges = UInt32(truncatingIfNeeded: start)
    nodes[number].mask = UInt32(truncatingIfNeeded: size - 1)
    for (label, next) in texts {
      let edge = edge(label, UInt32(truncatingIfNeeded: next))
      var place = IndexView.place(of: edge.key, size - 1)
      while edges[start + place].node != 0 { place = (place + 1) & (size - 1) }
      edges[start + place] = edge
    }
  }

  private mutating func edge(_ label: IndexTree.Label, _ next: UInt32) -> MatchEdge {
    switch label {
    case .mark(let mark): return MatchEdge(key: UInt64(mark), node: next)
    case .text(let bytes):
      var key = TextKey()
      for byte in bytes { key.append(byte) }
      return MatchEdge(key: key.value, node: next, text: key.isShort ? 0 : add(bytes))
    }
  }

  /// Puts a text into the pool, after its length.
  private mutating func add(_ bytes: [UInt8]) -> UInt32 {
    let start = UInt32(truncatingIfNeeded: pool.count)
    for shift in stride(from: 0, to: 32, by: 8) {
      pool.append(UInt8(truncatingIfNeeded: bytes.count >> shift))
    }
    pool += bytes
    return start
  }

  private mutating func add(_ shape: RouteShape) {
    var own = MatchShape(
      route: UInt32(truncatingIfNeeded: shape.route), pattern: UInt32(truncatingIfNeeded: shape.pattern))
    own.tests = UInt32(truncatingIfNeeded: tests.count)
    own.testCount = UInt16(truncatingIfNeeded: shape.tests.count)
    own.conditionCount = UInt16(truncatingIfNeeded: shape.conditions.count)
    own.hasFragment = shape.fragment != nil
    own.hasLiteralPlus = shape.hasLiteralPlus
    for test in shape.tests {
      let key = keys[test.key] ?? UInt32(truncatingIfNeeded: keys.count + 1)
      keys[test.key] = key
      switch test.kind {
      case .absent: tests.append(MatchTest(kind: .absent, key: key, value: 0))
      case .present: tests.append(MatchTest(kind: .present, key: key, value: 0))
      case .first(let place): tests.append(self.test(place, key: key))
      case .each(let number):
        tests.append(MatchTest(kind: .each, key: key, value: UInt32(truncatingIfNeeded: number)))
      }
    }
    if let fragment = shape.fragment { tests.append(test(fragment, key: 0)) }
    for condition in shape.conditions {
      let name = conditions.firstIndex(of: condition.name) ?? conditions.count
      if name == conditions.count { conditions.append(condition.name) }
      tests.append(
        MatchTest(
          kind: .condition, key: UInt32(truncatingIfNeeded: name),
          value: UInt32(truncatingIfNeeded: condition.language)))
    }
    let pattern = pattern(shape.route, shape.pattern)
    if !pattern.captures.isEmpty {
      for item in pattern.query where keys[item.key] == nil {
        keys[item.key] = UInt32(truncatingIfNeeded: keys.count + 1)
      }
      own.isJoined = shape.shape.opening == .joinedPath
      own.captures = UInt32(truncatingIfNeeded: captureSteps.count)
      own.captureCount = UInt8(truncatingIfNeeded: pattern.captures.count)
      captureNames += pattern.captures.map(\.name)
      captureSteps += Self.steps(of: shape.shape, pattern, &tree.languages, keys)
    }
    shapes.append(own)
  }

  private mutating func test(_ place: Place, key: UInt32) -> MatchTest {
    switch place {
    case .literal(let bytes), .folded(let bytes):
      let start = add(bytes) + 4
      return MatchTest(kind: .text, key: key, value: start, length: UInt32(truncatingIfNeeded: bytes.count))
    case .language(let number):
      return MatchTest(kind: .first, key: key, value: UInt32(truncatingIfNeeded: number))
    }
  }

  private mutating func add(_ language: RouteLanguage) {
    let automaton = language.automaton
    let classes = automata.count
    automata += automaton.classes.ascii
    let transitions = automata.count
    automata += automaton.transitions
    let accepting = automata.count
    automata += automaton.isAccepting.map { $0 ? 1 : 0 }
    let start = runs.count
    for run in automaton.classes.runs where run.range.upperBound >= 128 {
      runs += [run.range.lowerBound, run.range.upperBound, UInt32(run.number)]
    }
    languages.append(
      MatchLanguage(
        classes: UInt32(truncatingIfNeeded: classes),
        classCount: UInt32(truncatingIfNeeded: automaton.classes.count),
        transitions: UInt32(truncatingIfNeeded: transitions),
        accepting: UInt32(truncatingIfNeeded: accepting),
        runs: UInt32(truncatingIfNeeded: start),
        runCount: UInt32(truncatingIfNeeded: (runs.count - start) / 3)))
  }
}
