/// The finished index over the whole URL: numbers in one piece of memory, which one walk goes through.
@usableFromInline
final class RouteIndex: Sendable {
  private let memory: ContiguousArray<UInt64>
  /// The names of the captures, one for each step.
  let captureNames: [String]
  /// The names of conditions.
  let conditions: [String]
  /// The languages of conditions.
  let conditionLanguages: [Int: RegularLanguage]
  /// The shapes as they were expanded, in their order.
  let forms: [PatternVariant]
  /// Where in the order the shapes of a scheme are.
  let stretches: [SchemeRange]
  /// Whether some route has secret captures.
  let hasSecrets: Bool
  /// Whether some route says before which others it comes.
  let hasWishes: Bool
  /// How many nodes one segment of a URL can be tried against: the `W` of the stated cost.
  let width: Int

  init(_ tree: RouteTrie, _ order: [Int], _ routes: [RouteRecord]) {
    var layout = IndexEncoder(tree, order, routes)
    layout.run()
    memory = layout.memory
    captureNames = layout.captureNames
    conditions = layout.conditions
    var languages: [Int: RegularLanguage] = [:]
    for shape in tree.shapes {
      for (_, number) in shape.conditions { languages[number] = tree.languages[number] }
    }
    conditionLanguages = languages
    forms = order.map { tree.shapes[$0].shape }
    stretches = SchemeRange.all(of: forms)
    hasSecrets = routes.contains { !$0.secretCaptures.isEmpty }
    hasWishes = routes.contains { !$0.winsOver.isEmpty }
    width = layout.width
  }

  /// Lends the memory.
  @inline(__always)
  func withView<Result>(_ body: (borrowing RouteIndexView) -> Result, orElse other: Result) -> Result {
    memory.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return other }
      return body(RouteIndexView(base, Unmanaged.passUnretained(self)))
    }
  }
}

/// What the memory of an index begins with: where its arrays stand, in bytes, and a few of its nodes.
struct IndexHeader: BitwiseCopyable {
  var branches = 0
  /// The shapes that end in nodes; the top bit says that nothing is asked for beyond the path.
  var ends = 0
  var shapes = 0
  var tests = 0
  var languages = 0
  var automata = 0
  var runs = 0
  var pool = 0
  var captureSteps = 0
  /// The node of the schemes.
  var root: UInt32 = 0
  /// The node whose table has the keys of queries, each leading to its number.
  var keys: UInt32 = 0
  /// The node of the paths that hold under any scheme and host; 0 if there is none.
  var barePaths: UInt32 = 0
  /// Whether a key of a query has a `+` that is one.
  var keysHavePlus = false

  static let words = (MemoryLayout<IndexHeader>.size + 7) / 8
}

/// The memory of an index as a match sees it, lent for as long as it takes.
struct RouteIndexView {
  private let base: UnsafeRawPointer
  private let owner: Unmanaged<RouteIndex>

  @inline(__always)
  init(_ base: UnsafeRawPointer, _ owner: Unmanaged<RouteIndex>) {
    self.base = base
    self.owner = owner
  }

  @inline(__always) var header: UnsafePointer<IndexHeader> { base.assumingMemoryBound(to: IndexHeader.self) }

  @inline(__always)
  func node(_ number: UInt32) -> UnsafePointer<MatchNode> {
    (base + Int(number) &* 8).assumingMemoryBound(to: MatchNode.self)
  }

  /// The table of a node's texts.
  @inline(__always)
  func texts(of node: UnsafePointer<MatchNode>) -> UnsafePointer<MatchEdge> {
    (base + Int(node.pointee.texts) &* 8).assumingMemoryBound(to: MatchEdge.self)
  }

  @inline(__always) var branches: UnsafePointer<MatchBranch> { array(header.pointee.branches) }
  @inline(__always) var ends: UnsafePointer<UInt32> { array(header.pointee.ends) }
  @inline(__always) var shapes: UnsafePointer<MatchVariant> { array(header.pointee.shapes) }
  @inline(__always) var tests: UnsafePointer<MatchTest> { array(header.pointee.tests) }
  @inline(__always) var languages: UnsafePointer<MatchLanguage> { array(header.pointee.languages) }
  @inline(__always) var automata: UnsafePointer<UInt16> { array(header.pointee.automata) }
  @inline(__always) var runs: UnsafePointer<UInt32> { array(header.pointee.runs) }
  @inline(__always) var pool: UnsafePointer<UInt8> { array(header.pointee.pool) }
  @inline(__always) var captureSteps: UnsafePointer<CaptureStep> { array(header.pointee.captureSteps) }

  @inline(__always)
  private func array<Element: BitwiseCopyable>(_ start: Int) -> UnsafePointer<Element> {
    (base + start).assumingMemoryBound(to: Element.self)
  }

  /// What is no number: names and languages of conditions.
  var index: RouteIndex { owner.takeUnretainedValue() }
}
