/// Two routes that match some URL in common, neither narrower than the other, so that the first difference from the left decided.
public struct LeftmostDecision: Hashable, Sendable, CustomStringConvertible {
  /// The indices of the two among the routes of the table, the one that comes first in front.
  public let routeIndices: [Int]
  /// The one that comes first.
  public let winner: RouteConflict.Side
  /// The other one.
  public let loser: RouteConflict.Side
  /// A request that both match.
  public let witness: RouteRequest

  /// The sentence a person reads, without a place in front: it names two.
  public var description: String {
    "the routes \(winner) and \(loser) cross, for example \(witness): "
      + "the first wins by its first difference from the left; say `wins_over` in one of them"
  }
}

extension RouteTable {
  /// The pairs of routes of one rank between which neither inclusion nor `wins_over` decides.
  ///
  /// All pairs are compared, at most `budget` of them; `isComplete` says whether that was enough.
  public func leftmostDecisions(
    budget: Int = 1_000_000
  ) -> (decisions: [LeftmostDecision], isComplete: Bool) {
    var search = LeftmostSearch(routes.map(\.record), budget: budget)
    search.run()
    return (search.decisions, search.isComplete)
  }
}

/// Compares all pairs of shapes, for those between which only the order from the left decides.
private struct LeftmostSearch {
  private struct Pair: Hashable {
    let first: Int
    let second: Int
  }

  private let routes: [RouteRecord]
  private var tree = IndexTree()
  private var budget: Int
  /// The place of each shape in the order of precedence.
  private var places: [Int] = []
  /// Pairs of routes that need no decision, or had one.
  private var settled: Set<Pair> = []
  private(set) var decisions: [LeftmostDecision] = []
  private(set) var isComplete = true

  init(_ routes: [RouteRecord], budget: Int) {
    self.routes = routes
    self.budget = budget
    for (number, route) in routes.enumerated() {
      for (index, pattern) in route.patterns.enumerated() {
        // The table was built of these shapes.
        for shape in (try? ShapeExpansion.shapes(of: pattern)) ?? [] {
          let shape = RouteShape(
            shape, of: pattern, route: number, index: index, conditions: route.conditions,
            languages: &tree.languages)
          tree.insert(shape, of: pattern)
        }
      }
    }
    let order = tree.order { RouteRecord.precedes(routes[$0.route], routes[$1.route]) }
    places = [Int](repeating: 0, count: order.count)
    for (place, shape) in order.enumerated() { places[shape] = place }
    for pair in (try? WinsOver(routes).pairs()) ?? [] {
      settled.insert(Pair(first: min(pair.winner, pair.loser), second: max(pair.winner, pair.loser)))
    }
  }

  mutating func run() {
    for first in tree.shapes.indices {
      for second in tree.shapes.indices[(first + 1)...]
      where tree.shapes[first].route != tree.shapes[second].route {
        guard budget > 0 else {
          isComplete = false
          return
        }
        budget -= 1
        compare(first, second)
      }
    }
  }

  private mutating func compare(_ one: Int, _ other: Int) {
    let (first, second) = (tree.shapes[one], tree.shapes[other])
    let schemes = (first.shape.scheme, second.shape.scheme)
    let pair = Pair(first: first.route, second: second.route)
    guard routes[first.route].rank == routes[second.route].rank,
      schemes.0 == schemes.1 || schemes.0 == nil || schemes.1 == nil, !settled.contains(pair)
    else { return }
    let patterns = (
      routes[first.route].patterns[first.pattern], routes[second.route].patterns[second.pattern]
    )
    let product = ShapeProduct(first, patterns.0, second, patterns.1)
    guard let witness = product.witness(&tree.languages), !product.isFirstInSecond(&tree.languages),
      !ShapeProduct(second, patterns.1, first, patterns.0).isFirstInSecond(&tree.languages)
    else { return }
    settled.insert(pair)
    let sides = places[one] < places[other] ? (first, second) : (second, first)
    decisions.append(
      LeftmostDecision(
        routeIndices: [sides.0.route, sides.1.route], winner: side(sides.0), loser: side(sides.1),
        witness: witness))
  }

  private func side(_ shape: RouteShape) -> RouteConflict.Side {
    let route = routes[shape.route]
    return RouteConflict.Side(
      id: route.id, pattern: route.patterns[shape.pattern], location: route.patternLocations[shape.pattern])
  }
}
