/// Finds the shapes that no order could tell apart: equal ones by their keys, crossings among siblings, in a budget.
struct RouteConflictSearch<Action: Sendable> {
  private struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  private var index: RouteIndex
  private let routes: [Route<Action>]
  /// Steps that are left; past them the smaller ID wins.
  private var budget = 1_000_000
  private var found: Set<Pair> = []
  private(set) var conflicts: [RouteConflict] = []
  /// The routes that take part in a conflict.
  private(set) var setAside: Set<Int> = []

  init(_ index: RouteIndex, _ routes: [Route<Action>]) {
    self.index = index
    self.routes = routes
  }

  mutating func run() {
    for node in index.nodes {
      findEqual(node.shapes)
      findCrossing(node.shapes)
      for (place, first) in node.holes.enumerated() {
        for second in node.holes[(place + 1)...] where budget > 0 {
          budget -= 1
          guard index.languages.relation(first.language, second.language) == .crossing else { continue }
          meet(first.node, second.node)
        }
      }
    }
    conflicts.sort {
      ($0.first.location.file, $0.first.location.line, $0.first.id, $0.second.id)
        < ($1.first.location.file, $1.first.location.line, $1.first.id, $1.second.id)
    }
  }

  private mutating func findEqual(_ shapes: [Int]) {
    guard shapes.count > 1 else { return }
    var seen: [String: [[RouteShape.Test?]: Int]] = [:]
    for shape in shapes.sorted() {
      let key = index.shapes[shape].key
      let owner = routes[index.shapes[shape].route].owner
      if let first = seen[owner]?[key] {
        report(.equal, first, shape)
      } else {
        seen[owner, default: [:]][key] = shape
      }
    }
  }

  private mutating func findCrossing(_ shapes: [Int]) {
    for (place, first) in shapes.enumerated() {
      for second in shapes[(place + 1)...] where budget > 0 {
        budget -= 1
        if index.shapes[first].crosses(index.shapes[second], &index.languages) {
          report(.crossing, first, second)
        }
      }
    }
  }

  /// Reports the shapes below two nodes that some URL leads to both of.
  private mutating func meet(_ first: UInt32, _ second: UInt32) {
    guard budget > 0 else { return }
    budget -= 1
    let (one, other) = (index.nodes[Int(first)], index.nodes[Int(second)])
    for shape in one.shapes {
      for another in other.shapes where budget > 0 {
        budget -= 1
        if index.shapes[shape].meets(index.shapes[another], &index.languages) {
          report(.crossing, shape, another)
        }
      }
    }
    for (label, node) in one.literals {
      if let next = index.node(after: second, label) { meet(node, next) }
      for hole in other.holes where takes(hole, label) { meet(node, hole.node) }
    }
    for hole in one.holes {
      for (label, node) in other.literals where takes(hole, label) { meet(hole.node, node) }
      for another in other.holes
      where index.languages.relation(hole.language, another.language) != .disjoint {
        meet(hole.node, another.node)
      }
    }
  }

  private func takes(_ hole: RouteIndex.Hole, _ label: RouteIndex.Label) -> Bool {
    guard let symbol = label.symbol else { return false }
    let text = String(decoding: index.symbols[symbol], as: UTF8.self)
    return index.languages[hole.language].contains(text)
  }

  private mutating func report(_ kind: RouteConflict.Kind, _ first: Int, _ second: Int) {
    let shapes = [index.shapes[first], index.shapes[second]].sorted {
      ($0.route, $0.pattern) < ($1.route, $1.pattern)
    }
    let (one, other) = (routes[shapes[0].route], routes[shapes[1].route])
    // Between owners, and among the patterns of one route, precedence decides.
    guard one.owner == other.owner, kind == .equal || shapes[0].route != shapes[1].route,
      found.insert(Pair(first: shapes[0].route, second: shapes[1].route)).inserted
    else { return }
    setAside.formUnion(shapes.map(\.route))
    let sides = shapes.map { shape in
      RouteConflict.Side(
        id: routes[shape.route].id, pattern: routes[shape.route].patterns[shape.pattern],
        location: routes[shape.route].patternLocations[shape.pattern])
    }
    conflicts.append(
      RouteConflict(
        kind: kind, owner: one.owner, first: sides[0], second: sides[1],
        witness: sides[0].pattern.witness(with: sides[1].pattern)))
  }
}
