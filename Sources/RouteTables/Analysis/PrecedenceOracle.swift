/// The shapes of a table with the index that decides between them: who wins what is asked of it, request by request.
struct PrecedenceOracle {
  let routes: [RouteRecord]
  let shapes: PrecedenceOrder
  let index: RouteIndex
  private var classes: [Int: RequestSet] = [:]

  /// Throws what a pattern, or `wins_over`, gets wrong; a table that was built has nothing wrong.
  init(_ routes: [RouteRecord], _ index: RouteIndex) throws(RouteTableError) {
    self.routes = routes
    self.index = index
    shapes = try PrecedenceOrder(routes)
  }

  /// The number of the shape that wins a request; `nil` if none does, or if it is none that could be made.
  func winner(of request: RouteRequest) -> Int? {
    var found = FoundRoute()
    guard (try? index.find(request.url.utf8.span, request.context, &found)) == true else { return nil }
    return shapes.order[Int(found.shape)]
  }

  func pattern(of shape: Int) -> RoutePattern {
    routes[shapes.tree.shapes[shape].route].patterns[shapes.tree.shapes[shape].pattern]
  }

  func side(of shape: Int) -> RouteConflict.Side {
    let own = shapes.tree.shapes[shape]
    let route = routes[own.route]
    return RouteConflict.Side(
      id: route.id, pattern: route.patterns[own.pattern], location: route.patternLocations[own.pattern])
  }

  /// What a shape takes, in terms of `languages`, which have grown from those of the tree and are the same each time.
  mutating func requests(of number: Int, _ languages: inout LanguageInterner) -> RequestSet {
    if let known = classes[number] { return known }
    let requests = RequestSet(shapes.tree.shapes[number], pattern(of: number), &languages)
    classes[number] = requests
    return requests
  }
}
