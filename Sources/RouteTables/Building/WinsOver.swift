// SPDX-License-Identifier: Apache-2.0
/// The `wins_over` rules, by which a route precedes another regardless of their patterns.
package struct WinsOver {
  /// A route and another that comes after it, by index.
  package struct Pair: Hashable, Sendable {
    package let winner: Int
    package let loser: Int
  }

  let routes: [RouteRecord]
  private var numbers: [String: Int] = [:]

  package init(_ routes: [RouteRecord]) {
    self.routes = routes
    guard routes.contains(where: { !$0.winsOver.isEmpty }) else { return }
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
    /// The pairs that are ignored, because they cannot be satisfied or compared.
    var ignored: [Pair] = []
    /// The errors of the ignored pairs: one for each cycle, or for several that share a pair.
    var faults: [RouteTableError] = []
    /// The number of errors about cycles.
    var cycleCount = 0
  }

  /// The maximum numbers of steps in which the pairs of one layer are compared with its variants.
  package struct Budget: Sendable {
    /// The steps for the pairs of the administrator's own directory.
    var foremost: Int
    /// The steps for the pairs of all other directories.
    var others: Int

    /// Creates a budget of `steps` each for the administrator's own pairs and for the others.
    package init(_ steps: Int) { (foremost, others) = (steps, steps) }

    /// The budget of a table: about two seconds each.
    package static let standard = Budget(20_000_000)
  }

  /// Returns `order`, changed as far as the pairs require.
  ///
  /// Pairs that cannot be satisfied, or that cannot be compared within `budget`, are ignored, with errors.
  ///
  /// - Parameter order: the variants; those of one layer are adjacent.
  func order(_ order: [Int], of tree: inout RouteTrie, _ pairs: [Pair], budget: Budget) -> Outcome {
    guard !pairs.isEmpty else { return Outcome(order: order) }
    var outcome = Outcome(order: [])
    let pairs = Dictionary(grouping: pairs) { routes[$0.winner].rank }
    for rank in PolicyLayer.allCases {
      let own = order.filter { routes[tree.shapes[$0].route].rank == rank }
      guard let pairs = pairs[rank] else {
        outcome.order += own
        continue
      }
      var layer = LayerOrder(self, tree, order: own, budget: budget)
      let result = layer.outcome(for: pairs, &tree)
      outcome.order += result.order
      outcome.ignored += result.ignored
      outcome.faults += result.faults
    }
    return outcome
  }

  /// Returns whether the winner denies what the loser does not, or asks where the loser opens.
  func isStricter(_ pair: Pair) -> Bool {
    routes[pair.winner].strictness > routes[pair.loser].strictness
  }

  /// Returns the pairs of a set of cycles that are ignored before the others.
  func ignoredFirst(among pairs: [Pair]) -> [Pair] {
    let harmless = pairs.filter { !isStricter($0) }
    let candidates = harmless.isEmpty ? pairs : harmless
    let between = candidates.filter { routes[$0.winner].owner != routes[$0.loser].owner }
    return between.isEmpty ? candidates : between
  }

  /// Returns the error for a pair of which the winner would leave no URL to the loser.
  func unreachable(_ pair: Pair) -> RouteTableError {
    let (winner, loser) = (routes[pair.winner], routes[pair.loser])
    return RouteTableError(.unreachable(loser.id, by: winner.id), location: winner.location)
  }

  /// Returns the error for pairs that could not be compared within the budget.
  func tooMany(_ pairs: [Pair]) -> RouteTableError {
    let first = pairs.prefix(8).map {
      PrecedenceStep(first: side(of: $0.winner), second: side(of: $0.loser), cause: .winsOver)
    }
    return RouteTableError(
      .tooManyComparisons(first, count: pairs.count), location: pairs.first.map { routes[$0.winner].location }
    )
  }

  /// Returns the error for a cycle, in which each variant precedes the next and the last precedes the first.
  func error(
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
      id: route.id, owner: route.owner, pattern: route.patterns[shape.pattern],
      location: route.patternLocations[shape.pattern])
  }

  private func side(of route: Int) -> RouteConflict.Side {
    let route = routes[route]
    return RouteConflict.Side(
      id: route.id, owner: route.owner, pattern: route.patterns[0], location: route.location)
  }

  /// Returns the names in `winsOver` of a route that mean a route for which `isIncluded` returns `true`.
  func names(of winner: Int, where isIncluded: (_ loser: Int) -> Bool) -> [String] {
    routes[winner].winsOver.filter { name in loser(named: name, by: winner).map(isIncluded) ?? false }
  }

  private func loser(named name: String, by winner: Int) -> Int? {
    let named = [numbers["\(routes[winner].owner)/\(name)"], numbers[name]].compactMap(\.self)
    // A route of another layer whose ID looks like `OWNER/ID` must not replace the one that the name means.
    return named.first { routes[$0].rank == routes[winner].rank } ?? named.first
  }
}
