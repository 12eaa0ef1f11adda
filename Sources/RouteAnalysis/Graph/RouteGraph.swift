// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// The routes of a table as a tree for drawing: schemes, hosts, segments, and the routes as leaves.
///
/// Common prefixes of patterns are drawn once, and a node with a single child is merged with it. A table with too many nodes is
/// folded: a node with the text `… 214 routes` represents those routes.
///
/// ```swift
/// let graph = RouteGraph(table) { $0.name }
/// print(graph.mermaid)   // or graph.dot, for graphviz
/// ```
public struct RouteGraph: Hashable, Sendable {
  /// A box of the graph.
  public struct Node: Hashable, Sendable {
    /// The content of a node.
    public enum Kind: Hashable, Sendable {
      /// One or more components of patterns.
      case step
      /// A route: its ID and its action.
      case route
      /// Routes that are not drawn.
      case folded
    }

    /// The content of the node.
    public let kind: Kind
    /// The lines of text in the node, from the top.
    public let lines: [String]
    /// The indices of the node's children.
    public internal(set) var children: [Int] = []
  }

  /// The nodes; each node follows its parent.
  public internal(set) var nodes: [Node] = []

  /// Creates the graph of a table.
  ///
  /// - Parameters:
  ///   - depth: the maximum number of nodes on a path before the remainder is folded; `nil` draws as many as `limit` allows.
  ///   - limit: the maximum number of nodes if `depth` is `nil`.
  ///   - kind: returns a short description of an action.
  public init<Action>(
    _ table: RouteTable<Action>, depth: Int? = nil, limit: Int = 150, kind: (Action) -> String
  ) {
    let tree = RouteTree(table, kind)
    var folding = RouteFolding(tree, depth: depth)
    folding.draw(room: depth == nil ? max(1, limit) : .max)
    nodes = folding.nodes
  }
}
