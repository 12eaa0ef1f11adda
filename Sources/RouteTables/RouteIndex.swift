/// A tree over the whole URL: scheme, host from the right, port, path; the shapes that end in a node stand there.
///
/// The walk goes to the narrowest child first, so that the first shape that holds is the one that wins, and each
/// node is entered at most once for a URL.
struct RouteIndex: Sendable {
  struct Node: Sendable {
    /// The children for captures; 0, the root, is none.
    var int: UInt32 = 0
    var uint: UInt32 = 0
    var any: UInt32 = 0
    /// The shapes that end here, the first to win in front.
    var shapes: [Int] = []

    subscript(type: RouteType) -> UInt32 {
      get {
        switch type {
        case .string: any
        case .int: int
        case .uint: uint
        }
      }
      set {
        switch type {
        case .string: any = newValue
        case .int: int = newValue
        case .uint: uint = newValue
        }
      }
    }
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
  }

  private(set) var symbols = SymbolTable()
  private(set) var nodes = [Node()]
  private(set) var shapes: [RouteShape] = []
  private var edges: [UInt64: UInt32] = [:]

  /// The node to which `label` leads.
  func node(after node: UInt32, _ label: Label) -> UInt32? {
    edges[UInt64(node) << 32 | UInt64(label.number)]
  }

  /// Adds a pattern, in any order.
  mutating func insert(_ pattern: RoutePattern, route: Int, index: Int) {
    var node: UInt32 = 0
    if let scheme = pattern.scheme {
      node = step(from: node, .literal(Array(scheme.utf8)))
      if let authority = pattern.authority {
        node = step(from: node, .authority)
        for label in authority.labels.reversed() { node = step(from: node, label) }
        node = step(from: node, Label(port: authority.port))
      } else {
        node = step(from: node, .noAuthority)
      }
    } else {
      node = step(from: node, .anyScheme)
    }
    node = step(from: node, pattern.isRooted ? .rooted : .rootless)
    for segment in pattern.segments { node = step(from: node, segment) }
    nodes[Int(node)].shapes.append(shapes.count)
    shapes.append(RouteShape(pattern, route: route, index: index, symbols: &symbols))
  }

  /// Puts the shapes of each node in their order; `areInOrder` decides where precedence does not.
  mutating func sort(by areInOrder: (RouteShape, RouteShape) -> Bool) {
    for index in nodes.indices where nodes[index].shapes.count > 1 {
      nodes[index].shapes.sort { first, second in
        let (first, second) = (shapes[first], shapes[second])
        if first.precedence == second.precedence { return areInOrder(first, second) }
        return first.precedence.lexicographicallyPrecedes(second.precedence)
      }
    }
  }

  private mutating func step(from node: UInt32, _ part: RoutePattern.Part) -> UInt32 {
    switch part {
    case .literal(let bytes): return step(from: node, Label(symbols.intern(bytes)))
    case .capture(let capture):
      if nodes[Int(node)][capture.type] == 0 { nodes[Int(node)][capture.type] = append() }
      return nodes[Int(node)][capture.type]
    }
  }

  private mutating func step(from node: UInt32, _ label: Label) -> UInt32 {
    if let next = self.node(after: node, label) { return next }
    let next = append()
    edges[UInt64(node) << 32 | UInt64(label.number)] = next
    return next
  }

  private mutating func append() -> UInt32 {
    nodes.append(Node())
    return UInt32(nodes.count - 1)
  }
}
