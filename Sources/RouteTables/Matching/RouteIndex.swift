/// The finished index over the whole URL: arrays of numbers in one piece of memory, which one walk goes through.
@usableFromInline
final class RouteIndex: Sendable {
  private let memory: ContiguousArray<UInt64>
  private let sections: IndexSections
  /// The number of the node whose table has the keys of queries, each leading to its number and one more.
  private let keys: UInt32
  /// The node of the paths that hold under any scheme and host; 0 if there is none.
  private let barePaths: UInt32
  /// The names of the captures, one for each step.
  let captureNames: [String]
  /// The names of conditions.
  let conditions: [String]
  /// The languages of conditions.
  let conditionLanguages: [Int: RouteLanguage]
  /// The shapes as they were expanded, in their order.
  let forms: [PatternShape]
  /// How many nodes one segment of a URL can be tried against: the `W` of the stated cost.
  let width: Int

  init(_ tree: IndexTree, _ order: [Int], _ routes: [RouteRecord]) {
    var layout = IndexLayout(tree, order) { routes[$0].patterns[$1] }
    layout.run()
    var memory = ContiguousArray<UInt64>()
    sections = IndexSections(layout, &memory)
    self.memory = memory
    captureNames = layout.captureNames
    keys = layout.keyNode
    barePaths = layout.barePaths
    conditions = layout.conditions
    var languages: [Int: RouteLanguage] = [:]
    for shape in tree.shapes {
      for (_, number) in shape.conditions { languages[number] = tree.languages[number] }
    }
    conditionLanguages = languages
    forms = order.map { tree.shapes[$0].shape }
    width = layout.width
  }

  /// Lends the arrays.
  @inline(__always)
  func withView<Result>(_ body: (borrowing IndexView) -> Result, orElse other: Result) -> Result {
    memory.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return other }
      return body(IndexView(base, sections, keys: keys, barePaths: barePaths, Unmanaged.passUnretained(self)))
    }
  }
}

/// Where each array begins in the memory of an index, in bytes.
struct IndexSections: Sendable {
  let nodes, edges, branches, ends, shapes, tests, languages, automata, runs, pool, captureSteps: Int

  /// Puts the arrays of a layout into memory, one after the other.
  init(_ layout: IndexLayout, _ memory: inout ContiguousArray<UInt64>) {
    nodes = Self.append(layout.nodes, to: &memory)
    edges = Self.append(layout.edges, to: &memory)
    branches = Self.append(layout.branches, to: &memory)
    ends = Self.append(layout.ends, to: &memory)
    shapes = Self.append(layout.shapes, to: &memory)
    tests = Self.append(layout.tests, to: &memory)
    languages = Self.append(layout.languages, to: &memory)
    automata = Self.append(layout.automata, to: &memory)
    runs = Self.append(layout.runs, to: &memory)
    pool = Self.append(layout.pool, to: &memory)
    captureSteps = Self.append(layout.captureSteps, to: &memory)
  }

  private static func append<Element: BitwiseCopyable>(
    _ elements: [Element], to memory: inout ContiguousArray<UInt64>
  ) -> Int {
    let start = memory.count
    elements.withUnsafeBytes { bytes in
      memory.append(contentsOf: repeatElement(0, count: (bytes.count + 7) / 8 + 1))
      memory.withUnsafeMutableBytes { memory in
        UnsafeMutableRawBufferPointer(rebasing: memory[(start * 8)...]).copyMemory(from: bytes)
      }
    }
    return start * 8
  }
}

/// The arrays of an index as a match sees them: places in memory, lent for as long as it takes.
struct IndexView {
  let nodes: UnsafePointer<MatchNode>
  let edges: UnsafePointer<MatchEdge>
  let branches: UnsafePointer<MatchBranch>
  /// The shapes that end in nodes; the top bit says that nothing is asked for beyond the path.
  let ends: UnsafePointer<UInt32>
  let shapes: UnsafePointer<MatchShape>
  let tests: UnsafePointer<MatchTest>
  let languages: UnsafePointer<MatchLanguage>
  let automata: UnsafePointer<UInt16>
  let runs: UnsafePointer<UInt32>
  let pool: UnsafePointer<UInt8>
  let captureSteps: UnsafePointer<CaptureStep>
  let keys: UInt32
  let barePaths: UInt32
  private let owner: Unmanaged<RouteIndex>

  @inline(__always)
  init(
    _ base: UnsafeRawPointer, _ sections: IndexSections, keys: UInt32, barePaths: UInt32,
    _ owner: Unmanaged<RouteIndex>
  ) {
    nodes = (base + sections.nodes).assumingMemoryBound(to: MatchNode.self)
    edges = (base + sections.edges).assumingMemoryBound(to: MatchEdge.self)
    branches = (base + sections.branches).assumingMemoryBound(to: MatchBranch.self)
    ends = (base + sections.ends).assumingMemoryBound(to: UInt32.self)
    shapes = (base + sections.shapes).assumingMemoryBound(to: MatchShape.self)
    tests = (base + sections.tests).assumingMemoryBound(to: MatchTest.self)
    languages = (base + sections.languages).assumingMemoryBound(to: MatchLanguage.self)
    automata = (base + sections.automata).assumingMemoryBound(to: UInt16.self)
    runs = (base + sections.runs).assumingMemoryBound(to: UInt32.self)
    pool = (base + sections.pool).assumingMemoryBound(to: UInt8.self)
    captureSteps = (base + sections.captureSteps).assumingMemoryBound(to: CaptureStep.self)
    self.keys = keys
    self.barePaths = barePaths
    self.owner = owner
  }

  /// What is no number: names and languages of conditions.
  var index: RouteIndex { owner.takeUnretainedValue() }
}
