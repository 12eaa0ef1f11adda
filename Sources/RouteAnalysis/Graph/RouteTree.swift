// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The patterns of a table as a tree, in which common prefixes are merged.
struct RouteTree {
  struct Node {
    let kind: RouteGraph.Node.Kind
    var lines: [String]
    /// The indices of the children, in the order in which they are drawn.
    var children: [Int] = []
    /// The number of nodes in the subtree, including this one.
    var size = 1
    /// The indices of the routes in the subtree.
    var routes: Set<Int> = []
  }

  /// The nodes; the first is the root, which is not drawn.
  private(set) var nodes = [Node(kind: .step, lines: [])]

  init<Action>(_ table: RouteTable<Action>, _ kind: (Action) -> String) {
    var joined = JoinedPatterns()
    for (number, route) in table.routes.enumerated() {
      for pattern in route.patterns { joined.add(pattern.steps, number) }
    }
    let hasOwners = Set(table.routes.map(\.owner)).count > 1
    let leaves = table.routes.map { route in
      Node(
        kind: .route,
        lines: [
          hasOwners ? "\(route.owner)/\(route.id)" : route.id,
          kind(route.action)
            + (route.conditions.isEmpty
              ? "" : ", if " + route.conditions.map(\.name).joined(separator: ", ")),
        ].map { Self.shortened($0) })
    }
    add(childrenOf: 0, joined, to: 0, leaves)
    measure()
  }

  /// Adds the descendants of a node of the merged patterns.
  private mutating func add(
    childrenOf number: Int, _ joined: JoinedPatterns, to parent: Int, _ leaves: [Node]
  ) {
    for route in joined.nodes[number].routes.sorted() {
      nodes[parent].children.append(nodes.count)
      var leaf = leaves[route]
      leaf.routes = [route]
      nodes.append(leaf)
    }
    for step in joined.nodes[number].children.keys.sorted(by: Self.precedes) {
      guard var next = joined.nodes[number].children[step] else { continue }
      // A node with a single child and no route is merged with that child.
      var steps = [step]
      while joined.nodes[next].routes.isEmpty, joined.nodes[next].children.count == 1,
        let only = joined.nodes[next].children.first
      {
        steps.append(only.key)
        next = only.value
      }
      nodes[parent].children.append(nodes.count)
      let child = nodes.count
      nodes.append(Node(kind: .step, lines: Self.lines(of: steps)))
      add(childrenOf: next, joined, to: child, leaves)
    }
  }

  /// Computes the sizes and routes of all subtrees, in reverse order because children follow their parents.
  private mutating func measure() {
    for number in nodes.indices.reversed() {
      for child in nodes[number].children {
        nodes[number].size += nodes[child].size
        nodes[number].routes.formUnion(nodes[child].routes)
      }
    }
  }

  /// Returns whether `one` precedes `other`: literals before captures, each in the order of their characters.
  private static func precedes(_ one: String, _ other: String) -> Bool {
    let (isFirst, isSecond) = (one.contains("{"), other.contains("{"))
    return isFirst == isSecond ? one < other : !isFirst
  }

  // MARK: - Text of nodes

  private static let lineWidth = 36
  private static let stepWidth = 60

  /// Returns the steps in lines of a readable width, without splitting a step.
  private static func lines(of steps: [String]) -> [String] {
    var lines: [String] = []
    for step in steps.map(shortened) {
      if let last = lines.last, last.count + step.count <= lineWidth {
        lines[lines.count - 1] = last + step
      } else {
        lines.append(step)
      }
    }
    return lines
  }

  private static func shortened(_ text: String) -> String {
    text.count <= stepWidth ? text : text.prefix(stepWidth - 1) + "…"
  }
}

/// A trie of patterns, which are sequences of steps.
private struct JoinedPatterns {
  struct Node {
    var children: [String: Int] = [:]
    /// The indices of the routes with a pattern that ends in this node.
    var routes: Set<Int> = []
  }

  private(set) var nodes = [Node()]

  mutating func add(_ steps: [String], _ route: Int) {
    var number = 0
    for step in steps {
      if let next = nodes[number].children[step] {
        number = next
      } else {
        nodes[number].children[step] = nodes.count
        number = nodes.count
        nodes.append(Node())
      }
    }
    nodes[number].routes.insert(route)
  }
}
