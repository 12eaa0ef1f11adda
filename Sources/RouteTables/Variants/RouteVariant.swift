/// A shape of a route, with what the query, the fragment and the request must hold for it.
///
/// A reference, since building hands it on more often than it looks into it.
final class RouteVariant: Sendable {
  /// What a query must hold.
  struct Test: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case absent
      case present
      /// What the first value must be.
      case first(ComponentMatcher)
      /// What each value must be, of one or more.
      case each(LanguageInterner.Number)
    }

    let key: [UInt8]
    let kind: Kind
  }

  /// The index of the route in its table, and of the pattern in the route.
  let route: Int
  let pattern: Int
  let shape: PatternVariant
  /// What the query must hold, by key.
  let tests: [Test]
  /// What the fragment must be; `nil` if it does not matter.
  let fragment: ComponentMatcher?
  let conditions: [(name: String, language: LanguageInterner.Number)]
  /// Whether `+` is itself in the query.
  let hasLiteralPlus: Bool

  init(
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
  }

  /// Whether anything but the components up to the path must hold.
  var isUnconditional: Bool { tests.isEmpty && fragment == nil && conditions.isEmpty }
}
