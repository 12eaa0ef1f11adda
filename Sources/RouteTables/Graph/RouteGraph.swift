/// The routes of a table as a tree to look at: schemes, hosts, segments, and at their ends the routes.
///
/// What patterns begin with in common is drawn once, and what has a single way on is one node with it. A table that is too large
/// to be read at once is folded: a node that ends in `… 214 routes` stands for them.
///
/// ```swift
/// let graph = RouteGraph(table) { $0.name }
/// print(graph.mermaid)   // or graph.dot, for graphviz
/// ```
public struct RouteGraph: Hashable, Sendable {
  /// A box of the picture.
  public struct Node: Hashable, Sendable {
    /// What a node stands for.
    public enum Kind: Hashable, Sendable {
      /// A part of patterns.
      case step
      /// A route: its ID, and what it does.
      case route
      /// Routes that are not drawn.
      case folded
    }

    /// What it stands for.
    public let kind: Kind
    /// What stands in it, from the top.
    public let lines: [String]
    /// The nodes that it leads to.
    public internal(set) var children: [Int] = []
  }

  /// The nodes, each after the one that leads to it.
  public internal(set) var nodes: [Node] = []

  /// The picture of a table.
  ///
  /// - Parameters:
  ///   - depth: how many nodes stand behind one another before the rest is folded; `nil` draws as many as `limit` allows.
  ///   - limit: how many nodes are drawn at most where no depth is said.
  ///   - kind: what an action is called in a word or two.
  public init<Action>(
    _ table: RouteTable<Action>, depth: Int? = nil, limit: Int = 150, kind: (Action) -> String
  ) {
    let tree = RouteTree(table, kind)
    var folding = RouteFolding(tree, depth: depth)
    folding.draw(room: depth == nil ? max(1, limit) : .max)
    nodes = folding.nodes
  }
}
