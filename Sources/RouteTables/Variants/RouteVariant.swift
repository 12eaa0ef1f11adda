// SPDX-License-Identifier: Apache-2.0
/// A variant of a route, with its requirements on the query, the fragment and the conditions.
///
/// It is a class because the builder passes it on more often than it reads it.
package final class RouteVariant: Sendable {
  /// A test of a query key.
  package struct Test: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case absent
      case present
      /// The first value must match.
      case first(ComponentMatcher)
      /// Each value must belong to the language, and there must be at least one.
      case each(LanguageInterner.Number)
    }

    package let key: [UInt8]
    package let kind: Kind
  }

  /// The index of the route in its table, followed by the index of the pattern in the route.
  package let route: Int
  package let pattern: Int
  package let shape: PatternVariant
  /// The tests of the query, sorted by key.
  package let tests: [Test]
  /// The matcher of the fragment; `nil` if any fragment, or none, is allowed.
  package let fragment: ComponentMatcher?
  package let conditions: [(name: String, language: LanguageInterner.Number)]
  /// Indicates whether `+` is a literal in the query.
  package let hasLiteralPlus: Bool
  /// The segments that the path requires after its first catch-all.
  package let specificity: CatchAllSpecificity

  package init(
    _ shape: PatternVariant, of pattern: RoutePattern, route: Int, index: Int, conditions: [RouteCondition],
    languages: inout LanguageInterner
  ) {
    self.route = route
    self.pattern = index
    self.shape = shape
    var tests: [Test] = []
    for item in pattern.query {
      switch item.test {
      case .present: tests.append(Test(key: item.key, kind: .present))
      case .absent: tests.append(Test(key: item.key, kind: .absent))
      case .value(let part):
        if pattern.isOptional(part) { continue }
        let place = languages.place(part, of: pattern, in: .query)
        let isList = part.wholeCapture.map { pattern.captures[$0].extent == .list } ?? false
        switch place {
        case .language(LanguageInterner.anything): tests.append(Test(key: item.key, kind: .present))
        case .language(let number) where isList: tests.append(Test(key: item.key, kind: .each(number)))
        default: tests.append(Test(key: item.key, kind: .first(place)))
        }
      }
    }
    self.tests = tests.count < 2 ? tests : tests.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    fragment = pattern.fragment.flatMap { part in
      pattern.isOptional(part) ? nil : languages.place(part, of: pattern, in: .fragment)
    }
    self.conditions = conditions.map { ($0.name, languages.intern($0.language)) }
    hasLiteralPlus = pattern.options.plus == .literal
    let hasRest = pattern.captures.contains { $0.extent == .rest }
    specificity =
      hasRest ? CatchAllSpecificity(shape.path(of: pattern), of: pattern, &languages) : CatchAllSpecificity()
  }

  /// Indicates whether the variant has no requirements on the query, the fragment, the conditions and the scheme beyond
  /// its node in the index.
  package var isUnconditional: Bool {
    tests.isEmpty && fragment == nil && conditions.isEmpty && shape.excludedSchemes.isEmpty
  }
}
