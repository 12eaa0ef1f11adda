// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// Two routes that match a common request, where neither is narrower and the first difference decides.
public struct Overlap: Hashable, Sendable, CustomStringConvertible {
  /// The indices of the two routes in the table, the winner first.
  public let routeIndices: [Int]
  /// The route that comes first.
  public let winner: RouteConflict.Side
  /// The route that comes second.
  public let loser: RouteConflict.Side
  /// A request that both match; the winner wins it unless other routes win all common requests.
  public let witness: RouteRequest
  /// The ID of the route that wins the witness; `nil` unless other routes win all common requests.
  public let witnessWinner: String?
  /// Indicates whether the winner comes first because it is final and denies, rather than by the first difference.
  public let denies: Bool

  /// A sentence for the user, without a location; it names both routes.
  public var description: String {
    "the routes \(winner) and \(loser) overlap, for example \(witness)"
      + (witnessWinner.map { ", which `\($0)` matches" } ?? "")
      + (denies
        ? ": the first wins because it denies"
        : ": the first wins by the first difference from the left; add `wins_over` to the one that is meant to win")
  }
}

extension RouteTable {
  /// Returns the pairs of routes of one layer that only the first difference decides, each with a witness.
  ///
  /// At most `limit` pairs are returned, of those for which `wanted` returns `true`; it receives route indices. The `gaps`
  /// state why the result may be incomplete: the limit, ten million joined states, 50,000 compared pairs, or two patterns
  /// that cannot be compared.
  public func overlaps(
    limit: Int = 100, where wanted: (Int, Int) -> Bool = { _, _ in true }
  ) -> (decisions: [Overlap], gaps: AnalysisGaps) {
    guard let contest = try? PrecedenceOracle(routes.map(\.record), storage.index) else { return ([], .all) }
    var search = OverlapSearch(contest, limit: limit)
    search.run { wanted($0, $1) && contest.routes[$0].overrides == contest.routes[$1].overrides }
    return (search.decisions, search.gaps)
  }
}

/// A search for the pairs of variants whose precedence only the first difference decides.
struct OverlapSearch {
  private struct Pair: Hashable {
    let first: Int
    let second: Int

    init(_ one: Int, _ other: Int) { (first, second) = (min(one, other), max(one, other)) }
  }

  private var contest: PrecedenceOracle
  private var languages: LanguageInterner
  private let limit: Int
  /// The position of each variant in the order of precedence.
  private var places: [Int]
  /// The pairs of routes that are already decided or reported.
  private var settled: Set<Pair>
  /// The maximum number of compared pairs.
  private let comparisons: Int
  private(set) var compared = 0
  private(set) var decisions: [Overlap] = []
  private(set) var gaps = AnalysisGaps()

  init(_ contest: PrecedenceOracle, limit: Int, comparisons: Int = 50_000) {
    self.contest = contest
    self.limit = limit
    self.comparisons = comparisons
    languages = contest.shapes.tree.languages
    places = [Int](repeating: 0, count: contest.shapes.order.count)
    for (place, shape) in contest.shapes.order.enumerated() { places[shape] = place }
    settled = Set(contest.shapes.constraints.map { Pair($0.winner, $0.loser) })
  }

  mutating func run(_ wanted: (Int, Int) -> Bool) {
    var join = OverlapJoin(contest.shapes.tree)
    let isJoined = join.run { one, other in
      let (first, second) = places[one] < places[other] ? (one, other) : (other, one)
      compare(first, second, wanted: wanted)
      return decisions.count < limit && compared < comparisons
    }
    if !isJoined { gaps.add(.joins(OverlapJoin.limit)) }
    if decisions.count >= limit { gaps.add(.reported(limit)) }
    if compared >= comparisons { gaps.add(.comparisons(comparisons)) }
  }

  /// Compares two variants; `first` precedes `second`.
  private mutating func compare(_ first: Int, _ second: Int, wanted: (Int, Int) -> Bool) {
    let (one, other) = (contest.shapes.tree.shapes[first].route, contest.shapes.tree.shapes[second].route)
    let pair = Pair(one, other)
    guard one != other, contest.routes[one].rank == contest.routes[other].rank, wanted(one, other),
      !settled.contains(pair)
    else { return }
    compared += 1
    let classes = (contest.requests(of: first, &languages), contest.requests(of: second, &languages))
    switch classes.0.inclusion(in: classes.1, &languages) {
    case .inside: return
    case .undecided(let reason):
      var search = WitnessSearch(inside: [classes.0, classes.1])
      if case .none = search.run(&languages) { return }
      return recordUndecided(reason, first: first, second: second)
    case .outside: break
    }
    var search = CounterexampleSearch()
    var outcome = search.run(inside: [classes.0, classes.1], &languages) { request, languages in
      let winner = contest.winner(of: request) ?? second
      return winner == first ? nil : (winner, contest.requests(of: winner, &languages))
    }
    if case .none = outcome, !search.blockers.isEmpty {
      var search = WitnessSearch(inside: [classes.0, classes.1])
      outcome = search.run(&languages)
    }
    switch outcome {
    case .none: return
    case .undecided(let reason): recordUndecided(reason, first: first, second: second)
    case .found(let draft):
      switch classes.1.inclusion(in: classes.0, &languages) {
      case .inside: return
      case .undecided(let reason): return recordUndecided(reason, first: first, second: second)
      case .outside: break
      }
      guard !deniesSomeCallersAll(one, of: second) else { return }
      settled.insert(pair)
      let witness = draft.request
      let witnessWinner = contest.winner(of: witness).map { contest.shapes.tree.shapes[$0].route }
      decisions.append(
        Overlap(
          routeIndices: [one, other], winner: contest.side(of: first), loser: contest.side(of: second),
          witness: witness,
          witnessWinner: witnessWinner == one ? nil : witnessWinner.map { contest.routes[$0].id },
          denies: contest.routes[one].overrides && !contest.routes[other].overrides))
    }
  }

  /// Returns whether a final route denies, to the callers in its conditions, all URLs of a variant of a route that does not deny.
  ///
  /// Such a denial is meant to precede the other route, so that its overlap is not a mistake.
  private mutating func deniesSomeCallersAll(_ denial: Int, of shape: Int) -> Bool {
    let other = contest.shapes.tree.shapes[shape]
    guard contest.routes[denial].overrides, !contest.routes[denial].conditions.isEmpty,
      !contest.routes[other.route].denies
    else { return false }
    let urls = urls(of: other)
    return contest.shapes.tree.shapes.contains { wider in
      guard wider.route == denial else { return false }
      return urls.inclusion(in: self.urls(of: wider), &languages) == .inside
    }
  }

  /// Returns the requests that a variant matches if its conditions are left out.
  private mutating func urls(of shape: RouteVariant) -> RequestSet {
    let pattern = contest.routes[shape.route].patterns[shape.pattern]
    let unconditional = RouteVariant(
      shape.shape, of: pattern, route: shape.route, index: shape.pattern, conditions: [],
      languages: &languages)
    return RequestSet(unconditional, pattern: pattern, &languages)
  }

  /// Records that the analysis could not decide whether two variants overlap.
  private mutating func recordUndecided(_ reason: UndecidedReason, first: Int, second: Int) {
    gaps.add(
      UndecidedQuestion(
        kind: .crosses(contest.side(of: second)), route: contest.side(of: first), reason: reason))
  }
}
