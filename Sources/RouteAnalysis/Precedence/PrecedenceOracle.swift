// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The variants of a table and the index that decides which of them wins a request.
struct PrecedenceOracle {
  let routes: [RouteRecord]
  let shapes: PrecedenceOrder
  let index: RouteIndex
  private var classes: [Int: RequestSet] = [:]

  /// Creates the oracle of a table's routes.
  ///
  /// Throws the error of an invalid pattern or `wins_over` rule, which cannot occur in a table that was built.
  init(_ routes: [RouteRecord], _ index: RouteIndex) throws(RouteTableError) {
    self.routes = routes
    self.index = index
    shapes = try PrecedenceOrder(routes)
  }

  /// Returns the number of the variant that wins a request; `nil` if none does, or if the request is invalid.
  func winner(of request: RouteRequest) -> Int? {
    var found = FoundRoute()
    guard (try? index.find(request.url.utf8.span, context: request.context, found: &found)) == true else {
      return nil
    }
    return shapes.order[Int(found.shape)]
  }

  func pattern(of shape: Int) -> RoutePattern {
    routes[shapes.tree.shapes[shape].route].patterns[shapes.tree.shapes[shape].pattern]
  }

  func side(of shape: Int) -> RouteConflict.Side {
    let own = shapes.tree.shapes[shape]
    let route = routes[own.route]
    return RouteConflict.Side(
      id: route.id, owner: route.owner, pattern: route.patterns[own.pattern],
      location: route.patternLocations[own.pattern])
  }

  /// Returns the requests that a variant matches.
  ///
  /// `languages` must be an extension of the interner of the trie, and the same one in each call, because the result is
  /// cached.
  mutating func requests(of number: Int, _ languages: inout LanguageInterner) -> RequestSet {
    if let known = classes[number] { return known }
    let requests = RequestSet(shapes.tree.shapes[number], pattern: pattern(of: number), &languages)
    classes[number] = requests
    return requests
  }
}
