// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A search for the rule by which one variant of a table precedes another.
struct RuleSearch {
  private let routes: RouteRecords
  private let index: RouteIndex
  private let pairs: [WinsOver.Pair]
  private var languages = LanguageInterner()

  init(_ routes: RouteRecords, _ index: RouteIndex) {
    self.routes = routes
    self.index = index
    // An error cannot occur here, because the table was built from these pairs.
    pairs = index.hasWinsOver ? (try? WinsOver(Array(routes)).pairs()) ?? [] : []
  }

  /// Returns the rule by which the first variant precedes the second; both are given by number.
  mutating func rule(of first: Int, over second: Int) -> PrecedenceRule {
    let numbers = (index.route(of: first), index.route(of: second))
    let (own, other) = (routes[numbers.0], routes[numbers.1])
    if own.rank != other.rank { return .layer(own.rank, over: other.rank) }
    if pairs.contains(where: { $0.winner == numbers.0 && $0.loser == numbers.1 }) { return .winsOver }
    if own.overrides, !other.overrides { return .denies }
    if own.isForemost, !other.isForemost, own.overrides == other.overrides, !own.overrides {
      return .directory
    }
    let (one, pattern) = index.shape(at: first, of: routes, &languages)
    let (two, otherPattern) = index.shape(at: second, of: routes, &languages)
    let (shapes, patterns) = ((one, two), (pattern, otherPattern))
    let steps = (
      ComparisonSteps(shapes.0, pattern: patterns.0, &languages),
      ComparisonSteps(shapes.1, pattern: patterns.1, &languages)
    )
    let place = ComparisonSteps.difference(between: steps.0, and: steps.1, &languages)
    let beyond =
      place == nil
      ? shapes.0.firstDifference(from: shapes.1, patterns: patterns, records: (own, other), &languages) : nil
    if place == nil, beyond == nil { return .owners }
    let product = PatternInclusion(shapes.0, pattern: patterns.0, shapes.1, pattern: patterns.1)
    let inclusion = product.inclusion(&languages)
    if inclusion == .inside { return .narrower }
    guard let difference = place.map({ $0.isInOrder ? $0.difference : nil }) ?? beyond else {
      return .transitive(of: between(first, second).map { routes[$0].id })
    }
    switch (inclusion, product.reversed.inclusion(&languages)) {
    case (.undecided(let reason), _), (_, .undecided(let reason)): return .undecided(difference, reason)
    case (_, .inside): return .undecided(difference, .unordered)
    case (_, .outside): return .firstDifference(difference)
    }
  }

  /// Returns a route between the two that explains their order; `nil` if no single route does.
  ///
  /// It is a route that a `wins_over` rule relates to one of the two, or the only route between them.
  private func between(_ first: Int, _ second: Int) -> Int? {
    let (own, other) = (index.route(of: first), index.route(of: second))
    let there = Set((first + 1..<max(second, first + 1)).map { index.route(of: $0) })
    for pair in pairs {
      if pair.winner == own, there.contains(pair.loser) { return pair.loser }
      if pair.loser == other, there.contains(pair.winner) { return pair.winner }
    }
    return there.count == 1 ? there.first : nil
  }
}

extension RouteVariant {
  /// Returns the first difference of two variants that end in one node; `nil` if they do not differ.
  ///
  /// `self` must be the variant that precedes the other.
  fileprivate func firstDifference(
    from other: RouteVariant, patterns: (RoutePattern, RoutePattern), records: (RouteRecord, RouteRecord),
    _ languages: inout LanguageInterner
  ) -> FirstDifference? {
    let isCrossing: Bool
    switch difference(from: other, &languages) {
    case .none: return nil
    case .ordered: isCrossing = false
    case .crossing: isCrossing = true
    }
    let (required, others) = (tests.count { $0.kind != .absent }, other.tests.count { $0.kind != .absent })
    if required != others { return .moreKeys(required, others) }
    if tests.count != other.tests.count {
      return .moreAbsentKeys(tests.count - required, other.tests.count - others)
    }
    for (own, others) in zip(tests, other.tests) where own.key != others.key {
      return .keys(own.name, others.name)
    }
    if let (own, others) = zip(tests, other.tests).first(where: { $0 != $1 }) {
      return .place(
        .query(own.name), first: patterns.0.written(own), second: patterns.1.written(others),
        isCrossing: isCrossing)
    }
    if fragment != other.fragment {
      let texts = (patterns.0, patterns.1)
      return .place(
        .fragment, first: texts.0.writtenFragment, second: texts.1.writtenFragment, isCrossing: isCrossing)
    }
    if conditions.count != other.conditions.count {
      return .moreConditions(conditions.count, other.conditions.count)
    }
    for (own, others) in zip(conditions, other.conditions) where own.name != others.name {
      return .conditions(own.name, others.name)
    }
    for (own, others) in zip(conditions, other.conditions) where own.language != others.language {
      return .place(
        .request(own.name), first: records.0.wording(of: own.name), second: records.1.wording(of: own.name),
        isCrossing: isCrossing)
    }
    if shape.excludedSchemes != other.shape.excludedSchemes {
      func written(_ schemes: [String]) -> String {
        schemes.isEmpty ? "any scheme" : "any scheme except " + schemes.joined(separator: ", ")
      }
      return .place(
        .scheme, first: written(shape.excludedSchemes), second: written(other.shape.excludedSchemes),
        isCrossing: isCrossing)
    }
    return .literalPlus
  }
}

extension RouteVariant.Test {
  fileprivate var name: String { String(decoding: key, as: UTF8.self) }
}

extension RoutePattern {
  /// Returns the query item of a test, as written in the pattern.
  fileprivate func written(_ test: RouteVariant.Test) -> String {
    guard let item = query.first(where: { $0.key == test.key }) else { return "" }
    let key = (item.test == .absent ? "!" : "") + Self.encode(item.key, reserved: "&=#%+!")
    return key + (item.value.map { "=" + text(of: $0, .query) } ?? "")
  }

  fileprivate var writtenFragment: String { fragment.map { "#" + text(of: $0, .fragment) } ?? "" }
}

extension RouteRecord {
  /// Returns the accepted values of a condition, joined with "or".
  fileprivate func wording(of name: String) -> String {
    let conditions = conditions.filter { $0.name == name }
    if let running = conditions.first.flatMap({ RunningApplications($0) }), running != RunningApplications() {
      return running.description
    }
    return conditions.flatMap(\.words).joined(separator: " or ")
  }
}
