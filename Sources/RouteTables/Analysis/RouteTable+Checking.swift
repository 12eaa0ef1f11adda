extension RouteTable {
  /// Proves what its routes can never do: match, win, or have a use for their `wins_over`.
  ///
  /// Pairs of routes that cross, of which one denies and the other does not, are told with a request each that shows it; `isStrict`
  /// adds all others between which only the first difference from the left decides. What would leave no winner at all, a table does not have: building it threw, or set both sides aside.
  ///
  /// ```swift
  /// for finding in table.check().findings { print("\(finding.route.location): \(finding)") }
  /// ```
  public func check(isStrict: Bool = false) -> RouteLint {
    guard let contest = try? PrecedenceOracle(routes.map(\.record), storage.index) else {
      return RouteLint(gaps: .all)
    }
    var search = DiagnosticSearch(contest)
    search.run(isStrict: isStrict)
    return search.check
  }
}

/// Looks at every route for what it can never do.
private struct DiagnosticSearch {
  private var contest: PrecedenceOracle
  private var languages: LanguageInterner
  private(set) var check = RouteLint()

  init(_ contest: PrecedenceOracle) {
    self.contest = contest
    languages = contest.shapes.tree.languages
  }

  mutating func run(isStrict: Bool) {
    // Of each pattern of each route, those that win first in front.
    var shapes: [[[Int]]] = contest.routes.map { $0.patterns.map { _ in [] } }
    for shape in contest.shapes.order {
      let own = contest.shapes.tree.shapes[shape]
      shapes[own.route][own.pattern].append(shape)
    }
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
    for constraint in contest.shapes.constraints {
      lookForUse(
        of: shapes[constraint.winner].flatMap(\.self), over: shapes[constraint.loser].flatMap(\.self),
        of: constraint.winner, named: constraint.loser)
    }
    for constraint in contest.shapes.unusedConstraints {
      if let shape = shapes[constraint.winner].first?.first {
        add(.layerDecides(over: contest.routes[constraint.loser].id), shape)
      }
    }
    addDecisions(isStrict: isStrict)
    check.findings.sort { ($0.route.location, $0.description) < ($1.route.location, $1.description) }
    if check.findings.count > RouteLint.limit {
      check.findings.removeLast(check.findings.count - RouteLint.limit)
      check.gaps.add(.reported(RouteLint.limit))
    }
  }

  /// Looks whether one of the shapes of a pattern wins something.
  private mutating func lookForWin(of shapes: [Int]) {
    var (blockers, isEmpty) = (Set<Int>(), true)
    for shape in shapes {
      let requests = contest.requests(of: shape, &languages)
      var search = CounterexampleSearch()
      let outcome = search.run(inside: [requests], &languages) { request, languages in
        guard let winner = contest.winner(of: request), winner != shape else { return nil }
        return (winner, contest.requests(of: winner, &languages))
      }
      switch outcome {
      case .found: return
      case .undecided(let reason): return give(reason, .wins, shape)
      case .none:
        blockers.formUnion(search.blockers)
        isEmpty = isEmpty && search.blockers.isEmpty
      }
    }
    guard let shape = shapes.first else { return }
    if isEmpty { return add(.matchesNothing, shape) }
    let own = contest.shapes.tree.shapes[shape].route
    let others = blockers.sorted().filter { contest.shapes.tree.shapes[$0].route != own }
    // What other patterns of the route take is its own; a layer above is there to take what it wants.
    guard !others.isEmpty, others.contains(where: { isOfRank(of: own, $0) }) else { return }
    add(.neverWins(others.map { contest.side(of: $0) }), shape)
  }

  private func isOfRank(of route: Int, _ shape: Int) -> Bool {
    contest.routes[contest.shapes.tree.shapes[shape].route].rank == contest.routes[route].rank
  }

  /// Looks whether a `wins_over` of shapes over those of another route changes anything.
  private mutating func lookForUse(of shapes: [Int], over others: [Int], of winner: Int, named loser: Int) {
    // Without its wish the narrower one would lose as well.
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
        case .inside: break
        case .outside: return
        case .undecided(let reason): undecided = reason
        }
      }
    }
    guard let shape = shapes.first else { return }
    let name = contest.routes[loser].id
    if let undecided { return give(undecided, .needsWinsOver(name), shape) }
    if meet, losesOtherwise { return }
    add(meet ? .winsAnyway(over: name) : .nothingToWin(over: name), shape)
  }

  private mutating func addDecisions(isStrict: Bool) {
    let denies = contest.routes.map(\.denies)
    guard isStrict || denies.contains(true) else { return }
    var search = OverlapSearch(contest, limit: RouteLint.limit)
    search.run { isStrict || denies[$0] != denies[$1] }
    check.gaps.formUnion(search.gaps)
    check.findings += search.decisions.map { RouteDiagnostic(kind: .crossing($0), route: $0.loser) }
  }

  private mutating func add(_ kind: RouteDiagnostic.Kind, _ shape: Int) {
    check.findings.append(RouteDiagnostic(kind: kind, route: contest.side(of: shape)))
  }
  /// Notes a question that could not be decided.
  private mutating func give(_ reason: UndecidedReason, _ kind: UndecidedQuestion.Kind, _ shape: Int) {
    check.gaps.add(UndecidedQuestion(kind: kind, route: contest.side(of: shape), reason: reason))
  }
}
