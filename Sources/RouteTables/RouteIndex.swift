/// A tree over the whole URL: scheme, host from the right, port, path; the shapes that end in a node stand there.
///
/// The walk goes to the narrowest child first, so that the first shape that holds is the one that wins, and each
/// node is entered at most once for a URL.
struct RouteIndex: Sendable {
  /// A child for the texts of a language.
  struct Hole: Sendable {
    let language: LanguageTable.Number
    let node: UInt32
  }

  struct Node: Sendable {
    /// The children for captures, the narrower in front.
    var holes: [Hole] = []
    /// The children for literals and marks, in the order in which they came.
    var literals: [(label: Label, node: UInt32)] = []
    /// The shapes that end here, the first to win in front.
    var shapes: [Int] = []
    /// The first shape that went through here, in the order of owners and IDs.
    var first = Int.max
  }

  /// What an edge says: a mark, a port, or the symbol of a literal.
  struct Label: Hashable, Sendable {
    let number: UInt32
    static let anyScheme = Label(number: 1)
    static let authority = Label(number: 2)
    static let noAuthority = Label(number: 3)
    static let rooted = Label(number: 4)
    static let rootless = Label(number: 5)
    static let unknown = Label(number: 6)

    private init(number: UInt32) { self.number = number }

    /// Ends the host; `nil` is the default port or none.
    init(port: UInt16?) { number = port.map { 0x100 + UInt32($0) } ?? 7 }

    init(_ symbol: SymbolTable.Symbol) {
      number = symbol == SymbolTable.none ? Label.unknown.number : 0x2_0000 + symbol
    }

    /// The literal's number; `nil` for a mark or a port.
    var symbol: SymbolTable.Symbol? { number > 0x2_0000 ? number - 0x2_0000 : nil }
  }

  private(set) var symbols = SymbolTable()
  var languages = LanguageTable()
  var nodes = [Node()]
  private(set) var shapes: [RouteShape] = []
  private var edges: [UInt64: UInt32] = [:]

  /// The node to which `label` leads.
  func node(after node: UInt32, _ label: Label) -> UInt32? {
    edges[UInt64(node) << 32 | UInt64(label.number)]
  }

  /// Adds a pattern, in the order of owners, IDs and patterns.
  mutating func insert(_ pattern: RoutePattern, route: Int, index: Int) {
    var node: UInt32 = 0
    if let scheme = pattern.scheme {
      node = step(from: node, .literal(Array(scheme.utf8)), .host)
      if let authority = pattern.authority {
        node = step(from: node, .authority)
        for label in authority.labels.reversed() { node = step(from: node, label, .host) }
        node = step(from: node, Label(port: authority.port))
      } else {
        node = step(from: node, .noAuthority)
      }
    } else {
      node = step(from: node, .anyScheme)
    }
    node = step(from: node, pattern.isRooted ? .rooted : .rootless)
    for segment in pattern.segments { node = step(from: node, segment, .path) }
    nodes[Int(node)].shapes.append(shapes.count)
    shapes.append(
      RouteShape(pattern, route: route, index: index, symbols: &symbols, languages: &languages))
  }

  private mutating func step(
    from node: UInt32, _ part: RoutePattern.Part, _ component: PatternPart.Component
  ) -> UInt32 {
    switch part {
    case .literal(let bytes): return step(from: node, Label(symbols.intern(bytes)))
    case .capture(let capture):
      let language = languages.intern(capture.language(in: component))
      if let hole = nodes[Int(node)].holes.first(where: { $0.language == language }) { return hole.node }
      let next = append()
      nodes[Int(node)].holes.append(Hole(language: language, node: next))
      return next
    }
  }

  private mutating func step(from node: UInt32, _ label: Label) -> UInt32 {
    if let next = self.node(after: node, label) { return next }
    let next = append()
    edges[UInt64(node) << 32 | UInt64(label.number)] = next
    nodes[Int(node)].literals.append((label, next))
    return next
  }

  private mutating func append() -> UInt32 {
    nodes.append(Node())
    // Shapes come in the order of owners and IDs: the first to come through is the one that made the node.
    nodes[nodes.count - 1].first = shapes.count
    return UInt32(nodes.count - 1)
  }
}
