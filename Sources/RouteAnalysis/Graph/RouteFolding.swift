// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The drawing of a tree within a limit of nodes; the remainder is folded.
struct RouteFolding {
  private let tree: RouteTree
  private let depth: Int?
  private(set) var nodes: [RouteGraph.Node] = []

  init(_ tree: RouteTree, depth: Int?) {
    self.tree = tree
    self.depth = depth
  }

  /// Draws the tree with at most `room` nodes.
  mutating func draw(room: Int) { drawChildren(of: 0, from: nil, room: room, level: 0) }

  private mutating func draw(_ number: Int, from parent: Int?, room: Int, level: Int) {
    let node = tree.nodes[number]
    let drawn = add(RouteGraph.Node(kind: node.kind, lines: node.lines), to: parent)
    if !node.children.isEmpty { drawChildren(of: number, from: drawn, room: room - 1, level: level + 1) }
  }

  private mutating func drawChildren(of number: Int, from parent: Int?, room: Int, level: Int) {
    let children = tree.nodes[number].children
    guard level < depth ?? .max else { return fold(children, to: parent) }
    let rooms = rooms(for: children, in: room)
    for child in children {
      if let room = rooms[child] { draw(child, from: parent, room: room, level: level) }
    }
    fold(children.filter { rooms[$0] == nil }, to: parent)
  }

  private mutating func fold(_ children: [Int], to parent: Int?) {
    if children.count == 1, tree.nodes[children[0]].size == 1 {
      // A single route is drawn instead of folded, because the folded node would need the same room.
      return draw(children[0], from: parent, room: 1, level: 0)
    }
    var routes: Set<Int> = []
    for child in children { routes.formUnion(tree.nodes[child].routes) }
    guard !routes.isEmpty else { return }
    let line = "… \(routes.count) route\(routes.count == 1 ? "" : "s")"
    _ = add(RouteGraph.Node(kind: .folded, lines: [line]), to: parent)
  }

  private mutating func add(_ node: RouteGraph.Node, to parent: Int?) -> Int {
    if let parent { nodes[parent].children.append(nodes.count) }
    nodes.append(node)
    return nodes.count - 1
  }

  /// Returns the number of nodes for each child; the children without an entry are folded into one additional node.
  ///
  /// Small children are drawn completely, and large ones share the remaining nodes.
  private func rooms(for children: [Int], in room: Int) -> [Int: Int] {
    var left = room
    var rooms: [Int: Int] = [:]
    for child in shown(of: children, in: room) {
      rooms[child] = least(child)
      left -= least(child)
    }
    if rooms.count < children.count { left -= 1 }
    let bySize = rooms.keys.sorted { (tree.nodes[$0].size, $0) < (tree.nodes[$1].size, $1) }
    for (index, child) in bySize.enumerated() {
      let share = min(tree.nodes[child].size - least(child), left / (bySize.count - index))
      rooms[child, default: 0] += share
      left -= share
    }
    return rooms
  }

  /// Returns the children to draw: all if they fit, otherwise those with the most routes.
  private func shown(of children: [Int], in room: Int) -> [Int] {
    guard children.reduce(0, { $0 + least($1) }) > room else { return children }
    var left = room - 1
    return children.sorted { one, other in
      let (first, second) = (tree.nodes[one].routes.count, tree.nodes[other].routes.count)
      return first == second ? one < other : first > second
    }.prefix { child in
      left -= least(child)
      return left >= 0
    }
  }

  /// Returns the minimum number of nodes of a child: itself, and a folded node for its descendants.
  private func least(_ child: Int) -> Int { min(2, tree.nodes[child].size) }
}
