/// The shapes of routes in the order in which they win.
struct PrecedenceOrder {
  private(set) var tree = RouteTrie()
  /// The indices of the shapes, the first to win in front.
  private(set) var order: [Int] = []
  /// Pairs of shapes of which it is known that they take the same.
  private(set) var equals: [(first: Int, second: Int)] = []
  /// Pairs of routes about which `wins_over` has spoken.
  private(set) var constraints: [(winner: Int, loser: Int)] = []
  /// Pairs of routes of two layers, about which nobody but the layers has a say.
  private(set) var unusedConstraints: [(winner: Int, loser: Int)] = []

  /// Throws what a pattern, or `wins_over`, gets wrong.
  init(_ routes: [RouteRecord]) throws(RouteTableError) {
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
    // Of one pattern, the shape that captures more comes first.
    order = tree.order { one, other in
      (places[one.route], one.pattern, other.shape.segments.count)
        < (places[other.route], other.pattern, one.shape.segments.count)
    }
    let inclusion = CatchAllInclusion(tree, order, routes)
    equals = inclusion.equals
    order = inclusion.applied(to: order)
    let classes = Set(routes.map(\.precedenceClass)).sorted()
    if classes.count > 1 {
      let shapes = tree.shapes
      order = classes.flatMap { own in order.filter { routes[shapes[$0].route].precedenceClass == own } }
    }
    if routes.contains(where: { !$0.winsOver.isEmpty }) {
      let winsOver = WinsOver(routes)
      constraints = try winsOver.pairs()
      unusedConstraints = try winsOver.pairs(acrossLayers: true)
      order = try winsOver.order(order, of: &tree, constraints)
    }
  }
}
