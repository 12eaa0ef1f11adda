// SPDX-License-Identifier: Apache-2.0
/// The order of the variants of one layer, changed as far as its `wins_over` pairs require.
///
/// Each loser is moved behind its winner, and each variant that includes a moved variant is moved behind that variant. A route
/// with `RouteRecord.overrides` still precedes the routes that match a common request, unless they win over it. The
/// routes that win over it are moved before it instead, with the variants that precede them and match a common request;
/// all other variants keep their order.
///
/// A pair is ignored, with an error, if the winner's variants include every variant of the loser (`unreachable`), or if it
/// takes part in a cycle (`circularPrecedence`). Of the pairs of a cycle, those of routes that are not stricter than the loser are
/// ignored first, and of these, those between different owners.
///
/// If the budget does not suffice for all pairs, the least important ones are ignored, with one error for all of them
/// (`tooManyComparisons`). The result is that of the other pairs alone.
///
/// The pairs of the administrator's own directory are settled first, with a budget of their own, because the files of others must
/// not disable them. The pairs of other directories are then added as far as they are compatible with them.
struct LayerOrder {
  private typealias Pair = WinsOver.Pair

  /// The constraints that follow from some pairs.
  private struct Constraints {
    var graph: PrecedenceGraph
    /// The positions of denials: a variant that must precede one of them moves before it.
    var hastened: [Int] = []
  }

  private enum Result {
    case constraints(Constraints)
    /// The budget is spent; the number of pairs that were compared.
    case exhausted(compared: Int)
  }

  private let winsOver: WinsOver
  private let routes: [RouteRecord]
  /// The variants in their order without the pairs.
  private let order: [Int]
  /// The position of each variant in `order`; `nil` if it belongs to another layer.
  private var positions: [Int?]
  /// The positions of the variants of each route.
  private var positionsOfRoute: [Int: [Int]] = [:]
  private var cache: InclusionCache
  private let budget: WinsOver.Budget

  /// The number of cycles above which further ones are ignored without an error, because a file can have thousands of them.
  private static let manyCycles = 100

  init(_ winsOver: WinsOver, _ tree: RouteTrie, order: [Int], budget: WinsOver.Budget) {
    self.winsOver = winsOver
    routes = winsOver.routes
    self.order = order
    self.budget = budget
    cache = InclusionCache(tree, winsOver.routes)
    positions = [Int?](repeating: nil, count: tree.shapes.count)
    for (position, variant) in order.enumerated() {
      positions[variant] = position
      positionsOfRoute[tree.shapes[variant].route, default: []].append(position)
    }
  }

  /// Returns the order that the pairs require, and the pairs that are ignored.
  mutating func outcome(for pairs: [WinsOver.Pair], _ tree: inout RouteTrie) -> WinsOver.Outcome {
    var outcome = WinsOver.Outcome(order: order)
    let sorted = sortedByImportance(pairs)
    let others = sorted.firstIndex { !routes[$0.winner].isForemost } ?? sorted.count
    let settled = settle(
      sorted[..<others], beside: [], budget: budget.foremost, into: &outcome, in: &tree)
    _ = settle(sorted[others...], beside: settled, budget: budget.others, into: &outcome, in: &tree)
    return outcome
  }

  /// Orders the variants by pairs and by those that are settled already, and returns the pairs that are not ignored.
  private mutating func settle(
    _ pairs: ArraySlice<Pair>, beside settled: [Pair], budget: Int, into outcome: inout WinsOver.Outcome,
    in tree: inout RouteTrie
  ) -> [Pair] {
    var (kept, excess) = (Array(pairs), [Pair]())
    removeUnreachable(from: &kept, excess: &excess, budget: budget / 8, &outcome, &tree)
    // The sum of the steps of all attempts is limited. Comparisons are cached.
    var (attempts, steps, isSettled) = (0, budget / 3, kept.isEmpty)
    while !isSettled, !kept.isEmpty {
      attempts += 1
      if attempts > 2 { steps /= 2 }
      cache.begin(budget: steps)
      switch constraints(of: settled + kept, &tree) {
      case .exhausted(let number):
        // The steps suffice for the pairs that were compared, unless the others, which are now other routes, need many.
        let compared = max(number - settled.count, 0)
        let count = min(attempts == 1 ? compared : compared / 4, kept.count - 1)
        excess += kept[count...]
        kept.removeSubrange(count...)
      case .constraints(let constraints):
        switch constraints.graph.sorted(hastening: constraints.hastened) {
        case .order(let sorted):
          outcome.order = sorted.map { order[$0] }
          isSettled = true
        case .circles(let circles):
          ignore(circles, of: &kept, beside: settled, in: constraints.graph, &outcome, tree: tree)
        }
      }
    }
    if !excess.isEmpty {
      outcome.ignored += excess
      outcome.faults.append(winsOver.tooMany(excess))
    }
    return settled + kept
  }

  /// Returns the pairs in the order in which they are compared, so that the important ones are within the budget.
  ///
  /// The pairs of the administrator's own directory come first; of these, those of routes that are stricter than the loser, because
  /// the others only lose an exception if they are ignored.
  private func sortedByImportance(_ pairs: [Pair]) -> [Pair] {
    func key(_ pair: Pair) -> (Int, Int, Int, Int) {
      (
        routes[pair.winner].isForemost ? 0 : 1, winsOver.isStricter(pair) ? 0 : 1, pair.winner, pair.loser
      )
    }
    return pairs.sorted { key($0) < key($1) }
  }

  /// Ignores the pairs of which the winner would leave no URL to the loser, and those that cannot be compared within the budget.
  private mutating func removeUnreachable(
    from pairs: inout [Pair], excess: inout [Pair], budget: Int, _ outcome: inout WinsOver.Outcome,
    _ tree: inout RouteTrie
  ) {
    cache.begin(budget: budget)
    var kept: [Pair] = []
    for pair in pairs {
      // A stricter route may win over every URL of another.
      if winsOver.isStricter(pair) {
        kept.append(pair)
        continue
      }
      let firsts = positionsOfRoute[pair.winner] ?? []
      // A route that names itself can never be satisfied.
      let isTaken =
        pair.winner == pair.loser
        || (positionsOfRoute[pair.loser] ?? []).allSatisfy { own in
          firsts.contains { cache.includes(order[$0], narrower: order[own], &tree.languages) }
        }
      if cache.isExhausted, pair.winner != pair.loser {
        excess.append(pair)
      } else if isTaken {
        outcome.ignored.append(pair)
        outcome.faults.append(winsOver.unreachable(pair))
      } else {
        kept.append(pair)
      }
    }
    pairs = kept
  }

  /// Ignores pairs of each of the sets of positions that form cycles.
  ///
  /// If a set contains none of them, the consequences of all of them close a cycle among the settled pairs, so all are ignored.
  private func ignore(
    _ circles: [[Int]], of kept: inout [Pair], beside settled: [Pair], in graph: PrecedenceGraph,
    _ outcome: inout WinsOver.Outcome, tree: RouteTrie
  ) {
    var groups = cyclicPairs(among: kept, in: circles).map(winsOver.ignoredFirst)
    if groups.allSatisfy(\.isEmpty) { groups = [kept] }
    var dropped: Set<Pair> = []
    for (circle, ignored) in zip(circles, groups) where !ignored.isEmpty {
      dropped.formUnion(ignored)
      // The errors of pairs without a cycle do not count, because they must not hide those of cycles.
      guard outcome.cycleCount < Self.manyCycles else { continue }
      outcome.cycleCount += 1
      let steps = graph.shortestCircle(among: Set(circle)).map { tree.shapes[order[$0]] }
      outcome.faults.append(winsOver.error(for: steps, settled + kept, ignoring: ignored))
    }
    outcome.ignored += kept.filter(dropped.contains)
    kept.removeAll(where: dropped.contains)
  }

  /// Returns the pairs in each of the sets of positions that form cycles; a pair is in one set only.
  private func cyclicPairs(among pairs: [Pair], in circles: [[Int]]) -> [[Pair]] {
    var numbers: [Int: Int] = [:]
    for (number, circle) in circles.enumerated() { for position in circle { numbers[position] = number } }
    var groups = [[Pair]](repeating: [], count: circles.count)
    for pair in pairs {
      let losers = Set((positionsOfRoute[pair.loser] ?? []).compactMap { numbers[$0] })
      let common = (positionsOfRoute[pair.winner] ?? []).lazy.compactMap { numbers[$0] }.first(
        where: losers.contains)
      if let common { groups[common].append(pair) }
    }
    return groups
  }

  /// Returns the constraints that follow from pairs.
  private mutating func constraints(of pairs: [Pair], _ tree: inout RouteTrie) -> Result {
    var graph = PrecedenceGraph(count: order.count)
    for (number, pair) in pairs.enumerated() {
      let (firsts, seconds) = (positionsOfRoute[pair.winner] ?? [], positionsOfRoute[pair.loser] ?? [])
      cache.charge(firsts.count * seconds.count)
      guard !cache.isExhausted else { return .exhausted(compared: number) }
      for first in firsts { for second in seconds { graph.add(first, before: second) } }
    }
    let overridden = Set(
      pairs.filter { routes[$0.loser].overrides && !routes[$0.winner].overrides }.map(\.loser))
    // The routes that other routes may have to follow, with the pair that is the reason.
    var waiting: [Int: Int] = [:]
    for (number, pair) in pairs.enumerated() where waiting[pair.loser] == nil {
      waiting[pair.loser] = number
    }
    let winners = Dictionary(grouping: pairs, by: \.loser).mapValues { Set($0.map(\.winner)) }
    for (denial, number) in waiting.sorted(by: { $0.value < $1.value }) where overridden.contains(denial) {
      for other in addOverridden(by: denial, winners: winners, to: &graph, &tree) where waiting[other] == nil
      {
        waiting[other] = number
      }
      guard !cache.isExhausted else { return .exhausted(compared: number) }
    }
    // A stricter winner precedes even narrower patterns of the loser.
    let strict = Set(pairs.filter(winsOver.isStricter))
    for (route, number) in waiting.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      addWider(than: route, strict: strict, to: &graph, &tree)
      guard !cache.isExhausted else { return .exhausted(compared: number) }
    }
    let exceptions = pairs.filter { overridden.contains($0.loser) }
    let denials = overridden.flatMap { positionsOfRoute[$0] ?? [] }.sorted()
    if let first = denials.first {
      addMoving(exceptions.flatMap { positionsOfRoute[$0.winner] ?? [] }, from: first, to: &graph, &tree)
      guard !cache.isExhausted else { return .exhausted(compared: pairs.count / 2) }
    }
    return .constraints(Constraints(graph: graph, hastened: denials))
  }

  /// Returns the positions of the variants of this layer that may match a request which the variant at a position matches.
  private mutating func neighbors(of position: Int, _ tree: inout RouteTrie) -> [Int] {
    cache.neighbors(of: order[position], in: &tree).compactMap { positions[$0] }.sorted()
  }

  /// Adds the constraints of a final denial over which others win: it precedes the overlapping routes that do not.
  ///
  /// A route without an exception that matches the same URLs as one with it must precede that one. The two conflict, so that
  /// otherwise the order of their names would decide whether the denial applies. These constraints cannot be satisfied.
  ///
  /// - Returns: the overlapping routes.
  private mutating func addOverridden(
    by denial: Int, winners: [Int: Set<Int>], to graph: inout PrecedenceGraph, _ tree: inout RouteTrie
  ) -> Set<Int> {
    let exceptions = winners[denial] ?? []
    var (found, seconds) = (Set<Int>(), Set<Int>())
    for first in positionsOfRoute[denial] ?? [] {
      for second in neighbors(of: first, &tree) {
        let number = tree.shapes[order[second]].route
        guard !routes[number].overrides, !exceptions.contains(number),
          cache.meet(order[first], and: order[second], &tree.languages), !cache.isExhausted
        else { continue }
        graph.add(first, before: second)
        found.insert(number)
        seconds.insert(second)
      }
    }
    for second in seconds.sorted() {
      let own = routes[tree.shapes[order[second]].route]
      for other in neighbors(of: second, &tree) where other < second {
        let exception = tree.shapes[order[other]].route
        guard exceptions.contains(exception), routes[exception].owner == own.owner,
          routes[exception].isForemost == own.isForemost,
          winners[tree.shapes[order[second]].route]?.contains(exception) != true,
          cache.includes(order[other], narrower: order[second], &tree.languages),
          cache.includes(order[second], narrower: order[other], &tree.languages)
        else { continue }
        graph.add(second, before: other)
      }
    }
    return found
  }

  /// Adds the constraints of a route that may have been moved: the variants that include one of its variants follow it.
  private mutating func addWider(
    than route: Int, strict: Set<Pair>, to graph: inout PrecedenceGraph, _ tree: inout RouteTrie
  ) {
    for position in positionsOfRoute[route] ?? [] {
      for other in neighbors(of: position, &tree) where other > position {
        let wider = tree.shapes[order[other]].route
        // Two denials need no order, because it has no effect on the decision.
        guard wider != route, !(routes[route].overrides && routes[wider].overrides),
          !strict.contains(Pair(winner: wider, loser: route)),
          cache.includes(order[other], narrower: order[position], &tree.languages)
        else { continue }
        graph.add(position, before: other)
      }
    }
  }

  /// Adds the constraints of variants that move before a denial: those that precede them and match a common request move, too.
  ///
  /// A final denial, or a route of the administrator's own directory, precedes a moving route of another directory in any case. If it
  /// must also follow the route, the constraints cannot be satisfied. Two denials need no order, because it has no effect on the decision.
  private mutating func addMoving(
    _ exceptions: [Int], from first: Int, to graph: inout PrecedenceGraph, _ tree: inout RouteTrie
  ) {
    var (moving, moved) = (exceptions, Set<Int>())
    func overrides(_ position: Int) -> Bool { routes[tree.shapes[order[position]].route].overrides }
    func isOfEarlierClass(_ other: Int, than position: Int) -> Bool {
      routes[tree.shapes[order[other]].route].precedenceClass
        < routes[tree.shapes[order[position]].route].precedenceClass
    }
    while let position = moving.popLast(), !cache.isExhausted {
      guard moved.insert(position).inserted, first < position else { continue }
      // Most exceptions overlap only the denials that they precede.
      let own = Set(graph.following(position))
      let isDenial = overrides(position)
      let candidates = neighbors(of: position, &tree).filter { other in
        first <= other && other < position && !own.contains(other) && !(isDenial && overrides(other))
      }
      var others: [Int] = []
      for other in candidates where cache.meet(order[other], and: order[position], &tree.languages) {
        others.append(other)
      }
      guard !others.isEmpty, !cache.isExhausted else { continue }
      var steps = 0
      let followers = graph.followers(of: position, steps: &steps)
      cache.charge(steps)
      for other in others where isOfEarlierClass(other, than: position) || !followers.contains(other) {
        graph.add(other, before: position)
        moving.append(other)
      }
    }
  }
}
