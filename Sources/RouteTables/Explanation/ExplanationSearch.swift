/// Compares a URL with the shapes of a table that it may be meant for, in their order, and keeps what matches and what nearly does.
struct ExplanationSearch {
  /// The shape of a route that comes nearest.
  private struct Candidate {
    let shape: Int
    let fit: PatternComparison
  }

  private let reading: DecodedURL
  private let routes: RouteRecords
  private let index: RouteIndex
  private let context: [String: String]
  /// The place of the shape that wins.
  private let winner: Int?
  /// The shapes that match, the best of each route.
  private var matching: [Candidate] = []
  /// The nearest shape of each route that has one by which it misses two places at most.
  private var near: [Int: Candidate] = [:]
  /// The routes of which a shape matches.
  private var isDone: Set<Int> = []
  private let mask: SecretMask
  private var reach = RouteExplanation.FurthestComponent.noRoute
  /// For which other schemes of the table the URL may be meant.
  private var meant: [String: Bool] = [:]

  /// A route that misses by more places is not near.
  static let mostMisses = 2

  init(
    _ reading: DecodedURL, _ routes: RouteRecords, _ index: RouteIndex, _ context: [String: String],
    winner: Int?, hiding hidden: SecretMask
  ) {
    self.reading = reading
    self.routes = routes
    self.index = index
    self.context = context
    self.winner = winner
    var mask = SecretMask(reading, routes, index)
    mask.formUnion(hidden)
    self.mask = mask
  }

  mutating func run() {
    for stretch in index.stretches {
      let fitsScheme = stretch.scheme.map { $0 == reading.scheme } ?? true
      // Behind the winner nothing is near.
      if !fitsScheme, isBehindWinner(stretch.places.lowerBound) { continue }
      guard fitsScheme || mayMean(stretch.scheme) else {
        reach = max(reach, .scheme)
        continue
      }
      for shape in stretch.places where mayBeTold(shape, fitsScheme: fitsScheme) { compare(shape) }
    }
  }

  /// What would come after the winner all the same is told only if it matches.
  private func isBehindWinner(_ shape: Int) -> Bool { winner.map { shape > $0 } ?? false }

  /// Whether a glance at a shape leaves it open that it matches, or nearly does.
  private mutating func mayBeTold(_ shape: Int, fitsScheme: Bool) -> Bool {
    let mismatches = index.forms[shape].misfitsInFront(of: reading)
    guard !isBehindWinner(shape) else {
      return fitsScheme && mismatches == 0 && index.forms[shape].mayTakePath(of: reading)
    }
    // Where one place in front of the path does not fit, no other may be wrong.
    guard mismatches > (fitsScheme ? 1 : 0) else { return true }
    reach = max(reach, fitsScheme ? .host : .scheme)
    return false
  }

  private mutating func compare(_ shape: Int) {
    let number = index.route(of: shape)
    guard !isDone.contains(number) else { return }
    let route = routes[number]
    let mostMisses = isBehindWinner(shape) ? 0 : Self.mostMisses
    let fit = PatternComparison(
      reading, route.patterns[index.pattern(of: shape)], index.forms[shape], route.conditions, context,
      mostMisses: mostMisses)
    note(fit)
    if fit.mismatchCount == 0 {
      isDone.insert(number)
      near[number] = nil
      matching.append(Candidate(shape: shape, fit: fit))
    } else if fit.mismatchCount <= mostMisses, fit.isAtPath || fit.mismatches.count == 1,
      near[number].map({ fit.mismatchCount < $0.fit.mismatchCount }) ?? true
    {
      near[number] = Candidate(shape: shape, fit: fit)
    }
  }

  /// Whether the URL may be meant for shapes of another scheme; of a large table most are of others, and are not told of.
  private mutating func mayMean(_ scheme: String?) -> Bool {
    guard let own = reading.scheme, let scheme else { return true }
    if let known = meant[scheme] { return known }
    let mayMean = PatternComparison.mayMean(own, scheme)
    meant[scheme] = mayMean
    return mayMean
  }

  /// Notes how far a shape goes along.
  private mutating func note(_ fit: PatternComparison) {
    let own: RouteExplanation.FurthestComponent =
      fit.isAtPath ? .path : fit.mismatches.first?.place == .scheme ? .scheme : .host
    reach = max(reach, own)
  }

  /// What was found; `match` says which route a mended URL goes to.
  mutating func explanation(limit: Int, match: (String) -> Int?) -> RouteExplanation {
    var mismatchCount = nearest(match)
    let further = max(0, mismatchCount.count - limit)
    mismatchCount = Array(mismatchCount.prefix(limit))
    let reported = mismatchCount.map { miss in
      NearMiss(
        route: explained(miss.candidate.shape), faults: miss.candidate.fit.faults(mask, context),
        suggestion: miss.mend.flatMap { mask.shown(reading.url, $0) })
    }
    var notes = reading.notes(mask)
    var winner: RouteExplanation.Winner?
    if let first = matching.first(where: { $0.shape == self.winner }) {
      let (captures, own) = first.fit.captures(mask)
      notes += own
      winner = .init(route: explained(first.shape), captures: captures)
    }
    return RouteExplanation(
      url: mask.shown(0..<reading.url.utf8.count, of: reading.url), winner: winner, losers: losers(),
      nearMisses: reported, furtherNearMisses: further,
      reach: winner == nil && reported.isEmpty && further == 0 ? reach : nil, notes: notes)
  }

  private func losers() -> [RouteExplanation.Loser] {
    guard let winner else { return [] }
    let losers = matching.filter { $0.shape != winner }
    // The wishes of a whole table are looked up.
    guard !losers.isEmpty else { return [] }
    var rules = RuleSearch(routes, index)
    return losers.map {
      .init(route: explained($0.shape), rule: rules.rule(of: winner, over: $0.shape))
    }
  }

  private func explained(_ shape: Int) -> ExplainedRoute {
    let number = index.route(of: shape)
    return ExplainedRoute(number, routes[number], pattern: index.pattern(of: shape))
  }

  // MARK: - Near misses

  private struct Miss {
    let candidate: Candidate
    /// The edit that mends it.
    let mend: SuggestedEdit?
    /// How many places do not fit.
    let count: Int
    let nearness: MatchDistance
  }

  /// What nearly matches, the nearest in front; of those that are as near, the one that would come first.
  ///
  /// What misses by one place, and only where there is nothing of that, by two; far off is told only where nothing else is.
  private func nearest(_ match: (String) -> Int?) -> [Miss] {
    let mismatchCount = near.values.compactMap { self.miss($0, match) }
    var reported = mismatchCount.filter { $0.count == 1 }
    if reported.isEmpty, winner == nil { reported = mismatchCount.filter { $0.nearness < .other } }
    let nearer = reported.filter { $0.nearness < .other }
    if !nearer.isEmpty || winner != nil { reported = nearer }
    return reported.sorted {
      ($0.count, $0.nearness, $0.candidate.shape) < ($1.count, $1.nearness, $1.candidate.shape)
    }
  }

  /// A candidate as a near miss; `nil` if it is none.
  private func miss(_ candidate: Candidate, _ match: (String) -> Int?) -> Miss? {
    let fit = candidate.fit
    guard !fit.mismatches.contains(where: isMeant) else { return nil }
    let mend = fit.mends.first { match($0.suggestion(reading.url)) == index.route(of: candidate.shape) }
    if mend != nil { return Miss(candidate: candidate, mend: mend, count: 1, nearness: .suggestion) }
    let nearness = fit.nearness
    switch fit.mismatches.first?.place {
    case .opening: return nil
    case .scheme, .label: if nearness == .other { return nil }
    default: break
    }
    return Miss(candidate: candidate, mend: nil, count: fit.mismatchCount, nearness: nearness)
  }

  /// Whether what stands in a place, where a route has another text, is the winner's own: no slip of the pen.
  private func isMeant(_ mismatch: PatternComparison.Mismatch) -> Bool {
    guard let fit = matching.first(where: { $0.shape == winner })?.fit, let range = mismatch.range else {
      return false
    }
    switch mismatch.place {
    case .scheme, .label, .segment, .lastSegment:
      guard mismatch.part?.captures.isEmpty ?? true else { return false }
      return !fit.capturedRanges.contains { $0.range.overlaps(range) }
    default: return false
    }
  }
}
