/// Two routes that match some request in common, neither narrower than the other, so that the first difference from the left decided.
public struct Overlap: Hashable, Sendable, CustomStringConvertible {
  /// The indices of the two among the routes of the table, the one that comes first in front.
  public let routeIndices: [Int]
  /// The one that comes first.
  public let winner: RouteConflict.Side
  /// The other one.
  public let loser: RouteConflict.Side
  /// A request that both match, and that the first wins, unless others take all that both match.
  public let witness: RouteRequest
  /// The ID of the route that wins the witness where others take all that both match.
  public let taker: String?
  /// Whether the first wins because it denies and is final, not by the first difference.
  public let denies: Bool

  /// The sentence a person reads, without a place in front: it names two.
  public var description: String {
    "the routes \(winner) and \(loser) cross, for example \(witness)"
      + (taker.map { ", which `\($0)` takes" } ?? "")
      + (denies
        ? ": the first denies it; say `wins_over` in the second if it is to win"
        : ": the first wins by its first difference from the left; say `wins_over` in one of them")
  }
}

extension RouteTable {
  /// The pairs of routes of one rank between which neither inclusion nor `wins_over` decides, and a request each that shows it.
  ///
  /// At most `limit` of those that are `wanted`, by the indices of their routes. The `gaps` say why these may not be all: there are
  /// some past the limit, past ten million joined states or 50,000 pairs that had to be compared, and where two patterns cannot be compared.
  public func leftmostDecisions(
    limit: Int = 100, where wanted: (Int, Int) -> Bool = { _, _ in true }
  ) -> (decisions: [Overlap], gaps: AnalysisGaps) {
    guard let contest = try? PrecedenceOracle(routes.map(\.record), storage.index) else { return ([], .all) }
    var search = OverlapSearch(contest, limit: limit)
    search.run { wanted($0, $1) && contest.routes[$0].overrides == contest.routes[$1].overrides }
    return (search.decisions, search.gaps)
  }
}

/// Looks through the pairs of shapes that may meet for those between which only the order from the left decides.
struct OverlapSearch {
  private struct Pair: Hashable {
    let first: Int
    let second: Int

    init(_ one: Int, _ other: Int) { (first, second) = (min(one, other), max(one, other)) }
  }

  private var contest: PrecedenceOracle
  private var languages: LanguageInterner
  private let limit: Int
  /// The place of each shape in the order of precedence.
  private var places: [Int]
  /// Pairs of routes that need no decision, or had one.
  private var settled: Set<Pair>
  /// How many pairs are compared request by request.
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
      compare(first, second, wanted)
      return decisions.count < limit && compared < comparisons
    }
    if !isJoined { gaps.add(.joins(OverlapJoin.limit)) }
    if decisions.count >= limit { gaps.add(.reported(limit)) }
    if compared >= comparisons { gaps.add(.comparisons(comparisons)) }
  }

  /// Compares two shapes, the one that comes first in front.
  private mutating func compare(_ first: Int, _ second: Int, _ wanted: (Int, Int) -> Bool) {
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
      return give(reason, first, second)
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
    case .undecided(let reason): give(reason, first, second)
    case .found(let draft):
      switch classes.1.inclusion(in: classes.0, &languages) {
      case .inside: return
      case .undecided(let reason): return give(reason, first, second)
      case .outside: break
      }
      settled.insert(pair)
      let witness = draft.request
      let taker = contest.winner(of: witness).map { contest.shapes.tree.shapes[$0].route }
      decisions.append(
        Overlap(
          routeIndices: [one, other], winner: contest.side(of: first), loser: contest.side(of: second),
          witness: witness, taker: taker == one ? nil : taker.map { contest.routes[$0].id },
          denies: contest.routes[one].overrides && !contest.routes[other].overrides))
    }
  }

  /// Notes that nobody can say whether two shapes cross.
  private mutating func give(_ reason: UndecidedReason, _ first: Int, _ second: Int) {
    gaps.add(
      UndecidedQuestion(
        kind: .crosses(contest.side(of: second)), route: contest.side(of: first), reason: reason))
  }
}
