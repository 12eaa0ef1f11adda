// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A search for the routes of a table that match a URL or nearly match it.
///
/// It compares the URL with the variants of the table in order of precedence, and skips variants that are certainly no near
/// miss.
struct ExplanationSearch {
  /// A variant and its comparison with the URL.
  private struct Candidate {
    let shape: Int
    let fit: PatternComparison
  }

  private let reading: DecodedURL
  private let routes: RouteRecords
  private let index: RouteIndex
  private let context: [String: String]
  /// The number of the winning variant; `nil` if none matches.
  private let winner: Int?
  /// The best matching variant of each route that matches.
  private var matching: [Candidate] = []
  /// The nearest variant of each route that does not match, if it has at most two mismatches.
  private var near: [Int: Candidate] = [:]
  /// The routes with a matching variant.
  private var isDone: Set<Int> = []
  private let mask: SecretMask
  private var reach = RouteExplanation.FurthestComponent.noRoute
  /// A cache: for each other scheme of the table, whether the URL may be intended for it.
  private var meant: [String: Bool] = [:]

  /// The maximum number of mismatches of a near miss.
  static let maxMismatches = 2

  init(
    _ reading: DecodedURL, routes: RouteRecords, index: RouteIndex, context: [String: String],
    winner: Int?, hiding hidden: SecretMask
  ) {
    self.reading = reading
    self.routes = routes
    self.index = index
    self.context = context
    self.winner = winner
    var mask = SecretMask(reading, routes: routes, index: index)
    mask.formUnion(hidden)
    self.mask = mask
  }

  mutating func run() {
    for stretch in index.stretches {
      let fitsScheme = stretch.scheme.map { $0 == reading.scheme } ?? true
      // A near miss is reported only if it would precede the winner.
      if !fitsScheme, isBehindWinner(stretch.places.lowerBound) { continue }
      guard fitsScheme || mayMean(stretch.scheme) else {
        reach = max(reach, .scheme)
        continue
      }
      for shape in stretch.places where mayBeReported(shape, fitsScheme: fitsScheme) { compare(shape) }
    }
  }

  /// Returns whether a variant follows the winner in precedence; such a variant is reported only if it matches.
  private func isBehindWinner(_ shape: Int) -> Bool { winner.map { shape > $0 } ?? false }

  /// Returns whether a variant may match or nearly match, without a full comparison.
  private mutating func mayBeReported(_ shape: Int, fitsScheme: Bool) -> Bool {
    let form = index.form(at: shape, of: pattern(of: shape))
    let mismatches = form.misfitsInFront(of: reading)
    guard !isBehindWinner(shape) else {
      return fitsScheme && mismatches == 0 && form.mayTakePath(of: reading)
    }
    // With a mismatch before the path, a near miss can have no other mismatch.
    guard mismatches > (fitsScheme ? 1 : 0) else { return true }
    reach = max(reach, fitsScheme ? .host : .scheme)
    return false
  }

  /// Returns the pattern of a variant.
  private func pattern(of shape: Int) -> RoutePattern {
    routes[index.route(of: shape)].patterns[index.pattern(of: shape)]
  }

  private mutating func compare(_ shape: Int) {
    let number = index.route(of: shape)
    guard !isDone.contains(number) else { return }
    let route = routes[number]
    let pattern = pattern(of: shape)
    let maxMismatches = isBehindWinner(shape) ? 0 : Self.maxMismatches
    let fit = PatternComparison(
      reading, pattern: pattern, form: index.form(at: shape, of: pattern),
      conditions: route.conditions, context: context,
      maxMismatches: maxMismatches)
    note(fit)
    if fit.mismatchCount == 0 {
      isDone.insert(number)
      near[number] = nil
      matching.append(Candidate(shape: shape, fit: fit))
    } else if fit.mismatchCount <= maxMismatches, fit.isAtPath || fit.mismatches.count == 1,
      near[number].map({ fit.mismatchCount < $0.fit.mismatchCount }) ?? true
    {
      near[number] = Candidate(shape: shape, fit: fit)
    }
  }

  /// Returns whether the URL may be intended for another scheme, so that most schemes of a large table are skipped.
  private mutating func mayMean(_ scheme: String?) -> Bool {
    guard let own = reading.scheme, let scheme else { return true }
    if let known = meant[scheme] { return known }
    let mayMean = PatternComparison.mayMean(own, scheme)
    meant[scheme] = mayMean
    return mayMean
  }

  /// Records the furthest component that matches so far.
  private mutating func note(_ fit: PatternComparison) {
    let own: RouteExplanation.FurthestComponent =
      fit.isAtPath ? .path : fit.mismatches.first?.place == .scheme ? .scheme : .host
    reach = max(reach, own)
  }

  /// Returns the explanation, with at most `limit` near misses; `match` returns the route of a suggested URL.
  mutating func explanation(limit: Int, match: (String) -> Int?) -> RouteExplanation {
    var mismatchCount = nearest(match)
    let further = max(0, mismatchCount.count - limit)
    mismatchCount = Array(mismatchCount.prefix(limit))
    let reported = mismatchCount.map { miss in
      NearMiss(
        route: explained(miss.candidate.shape), mismatches: miss.candidate.fit.mismatches(mask, context),
        suggestion: miss.edit.flatMap { mask.shown(reading.url, $0) })
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
    // Create the search only if there are losers, because it reads the `wins_over` rules of the whole table.
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
    /// The edit that makes the URL match; `nil` if there is none.
    let edit: SuggestedEdit?
    /// The number of mismatches.
    let count: Int
    let nearness: MatchDistance
  }

  /// Returns the near misses, nearest first; equally near ones are in order of precedence.
  ///
  /// Routes with two mismatches are included only if no route has one and no route matches. Routes with dissimilar texts
  /// are included only if there are no nearer ones and no route matches.
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

  /// Returns the near miss of a candidate; `nil` if the mismatches are too large.
  private func miss(_ candidate: Candidate, _ match: (String) -> Int?) -> Miss? {
    let fit = candidate.fit
    guard !fit.mismatches.contains(where: isMeant) else { return nil }
    let edit = fit.edits.first { match($0.suggestion(reading.url)) == index.route(of: candidate.shape) }
    if edit != nil { return Miss(candidate: candidate, edit: edit, count: 1, nearness: .suggestion) }
    let nearness = fit.nearness
    switch fit.mismatches.first?.place {
    case .opening: return nil
    case .scheme, .label: if nearness == .other { return nil }
    default: break
    }
    return Miss(candidate: candidate, edit: nil, count: fit.mismatchCount, nearness: nearness)
  }

  /// Returns whether the mismatch is in a literal text of the winning pattern, and so is not a typing error.
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
