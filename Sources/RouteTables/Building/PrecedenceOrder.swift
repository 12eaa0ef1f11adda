// SPDX-License-Identifier: Apache-2.0
/// The variants of routes in the order of their precedence.
package struct PrecedenceOrder {
  package private(set) var tree = RouteTrie()
  /// The indices of the variants, the winner first.
  package private(set) var order: [Int] = []
  /// The variants in their order without `wins_over`.
  private var narrowerFirst: [Int] = []
  /// The pairs of variants that are known to match the same URLs.
  private(set) var equals: [(first: Int, second: Int)] = []
  /// The pairs of routes of one layer that `wins_over` orders.
  package private(set) var constraints: [WinsOver.Pair] = []
  /// The `wins_over` pairs of routes in different layers; they have no effect, because the layers decide.
  package private(set) var unusedConstraints: [WinsOver.Pair] = []
  /// The pairs of `wins_over` that cannot be satisfied, and their errors.
  private(set) var ignored: [WinsOver.Pair] = []
  private(set) var faults: [RouteTableError] = []

  /// Computes the order; throws ``RouteTableError`` for an invalid pattern or `wins_over`.
  ///
  /// - Parameters:
  ///   - skipping: indicates whether a `wins_over` that cannot be satisfied is ignored instead.
  ///   - winsOverBudget: the maximum numbers of steps in which the `wins_over` of a layer are compared with its routes.
  package init(_ routes: [RouteRecord], skipping: Bool = false, winsOverBudget: WinsOver.Budget = .standard)
    throws(RouteTableError)
  {
    tree.reserve(routes.count)
    let precedence = routes.indices.sorted { RouteRecord.precedes(routes[$0], routes[$1]) }
    var places = [Int](repeating: 0, count: routes.count)
    for (place, number) in precedence.enumerated() {
      places[number] = place
      let route = routes[number]
      for (index, pattern) in route.patterns.enumerated() {
        for shape in try PatternExpansion.shapes(of: pattern) {
          let shape = RouteVariant(
            shape, of: pattern, route: number, index: index, conditions: route.conditions,
            languages: &tree.languages)
          tree.insert(shape, of: pattern)
        }
      }
    }
    // Of two variants of one pattern, the one with more segments wins, because it captures more.
    order = tree.order { one, other in
      (places[one.route], one.pattern, other.shape.segments.count)
        < (places[other.route], other.pattern, one.shape.segments.count)
    }
    let inclusion = CatchAllInclusion(tree, order: order, routes: routes)
    equals = inclusion.equals
    order = inclusion.applied(to: order)
    let classes = Set(routes.map(\.precedenceClass)).sorted()
    if classes.count > 1 {
      let shapes = tree.shapes
      order = classes.flatMap { own in order.filter { routes[shapes[$0].route].precedenceClass == own } }
    }
    narrowerFirst = order
    if routes.contains(where: { !$0.winsOver.isEmpty }) {
      let winsOver = WinsOver(routes)
      constraints = try winsOver.pairs()
      unusedConstraints = try winsOver.pairs(acrossLayers: true)
      let outcome = winsOver.order(order, of: &tree, constraints, budget: winsOverBudget)
      if let fault = outcome.faults.first, !skipping { throw fault }
      (order, ignored, faults) = (outcome.order, outcome.ignored, outcome.faults)
      let lost = Set(ignored)
      constraints.removeAll { lost.contains($0) }
    }
  }

  /// Returns those of some routes of a route's layer that its `wins_over` could name, all at once, beside the present rules.
  ///
  /// Routes that cannot be compared within `budget` are not among them.
  ///
  /// - Parameter routes: the routes of the order.
  package func possibleLosers(
    of winner: Int, among losers: Set<Int>, in routes: [RouteRecord], budget: WinsOver.Budget
  ) -> Set<Int> {
    let present = constraints.filter { routes[$0.winner].rank == routes[winner].rank }
    // A pair that contradicts a present one is not added, so that it does not also exclude the others.
    let excluded = Set(
      present.flatMap { pair in
        pair.winner == winner ? [pair.loser] : pair.loser == winner ? [pair.winner] : []
      })
    var pairs = losers.subtracting(excluded).map { WinsOver.Pair(winner: winner, loser: $0) }
    var tree = tree
    while !pairs.isEmpty {
      let outcome = WinsOver(routes).order(narrowerFirst, of: &tree, present + pairs, budget: budget)
      let ignored = Set(outcome.ignored)
      let kept = pairs.filter { !ignored.contains($0) }
      if ignored.isDisjoint(with: present) { return Set(kept.map(\.loser)) }
      // Without the ignored ones, the present ones may be satisfied again.
      guard kept.count < pairs.count else { return [] }
      pairs = kept
    }
    return []
  }
}
