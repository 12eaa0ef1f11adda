// SPDX-License-Identifier: Apache-2.0
public import RouteTables
import RegularLanguages

extension RouteTable {
  /// Returns diagnostics about routes that can never match or win, and about `wins_over` rules without effect.
  ///
  /// It also reports each pair of overlapping routes of which exactly one denies, with a witness. With `isStrict`, it
  /// reports all pairs that only the first difference decides, except pairs of denials. Conflicts that leave no winner cannot
  /// occur in a table: the builder threw an error or removed both sides.
  ///
  /// ```swift
  /// for finding in table.check().findings { print("\(finding.route.location): \(finding)") }
  /// ```
  ///
  /// - Parameters:
  ///   - isStrict: Indicates whether all overlaps except those of denials are reported.
  ///   - isReported: Returns whether overlaps among routes with such actions are reported in any case.
  public func check(
    isStrict: Bool = false, reportingOverlapsOf isReported: (Action) -> Bool = { _ in false }
  ) -> RouteLint {
    guard let contest = try? PrecedenceOracle(routes.map(\.record), storage.index) else {
      return RouteLint(gaps: .all)
    }
    var search = DiagnosticSearch(contest)
    search.run(reportingOverlapsOf: routes.map { isStrict || isReported($0.action) })
    return search.check
  }
}

/// A search for the diagnostics of all routes.
private struct DiagnosticSearch {
  private var contest: PrecedenceOracle
  private var languages: LanguageInterner
  /// The variants of each pattern of each route, in order of precedence.
  private var shapes: [[[Int]]]
  private(set) var check = RouteLint()
  /// The budget for the search for what `wins_over` of one route can name: about 40 ms.
  private static let winsOverBudget = WinsOver.Budget(400_000)

  init(_ contest: PrecedenceOracle) {
    self.contest = contest
    languages = contest.shapes.tree.languages
    shapes = contest.routes.map { $0.patterns.map { _ in [] } }
    for shape in contest.shapes.order {
      let own = contest.shapes.tree.shapes[shape]
      shapes[own.route][own.pattern].append(shape)
    }
  }

  /// Searches; `isReported` indicates for each route whether overlaps with other such routes are reported although neither denies.
  mutating func run(reportingOverlapsOf isReported: [Bool]) {
    for (number, route) in contest.routes.enumerated() {
      guard check.findings.count < RouteLint.limit else {
        check.gaps.add(.reported(RouteLint.limit))
        break
      }
      if let condition = route.conditions.first(where: \.language.isEmpty) {
        if let shape = shapes[number].first?.first { add(.neverHolds(condition.name), shape) }
        continue
      }
      for own in shapes[number] { lookForWin(of: own) }
    }
    // What keeps two routes from being a conflict is never superfluous.
    let needed = contest.shapes.conflictsWithoutWinsOver(among: contest.routes)
    for constraint in contest.shapes.constraints where !needed.contains(constraint) {
      lookForUse(
        of: shapes[constraint.winner].flatMap(\.self), over: shapes[constraint.loser].flatMap(\.self),
        of: constraint.winner, named: constraint.loser)
    }
    for constraint in contest.shapes.unusedConstraints {
      if let shape = shapes[constraint.winner].first?.first {
        add(.layerDecides(over: contest.routes[constraint.loser].id), shape)
      }
    }
    addDecisions(isReported)
    check.findings.sort { ($0.route.location, $0.description) < ($1.route.location, $1.description) }
    if check.findings.count > RouteLint.limit {
      check.findings.removeLast(check.findings.count - RouteLint.limit)
      check.gaps.add(.reported(RouteLint.limit))
    }
  }

  /// Checks whether one of the variants of a pattern wins a request; if it is the first, one in which no segment of a catch-all is empty.
  private mutating func lookForWin(of shapes: [Int]) {
    var (blockers, unusual) = (Set<Int>(), RouteRequest?.none)
    for shape in shapes {
      let requests = contest.requests(of: shape, &languages)
      var losesUsual = false
      // URLs are generated from the first pattern only.
      if contest.shapes.tree.shapes[shape].pattern == 0,
        let usual = requests.withoutEmptySegments(&languages)
      {
        switch win(of: shape, inside: usual, &blockers) {
        case .found: return
        case .undecided: break
        case .none: losesUsual = true
        }
      }
      switch win(of: shape, inside: requests, &blockers) {
      case .found(let draft):
        guard losesUsual else { return }
        unusual = unusual ?? draft.request
      case .undecided(let reason): return recordUndecided(reason, kind: .wins, shape: shape)
      case .none: break
      }
    }
    guard let shape = shapes.first else { return }
    if blockers.isEmpty, unusual == nil { return add(.matchesNothing, shape) }
    let own = contest.shapes.tree.shapes[shape].route
    let others = blockers.sorted().filter { contest.shapes.tree.shapes[$0].route != own }
    // Other patterns of the same route are not an error, and a higher layer overrides routes intentionally.
    guard !others.isEmpty, others.contains(where: { isOfRank(of: own, $0) }) else { return }
    if let unusual {
      return add(
        .winsOnlyEmptySegments(others.map { contest.side(of: $0) }, witness: unusual), shape,
        rivals: rivals(of: own, among: others))
    }
    let isDenied = others.contains { other in
      contest.routes[contest.shapes.tree.shapes[other].route].overrides && !contest.routes[own].overrides
    }
    add(
      .neverWins(others.map { contest.side(of: $0) }, isDenied: isDenied), shape,
      rivals: rivals(of: own, among: others))
  }

  /// Returns the variants whose routes `wins_over` of a route can name.
  private func rivals(of own: Int, among others: [Int]) -> [Int] {
    let routes = others.filter { isOfRank(of: own, $0) }.map { contest.shapes.tree.shapes[$0].route }
    // No exception to a final denial is proposed, because the denial is meant for all that it matches.
    let possible = losers(
      of: own,
      among: Set(routes.filter { contest.routes[own].overrides || !contest.routes[$0].overrides }))
    return others.filter { possible.contains(contest.shapes.tree.shapes[$0].route) }
  }

  /// Returns the routes that `wins_over` of another route of their layer can name.
  private func losers(of own: Int, among others: Set<Int>) -> Set<Int> {
    // A route of another directory cannot name the administrator's own final routes.
    let isForemost = contest.routes[own].isForemost
    return contest.shapes.possibleLosers(
      of: own, among: others.filter { isForemost || !contest.routes[$0].isForemost }, in: contest.routes,
      budget: Self.winsOverBudget)
  }

  /// Searches for a request in a set that a variant wins, and adds the variants that win instead.
  private mutating func win(of shape: Int, inside requests: RequestSet, _ blockers: inout Set<Int>)
    -> WitnessSearch.Outcome
  {
    var search = CounterexampleSearch()
    let outcome = search.run(inside: [requests], &languages) { request, languages in
      guard let winner = contest.winner(of: request), winner != shape else { return nil }
      return (winner, contest.requests(of: winner, &languages))
    }
    blockers.formUnion(search.blockers)
    return outcome
  }

  private func isOfRank(of route: Int, _ shape: Int) -> Bool {
    contest.routes[contest.shapes.tree.shapes[shape].route].rank == contest.routes[route].rank
  }

  /// Checks whether a `wins_over` rule has an effect on variants of two routes.
  private mutating func lookForUse(of shapes: [Int], over others: [Int], of winner: Int, named loser: Int) {
    // Without the rule, even a narrower route would lose to a final route that denies.
    let losesOtherwise = contest.routes[loser].overrides && !contest.routes[winner].overrides
    var meet = false
    var undecided: UndecidedReason?
    for shape in shapes {
      for other in others {
        let (one, second) = (contest.requests(of: shape, &languages), contest.requests(of: other, &languages))
        var common = WitnessSearch(inside: [one, second])
        switch common.run(&languages) {
        case .none: continue
        case .undecided(let reason): undecided = reason
        case .found: meet = true
        }
        if losesOtherwise { continue }
        switch one.inclusion(in: second, &languages) {
        case .outside: return
        case .undecided(let reason): undecided = reason
        case .inside:
          // Of two variants that match the same requests, neither is narrower.
          switch second.inclusion(in: one, &languages) {
          case .inside: return
          case .undecided(let reason): undecided = reason
          case .outside: break
          }
        }
      }
    }
    guard let shape = shapes.first else { return }
    let name = contest.routes[loser].id
    if let undecided { return recordUndecided(undecided, kind: .needsWinsOver(name), shape: shape) }
    if meet, losesOtherwise { return }
    add(meet ? .winsAnyway(over: name) : .nothingToWin(over: name), shape)
  }

  private mutating func addDecisions(_ isReported: [Bool]) {
    let denies = contest.routes.map(\.denies)
    guard denies.contains(true) || isReported.count(where: \.self) > 1 else { return }
    var search = OverlapSearch(contest, limit: RouteLint.limit)
    // Between two denials the order changes only the text of the reason.
    search.run { denies[$0] != denies[$1] || !denies[$0] && isReported[$0] && isReported[$1] }
    check.gaps.formUnion(search.gaps)
    let lost = Dictionary(grouping: search.decisions) { $0.routeIndices[1] }
    for (loser, decisions) in lost {
      let possible = losers(of: loser, among: Set(decisions.map { $0.routeIndices[0] }))
      check.findings += decisions.map { decision in
        RouteDiagnostic(
          kind: .crossing(decision), route: decision.loser,
          rivals: possible.contains(decision.routeIndices[0]) ? [decision.winner] : [])
      }
    }
  }

  private mutating func add(_ kind: RouteDiagnostic.Kind, _ shape: Int, rivals: [Int] = []) {
    check.findings.append(
      RouteDiagnostic(
        kind: kind, route: contest.side(of: shape), rivals: rivals.map { contest.side(of: $0) }))
  }

  /// Records a question that could not be decided.
  private mutating func recordUndecided(_ reason: UndecidedReason, kind: UndecidedQuestion.Kind, shape: Int) {
    check.gaps.add(UndecidedQuestion(kind: kind, route: contest.side(of: shape), reason: reason))
  }
}
