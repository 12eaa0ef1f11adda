// SPDX-License-Identifier: Apache-2.0
/// The `wins_over` rules, by which a route precedes another regardless of their patterns.
package struct WinsOver {
  /// A route and another that comes after it, by index.
  package struct Pair: Hashable, Sendable {
    package let winner: Int
    package let loser: Int
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
  package func pairs(acrossLayers: Bool = false) throws(RouteTableError) -> [Pair] {
    var pairs: [Pair] = []
    for (number, route) in routes.enumerated() {
      for name in route.winsOver {
        guard let loser = loser(named: name, by: number) else {
          throw RouteTableError(.unknownRoute(name), location: route.location)
        }
        if (route.rank != routes[loser].rank) == acrossLayers {
          pairs.append(Pair(winner: number, loser: loser))
        }
      }
    }
    return pairs
  }

  /// An order of variants, and the pairs that it does not satisfy.
  struct Outcome {
    var order: [Int]
    /// The pairs that are ignored, because they cannot be satisfied.
    var ignored: [Pair] = []
    /// The errors of the ignored pairs: one for each cycle, or for several that share a pair.
    var faults: [RouteTableError] = []
  }

  /// The number of cycles above which further ones are ignored without an error, because a file can have thousands of them.
  private static let manyFaults = 100

  /// Returns `order`, changed as far as the pairs require.
  ///
  /// Each loser is moved behind its winner, and each variant that includes a moved variant is moved behind that variant. A route
  /// with `RouteRecord.overrides` still precedes the routes that match a common request, unless they win over it. The
  /// routes that win over it are moved before it instead, with the variants that precede them and match a common request;
  /// all other variants keep their order.
  ///
  /// A pair is ignored, with an error, if the winner's variants include every variant of the loser (`unreachable`), or if it
  /// takes part in a cycle (`circularPrecedence`). Of the pairs of a cycle, those of routes of other directories than the
  /// administrator's own are ignored first, because the files of others must not disable what an owner has settled alone; of
  /// these, those of routes that are not stricter than the loser, and of these, those between different owners.
  func order(
    _ order: [Int], of tree: inout RouteTrie, _ pairs: [Pair]
  ) -> Outcome {
    var outcome = Outcome(order: order)
    guard !pairs.isEmpty else { return outcome }
    var inclusions = InclusionCache(tree, routes)
    // The positions in `order` of the variants of each route.
    var places: [Int: [Int]] = [:]
    for (place, shape) in order.enumerated() { places[tree.shapes[shape].route, default: []].append(place) }
    var kept: [Pair] = []
    for pair in pairs {
      let (firsts, seconds) = (places[pair.winner] ?? [], places[pair.loser] ?? [])
      // A stricter route may take every URL of another.
      let isTaken =
        !isStricter(pair)
        && seconds.allSatisfy { own in
          firsts.contains { inclusions.includes(order[$0], narrower: order[own], &tree.languages) }
        }
      guard isTaken else {
        kept.append(pair)
        continue
      }
      outcome.ignored.append(pair)
      let (winner, loser) = (routes[pair.winner], routes[pair.loser])
      outcome.faults.append(RouteTableError(.unreachable(loser.id, by: winner.id), location: winner.location))
    }
    while !kept.isEmpty {
      let (waits, hastened) = constraints(of: kept, places: places, in: order, &tree, &inclusions)
      switch waits.sorted(hastening: hastened) {
      case .order(let places):
        outcome.order = places.map { order[$0] }
        return outcome
      case .circles(let circles):
        let groups = groups(of: kept, in: circles, places)
        var dropped: Set<Pair> = []
        for (circle, group) in zip(circles, groups) where !group.isEmpty {
          let ignored = ignoredFirst(among: group)
          dropped.formUnion(ignored)
          guard outcome.faults.count < Self.manyFaults else { continue }
          let steps = waits.shortestCircle(among: Set(circle)).map { tree.shapes[order[$0]] }
          outcome.faults.append(error(for: steps, kept, ignoring: ignored))
        }
        // Each cycle contains a pair. Should one be missing, the loop ends nevertheless.
        outcome.ignored += kept.filter { dropped.isEmpty || dropped.contains($0) }
        kept.removeAll { dropped.isEmpty || dropped.contains($0) }
      }
    }
    return outcome
  }

  /// Returns whether the winner denies what the loser does not, or asks where the loser opens.
  private func isStricter(_ pair: Pair) -> Bool {
    routes[pair.winner].strictness > routes[pair.loser].strictness
  }

  /// Returns the pairs in each of the sets of positions that form cycles; a pair is in one set only.
  private func groups(of pairs: [Pair], in circles: [[Int]], _ places: [Int: [Int]]) -> [[Pair]] {
    var numbers: [Int: Int] = [:]
    for (number, circle) in circles.enumerated() { for place in circle { numbers[place] = number } }
    var groups = [[Pair]](repeating: [], count: circles.count)
    for pair in pairs {
      let losers = Set((places[pair.loser] ?? []).compactMap { numbers[$0] })
      let common = (places[pair.winner] ?? []).lazy.compactMap { numbers[$0] }.first(where: losers.contains)
      if let common { groups[common].append(pair) }
    }
    return groups
  }

  /// Returns the pairs of a set of cycles that are ignored before the others.
  private func ignoredFirst(among pairs: [Pair]) -> [Pair] {
    let foreign = pairs.filter { !routes[$0.winner].isForemost }
    let all = foreign.isEmpty ? pairs : foreign
    let harmless = all.filter { !isStricter($0) }
    let candidates = harmless.isEmpty ? all : harmless
    let between = candidates.filter { routes[$0.winner].owner != routes[$0.loser].owner }
    return between.isEmpty ? candidates : between
  }

  /// Returns the constraints that follow from pairs, and the variants before which others move, rather than that they wait.
  private func constraints(
    of pairs: [Pair], places: [Int: [Int]], in order: [Int], _ tree: inout RouteTrie,
    _ inclusions: inout InclusionCache
  ) -> (waits: PrecedenceGraph, hastened: [Int]) {
    var waits = PrecedenceGraph(count: order.count)
    for pair in pairs {
      for first in places[pair.winner] ?? [] {
        for second in places[pair.loser] ?? [] { waits.add(first, before: second) }
      }
    }
    let overridden = Set(
      pairs.filter { routes[$0.loser].overrides && !routes[$0.winner].overrides }.map(\.loser))
    var waiting = Set(pairs.map(\.loser))
    // A stricter winner precedes even narrower patterns of the loser.
    let strict = Set(pairs.filter(isStricter))
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
          guard !strict.contains(Pair(winner: tree.shapes[order[other]].route, loser: loser)) else {
            continue
          }
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
    return (waits, denials)
  }

  /// Returns the error for a cycle, in which each variant precedes the next and the last precedes the first.
  private func error(
    for circle: [RouteVariant], _ pairs: [Pair], ignoring ignored: [Pair]
  ) -> RouteTableError {
    let constraints = Set(pairs)
    var steps = zip(circle, circle.dropFirst() + circle.prefix(1)).map { first, second in
      PrecedenceStep(
        first: side(of: first), second: side(of: second),
        cause: cause(of: Pair(winner: first.route, loser: second.route), constraints))
    }
    // Inclusion alone forms no cycle, so each cycle contains a `wins_over` step. The message begins with the first of them.
    let starts = steps.indices.filter { steps[$0].cause == .winsOver }
    let start = starts.min { steps[$0].first.location < steps[$1].first.location } ?? 0
    steps = Array(steps[start...] + steps[..<start])
    let lost = ignored.map {
      PrecedenceStep(first: side(of: $0.winner), second: side(of: $0.loser), cause: .winsOver)
    }
    return RouteTableError(
      .circularPrecedence(steps, ignored: lost), location: routes[circle[start].route].location)
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

  private func side(of route: Int) -> RouteConflict.Side {
    let route = routes[route]
    return RouteConflict.Side(id: route.id, pattern: route.patterns[0], location: route.location)
  }

  /// Returns the names in `winsOver` of a route that do not mean the route `loser`.
  func names(of winner: Int, without losers: Set<Int>) -> [String] {
    routes[winner].winsOver.filter { name in
      loser(named: name, by: winner).map { !losers.contains($0) } ?? true
    }
  }

  private func loser(named name: String, by winner: Int) -> Int? {
    let named = [numbers["\(routes[winner].owner)/\(name)"], numbers[name]].compactMap(\.self)
    // A route of another layer whose ID looks like `OWNER/ID` must not replace the one that the name means.
    return named.first { routes[$0].rank == routes[winner].rank } ?? named.first
  }
}
