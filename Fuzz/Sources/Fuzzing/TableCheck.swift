// SPDX-License-Identifier: Apache-2.0
internal import RouteExplanations
internal import RouteAnalysis
public import RouteTables

/// Compares a table with one table for each of its routes: their results must agree.
public struct TableCheck: Sendable {
  private let routes: [FuzzRoute]
  private let table: RouteTable<Int>
  private let reversed: RouteTable<Int>
  private let alone: [RouteTable<Int>]
  private let comparesPairs: Bool
  /// The routes, each with one pattern, that are proven never to win.
  private let silent: Set<String>
  private let growth: DiffCheck

  /// Builds the tables without the routes that conflict, and checks the witness of each conflict.
  ///
  /// With `comparesPairs`, the winner among all routes must also win against each single one.
  public init(_ routes: [FuzzRoute], comparesPairs: Bool = false) throws(RouteTableError) {
    self.routes = routes
    self.comparesPairs = comparesPairs
    let builder = try Self.builder(routes.enumerated())
    let (table, conflicts) = builder.buildSkippingConflicts()
    self.table = table
    growth = DiffCheck(
      from: try Self.builder(routes.enumerated().dropFirst()).buildSkippingConflicts().table, to: table)
    reversed = try Self.builder(routes.enumerated().reversed()).buildSkippingConflicts().table
    var alone: [RouteTable<Int>] = []
    for route in routes.enumerated() {
      alone.append(try Self.builder([route]).buildSkippingConflicts().table)
    }
    self.alone = alone
    let found = table.check(isStrict: true).findings
    silent = Set(found.filter { $0.kind.isOfOneThatNeverWins }.map(\.route.id))
    let builds = (try? builder.build()) != nil
    promise(conflicts.isEmpty == builds, "building refuses exactly what has conflicts: \(conflicts)")
    for conflict in conflicts {
      check(conflict.witness, of: [conflict.first, conflict.second], "\(conflict)")
    }
    for finding in found { check(finding) }
  }

  /// Matches, reads all captures, and compares.
  public func match(_ url: String) {
    let found: RouteMatch<Int>?
    do {
      found = try CostGuard.match(url, FuzzRoute.context, in: table)
    } catch {
      promise(!error.description.isEmpty, "an error says something")
      for single in alone where (try? single.match(url)) != nil {
        promise(false, "refused with \(error), and not by a table of one route")
      }
      promise((try? table.explain(url)) == nil, "what is no URL is explained")
      return
    }
    explain(url, found)
    growth.match(url)
    guard let found else {
      for route in table.routes {
        promise(taken(by: route.action, url) == nil, "nothing takes \(url), and \(route.patterns) alone does")
      }
      return
    }
    promise(table.routes[found.routeIndex].id == found.route.id, "the index is the route's")
    for item in found.query { _ = (item.name, item.value) }
    promise(!silent.contains(found.route.id), "`\(found.route.id)` never wins, and wins \(url)")
    generate(found)
    compare(found, url)
  }

  /// Checks that a URL generated from the captured values matches the same route with the same values.
  private func generate(_ found: RouteMatch<Int>) {
    let values = Dictionary(found.values.map { ($0.name, $0.value) }) { first, _ in first }
    let url: String
    do {
      url = try table.generate(found.route.id, values, when: FuzzRoute.context)
    } catch {
      return promise(!error.description.isEmpty, "a refusal says something")
    }
    let again = try? table.match(url, when: FuzzRoute.context)
    promise(again?.action == found.action, "\(url) is made of `\(found.route.id)`, and is another's")
    let read = again.map { Dictionary($0.values.map { ($0.name, $0.value) }) { first, _ in first } }
    promise(read == values, "\(url) is made of \(values), and read as \(read ?? [:])")
  }

  /// Checks the winner, the other matches and the near misses against the single tables, and that suggested URLs match.
  private func explain(_ url: String, _ found: RouteMatch<Int>?) {
    guard let explanation = try? table.explain(url, when: FuzzRoute.context) else {
      return promise(false, "what is matched is not explained")
    }
    promise(!explanation.description.isEmpty, "an explanation says something")
    promise(explanation.winner?.route.index == found?.routeIndex, "the winner is another: \(explanation)")
    for loser in explanation.losers {
      promise(taken(by: table.routes[loser.route.index].action, url) != nil, "does not match: \(explanation)")
    }
    for miss in explanation.nearMisses {
      promise(taken(by: table.routes[miss.route.index].action, url) == nil, "matches: \(explanation)")
      guard let suggestion = miss.suggestion else { continue }
      let action = table.routes[miss.route.index].action
      promise(Self.winner(of: table, suggestion) == action, "\(suggestion) is another's: \(explanation)")
    }
  }

  private func compare(_ found: RouteMatch<Int>, _ url: String) {
    guard let single = taken(by: found.action, url) else {
      return promise(false, "\(found.pattern) takes \(url), and alone it does not")
    }
    let texts = Self.texts(of: found)
    promise(texts == Self.texts(of: single), "\(found.pattern) reads \(url) as \(texts), alone otherwise")
    let other = Self.winner(of: reversed, url)
    promise(other == found.action, "\(found.pattern) takes \(url), and not where the order is another")
    guard comparesPairs else { return }
    for rival in table.routes.map(\.action) where rival != found.action && taken(by: rival, url) != nil {
      let pair = [found.action, rival].map { (offset: $0, element: routes[$0]) }
      let winner = (try? Self.builder(pair).buildSkippingConflicts().table).flatMap {
        Self.winner(of: $0, url)
      }
      promise(
        winner == found.action,
        "\(routes[found.action].pattern) wins \(url) among all, and not against \(routes[rival].pattern) alone"
      )
    }
  }

  private static func builder(
    _ routes: some Sequence<(offset: Int, element: FuzzRoute)>
  ) throws(RouteTableError) -> RouteTableBuilder<Int> {
    var builder = RouteTableBuilder<Int>()
    for (index, route) in routes {
      try builder.add(
        [route.pattern], id: "r\(index)", action: index, at: SourceLocation(file: "input", line: index + 1),
        rank: route.rank, when: route.conditions)
    }
    return builder
  }

  private func taken(by action: Int, _ url: String) -> RouteMatch<Int>? {
    try? alone[action].match(url, when: FuzzRoute.context)
  }

  private static func winner(of table: RouteTable<Int>, _ url: String) -> Int? {
    try? table.match(url, when: FuzzRoute.context)?.action
  }

  private static func texts(of match: RouteMatch<Int>) -> [String] {
    match.pattern.captures.map { capture in
      let list = match[list: capture.name].map { Array($0).description } ?? ""
      let numbers = "\(match[int: capture.name] ?? 0) \(match[uint: capture.name] ?? 0)"
      let truth = match[bool: capture.name].map { String($0) } ?? ""
      return "\(capture.name)=\(match[capture.name] ?? "-") \(list) \(numbers) \(truth)"
    } + match.values.map { "\($0.name): \($0.value)" }
  }

  /// Checks that a diagnostic is not empty and that its witness proves it.
  private func check(_ finding: RouteDiagnostic) {
    promise(!finding.description.isEmpty, "a finding says something")
    guard case .crossing(let decision) = finding.kind else { return }
    check(decision.witness, of: [decision.winner, decision.loser], "\(decision)")
    let winner = (try? table.match(decision.witness))?.route.id
    promise(
      winner == decision.witnessWinner ?? decision.winner.id,
      "\(winner ?? "none") wins the witness of \(decision)")
  }

  /// Checks that both sides match a witness.
  private func check(_ witness: RouteRequest, of sides: [RouteConflict.Side], _ what: String) {
    for side in sides {
      guard let number = Int(side.id.dropFirst()) else { continue }
      promise((try? alone[number].match(witness)) != nil, "\(side) does not take the witness: \(what)")
    }
  }
}

extension RouteDiagnostic.Kind {
  fileprivate var isOfOneThatNeverWins: Bool {
    switch self {
    case .matchesNothing, .neverWins: true
    case .neverHolds, .winsOnlyEmptySegments, .nothingToWin, .winsAnyway, .layerDecides, .crossing: false
    }
  }
}
