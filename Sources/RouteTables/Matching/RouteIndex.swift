/// The finished index over the whole URL: flat arrays of numbers, which one walk goes through.
@usableFromInline
final class RouteIndex: Sendable {
  // Written once, here; the class owns them.
  nonisolated(unsafe) let nodes: UnsafeMutableBufferPointer<MatchNode>
  nonisolated(unsafe) let edges: UnsafeMutableBufferPointer<MatchEdge>
  nonisolated(unsafe) let branches: UnsafeMutableBufferPointer<MatchBranch>
  /// The shapes that end in nodes; the top bit says that nothing is asked for beyond the path.
  nonisolated(unsafe) let ends: UnsafeMutableBufferPointer<UInt32>
  nonisolated(unsafe) let shapes: UnsafeMutableBufferPointer<MatchShape>
  nonisolated(unsafe) let tests: UnsafeMutableBufferPointer<MatchTest>
  nonisolated(unsafe) let languages: UnsafeMutableBufferPointer<MatchLanguage>
  nonisolated(unsafe) let automata: UnsafeMutableBufferPointer<UInt16>
  nonisolated(unsafe) let runs: UnsafeMutableBufferPointer<UInt32>
  nonisolated(unsafe) let pool: UnsafeMutableBufferPointer<UInt8>
  nonisolated(unsafe) let captureSteps: UnsafeMutableBufferPointer<CaptureStep>
  /// The names of the captures, one for each step.
  let captureNames: [String]
  /// The number of the node whose table has the keys of queries, each leading to its number and one more.
  let keys: UInt32
  /// The node of the paths that hold under any scheme and host; 0 if there is none.
  let barePaths: UInt32
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
    captureNames = layout.captureNames
    captureSteps = Self.array(layout.captureSteps)
    nodes = Self.array(layout.nodes)
    edges = Self.array(layout.edges)
    branches = Self.array(layout.branches)
    ends = Self.array(layout.ends)
    shapes = Self.array(layout.shapes)
    tests = Self.array(layout.tests)
    self.languages = Self.array(layout.languages)
    automata = Self.array(layout.automata)
    runs = Self.array(layout.runs)
    pool = Self.array(layout.pool)
    keys = layout.keyNode
    conditions = layout.conditions
    var languages: [Int: RouteLanguage] = [:]
    for shape in tree.shapes {
      for (_, number) in shape.conditions { languages[number] = tree.languages[number] }
    }
    conditionLanguages = languages
    forms = order.map { tree.shapes[$0].shape }
    width = layout.width
    barePaths = layout.barePaths
  }

  private static func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutableBufferPointer<
    Element
  > {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(1, elements.count))
    _ = buffer.initialize(from: elements)
    return buffer
  }

  deinit {
    nodes.deallocate()
    edges.deallocate()
    branches.deallocate()
    ends.deallocate()
    shapes.deallocate()
    tests.deallocate()
    languages.deallocate()
    automata.deallocate()
    runs.deallocate()
    pool.deallocate()
    captureSteps.deallocate()
  }
}
