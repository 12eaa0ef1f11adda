// SPDX-License-Identifier: Apache-2.0
/// The `wins_over` rules, by which a route precedes another regardless of their patterns.
package struct WinsOver {
  private struct Pair: Hashable {
    let winner: Int
    let loser: Int
  }

  private let routes: [RouteRecord]
  private var numbers: [String: Int] = [:]

  package init(_ routes: [RouteRecord]) {
    self.routes = routes
    for (number, route) in routes.enumerated() { numbers["\(route.owner)/\(route.id)"] = number }
  }

  /// Returns the pairs of winner and loser in one layer, or with `acrossLayers` those in different layers, which have no effect.
  ///
  /// - Throws: `unknownRoute` for a name that no route has.
  package func pairs(acrossLayers: Bool = false) throws(RouteTableError) -> [(winner: Int, loser: Int)] {
    var pairs: [(winner: Int, loser: Int)] = []
    for (number, route) in routes.enumerated() {
      for name in route.winsOver {
        let named = [numbers["\(route.owner)/\(name)"], numbers[name]].compactMap(\.self)
        // A route of another layer whose ID looks like `OWNER/ID` must not replace the one that the name means.
        guard let loser = named.first(where: { routes[$0].rank == route.rank }) ?? named.first else {
          throw RouteTableError(.unknownRoute(name), location: route.location)
        }
        if (route.rank != routes[loser].rank) == acrossLayers { pairs.append((number, loser)) }
      }
    }
    return pairs
  }

  /// Returns `order`, changed as far as the pairs require.
  ///
  /// Each loser is moved behind its winner, and each variant that includes a moved variant is moved behind that variant. A route
  /// with `RouteRecord.overrides` still precedes the routes that match a common request, unless they win over it. The
  /// routes that win over it are moved before it instead, with the variants that precede them and match a common request;
  /// all other variants keep their order.
  ///
  /// - Throws: `unreachable` if the winner's variants include every variant of the loser, `circularPrecedence` if there is no order.
  func order(
    _ order: [Int], of tree: inout RouteTrie, _ pairs: [(winner: Int, loser: Int)]
  ) throws(RouteTableError) -> [Int] {
    guard !pairs.isEmpty else { return order }
    var inclusions = InclusionCache(tree, routes)
    // The positions in `order` of the variants of each route.
    var places: [Int: [Int]] = [:]
    for (place, shape) in order.enumerated() { places[tree.shapes[shape].route, default: []].append(place) }
    var waits = PrecedenceGraph(count: order.count)
    for (winner, loser) in pairs {
      let (firsts, seconds) = (places[winner] ?? [], places[loser] ?? [])
      let isTaken = seconds.allSatisfy { own in
        firsts.contains { inclusions.includes(order[$0], narrower: order[own], &tree.languages) }
      }
      guard !isTaken else {
        throw RouteTableError(
          .unreachable(routes[loser].id, by: routes[winner].id), location: routes[winner].location)
      }
      for first in firsts { for second in seconds { waits.add(first, before: second) } }
    }
    let overridden = Set(
      pairs.filter { routes[$0.loser].overrides && !routes[$0.winner].overrides }.map(\.loser))
    var waiting = Set(pairs.map(\.loser))
    for denial in overridden.sorted() {
      let winners = Set(pairs.filter { $0.loser == denial }.map(\.winner))
      for (number, route) in routes.enumerated()
      where route.rank == routes[denial].rank && !route.overrides && !winners.contains(number) {
        for first in places[denial] ?? [] {
          for second in places[number] ?? []
          where inclusions.meet(order[first], and: order[second], &tree.languages) {
            waits.add(first, before: second)
            waiting.insert(number)
          }
        }
      }
    }
    for loser in waiting.sorted() {
      for place in places[loser] ?? [] {
        for other in order.indices.dropFirst(place + 1) where tree.shapes[order[other]].route != loser {
          // A wider overriding route need not follow this one, because the rule's winner has to precede only this one.
          if overridden.contains(loser), routes[tree.shapes[order[other]].route].overrides { continue }
          if inclusions.includes(order[other], narrower: order[place], &tree.languages) {
            waits.add(place, before: other)
          }
        }
      }
    }
    let denials = overridden.flatMap { places[$0] ?? [] }.sorted()
    if let first = denials.first {
      var moving = pairs.filter { overridden.contains($0.loser) }.flatMap { places[$0.winner] ?? [] }
      var moved: Set<Int> = []
      while let place = moving.popLast() {
        guard moved.insert(place).inserted, first < place else { continue }
        let followers = waits.followers(of: place)
        for other in first..<place
        where !followers.contains(other) && inclusions.meet(order[other], and: order[place], &tree.languages)
        {
          waits.add(other, before: place)
          moving.append(other)
        }
      }
    }
    switch waits.sorted(hastening: denials) {
    case .order(let places): return places.map { order[$0] }
    case .circle(let places): throw error(for: places.map { tree.shapes[order[$0]] }, pairs)
    }
  }

  /// Returns the error for a cycle, in which each variant precedes the next and the last precedes the first.
  private func error(for circle: [RouteVariant], _ pairs: [(winner: Int, loser: Int)]) -> RouteTableError {
    let constraints = Set(pairs.map { Pair(winner: $0.winner, loser: $0.loser) })
    var steps = zip(circle, circle.dropFirst() + circle.prefix(1)).map { first, second in
      PrecedenceStep(
        first: side(of: first), second: side(of: second),
        cause: cause(of: Pair(winner: first.route, loser: second.route), constraints))
    }
    // Inclusion alone forms no cycle, so each cycle contains a `wins_over` step. The message begins with the first of them.
    let starts = steps.indices.filter { steps[$0].cause == .winsOver }
    let start = starts.min { steps[$0].first.location < steps[$1].first.location } ?? 0
    steps = Array(steps[start...] + steps[..<start])
    return RouteTableError(.circularPrecedence(steps), location: routes[circle[start].route].location)
  }

  private func cause(of pair: Pair, _ constraints: Set<Pair>) -> PrecedenceStep.Cause {
    if constraints.contains(pair) { return .winsOver }
    return routes[pair.winner].overrides && !routes[pair.loser].overrides ? .denies : .narrower
  }

  private func side(of shape: RouteVariant) -> RouteConflict.Side {
    let route = routes[shape.route]
    return RouteConflict.Side(
      id: route.id, pattern: route.patterns[shape.pattern], location: route.patternLocations[shape.pattern])
  }
}
