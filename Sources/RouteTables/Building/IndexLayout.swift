/// Lays the tree out in flat arrays.
struct IndexLayout {
  private var tree: IndexTree
  private let pattern: (_ route: Int, _ index: Int) -> RoutePattern
  private let order: [Int]
  /// The nodes by their numbers in the tree, and how many places the table of each has in `edges`.
  private(set) var nodes: [MatchNode] = []
  private(set) var places: [UInt32] = []
  private(set) var edges: [MatchEdge] = [MatchEdge()]
  private(set) var branches: [MatchBranch] = []
  private(set) var ends: [UInt32] = []
  private(set) var shapes: [MatchShape] = []
  private(set) var tests: [MatchTest] = []
  private(set) var languages: [MatchLanguage] = []
  private(set) var automata: [UInt16] = []
  private(set) var runs: [UInt32] = []
  private(set) var pool: [UInt8] = [0]
  private(set) var keyNode = 0
  private(set) var captureSteps: [CaptureStep] = []
  private(set) var captureNames: [String] = []
  private(set) var conditions: [String] = []
  private(set) var width = 1
  /// The node of the paths that hold under any scheme and host; `nil` if there is none.
  var barePaths: Int? {
    let any = tree.nodes[0].texts.first { $0.label == .anyScheme }?.node
    return any.flatMap { tree.nodes[$0].texts.first { $0.label == IndexTree.Label(.rootedPath) }?.node }
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
    places = [UInt32](repeating: 0, count: tree.nodes.count)
    var widths = [Int](repeating: 1, count: tree.nodes.count)
    // A node comes after the one that leads to it.
    for number in tree.nodes.indices.reversed() {
      let node = tree.nodes[number]
      let ranked = node.shapes.count < 2 ? node.shapes.map { ranks[$0] } : node.shapes.map { ranks[$0] }.sorted()
      let own = ranked.map { $0 | (tree.shapes[order[Int($0)]].asksNothing ? 0x8000_0000 : 0) }
      nodes[number].shapes = own.count == 1 ? own[0] : UInt32(truncatingIfNeeded: ends.count)
      nodes[number].shapeCount = UInt32(truncatingIfNeeded: own.count)
      if own.count > 1 { ends += own }
      var best = ranked.first ?? .max
      var width = max(ranked.count, 1)
      for (_, next) in node.texts {
        best = min(best, nodes[next].best)
        width = max(width, widths[next])
      }
      for branch in node.branches { best = min(best, nodes[branch.node].best) }
      if let end = node.end {
        best = min(best, nodes[end].best)
        width = max(width, widths[end])
      }
      nodes[number].best = best
      for branch in node.branches {
        var own = widths[branch.node]
        if case .anchor(let length) = branch.kind { own *= max(1, length) }
        width = min(width + own, Int.max / 4096)
      }
      widths[number] = width
      layOut(number, node)
    }
    width = widths[0]
    let keyTable = keys.sorted { $0.value < $1.value }.map { (IndexTree.Label.text($0.key), Int($0.value)) }
    keyNode = append()
    layOutTexts(keyTable, of: keyNode)
    for language in tree.languages.languages { add(language) }
  }

  private mutating func append() -> Int {
    nodes.append(MatchNode())
    places.append(0)
    return nodes.count - 1
  }

  private mutating func layOut(_ number: Int, _ node: IndexTree.Node) {
    let end = node.end.map { [(IndexTree.Label.mark(IndexTree.Mark.hostEnd), $0)] } ?? []
    layOutTexts(node.texts.map { ($0.label, $0.node) } + end, of: number)
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
      case .one: own.append(self.branch(language, next, best))
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
      layOutTexts(folded, of: table)
      let best = folded.map { nodes[$0.1].best }.min() ?? .max
      own.append(MatchBranch(kind: .folded, language: 0, node: UInt32(truncatingIfNeeded: table), best: best))
    }
    own.sort { $0.best < $1.best }
    nodes[number].special = own.count == 1 && own[0].kind == .any ? own[0].node : MatchNode.several
    nodes[number].branches = UInt32(truncatingIfNeeded: branches.count)
    nodes[number].branchCount = UInt32(truncatingIfNeeded: own.count)
    branches += own
  }

  /// A way on that takes one text of a language.
  private mutating func branch(_ language: UInt32, _ next: UInt32, _ best: UInt32) -> MatchBranch {
    guard let affixes = tree.languages.affixes[Int(language)] else {
      let isAny = language == UInt32(LanguageTable.anyText)
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

  /// Writes a node's table: a text stands at its place or after it, and at least every other place is free.
  private mutating func layOutTexts(_ texts: [(IndexTree.Label, Int)], of number: Int) {
    guard !texts.isEmpty else { return }
    var size = 1
    while texts.count > 1, size < texts.count * 2 { size *= 2 }
    let start = edges.count
    edges.append(contentsOf: repeatElement(MatchEdge(), count: size))
    for (label, next) in texts {
      let edge = edge(label, UInt32(truncatingIfNeeded: next))
      var place = start + IndexView.place(of: edge.key, size - 1)
      while place < edges.count, edges[place].node != 0 { place += 1 }
      if place == edges.count { edges.append(edge) } else { edges[place] = edge }
    }
    // The search ends at a place that is free.
    if edges[edges.count - 1].node != 0 { edges.append(MatchEdge()) }
    nodes[number].texts = UInt32(truncatingIfNeeded: start)
    nodes[number].mask = UInt32(truncatingIfNeeded: size - 1)
    places[number] = UInt32(truncatingIfNeeded: edges.count - start)
  }

  private mutating func edge(_ label: IndexTree.Label, _ next: UInt32) -> MatchEdge {
    switch label {
    case .mark(let mark): return MatchEdge(key: TextKey(low: UInt64(mark)), node: next)
    case .text(let bytes):
      var reader = TextKeyReader()
      for byte in bytes { reader.append(byte) }
      return MatchEdge(key: reader.value, node: next, text: reader.isShort ? 0 : add(bytes))
    }
  }

  /// Puts a text into the pool, after its length.
  private mutating func add(_ bytes: [UInt8]) -> UInt32 {
    let start = UInt32(truncatingIfNeeded: pool.count)
    add(count: bytes.count)
    pool += bytes
    return start
  }

  private mutating func add(count: Int) {
    for shift in stride(from: 0, to: 32, by: 8) { pool.append(UInt8(truncatingIfNeeded: count >> shift)) }
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
    if pattern.captures.isEmpty {
      own.segments = 0
    } else {
      for item in pattern.query where keys[item.key] == nil {
        keys[item.key] = UInt32(truncatingIfNeeded: keys.count + 1)
      }
      own.isJoined = shape.shape.opening == .joinedPath
      own.captures = UInt32(truncatingIfNeeded: captureSteps.count)
      own.captureCount = UInt8(truncatingIfNeeded: pattern.captures.count)
      captureNames += pattern.captures.map(\.name)
      let steps = Self.steps(of: shape.shape, pattern, &tree.languages, keys)
      captureSteps += steps
      if !own.isJoined { own.segments = Self.segments(steps) }
    }
    shapes.append(own)
  }

  /// The segments that captures are, a byte each.
  private static func segments(_ steps: [CaptureStep]) -> UInt64 {
    var segments: UInt64 = 0
    for (place, step) in steps.enumerated() {
      guard step.kind == .segment, step.number < 0xFF, place < FoundRoute.told else {
        return MatchShape.notAllSegments
      }
      segments |= UInt64(step.number) << UInt64(place * 8)
    }
    return segments
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
        runCount: UInt32(truncatingIfNeeded: (runs.count - start) / 3),
        accepted: UInt32(truncatingIfNeeded: automaton.accepted)))
  }
}
