/// One way in which a route can match: today each of its patterns is one.
///
/// Precedence is between shapes. What the tree of the index cannot order is ordered here: shapes that agree from
/// the scheme to the end of the path.
struct RouteShape: Sendable {
  /// What the first value of a query key, or the fragment, must be.
  enum Test: Hashable, Sendable {
    case literal([UInt8])
    case type(LanguageTable.Number)
    /// Being there is enough.
    case present
  }

  /// The index of the route in its table, and of the pattern in the route.
  let route: Int
  let pattern: Int
  /// The keys a query must have, in one order, and what their first values must be.
  let predicates: [(key: SymbolTable.Symbol, test: Test)]
  /// What the fragment must be; `nil` if it does not matter.
  let fragment: Test?

  init(
    _ pattern: RoutePattern, route: Int, index: Int, symbols: inout SymbolTable,
    languages: inout LanguageTable
  ) {
    self.route = route
    self.pattern = index
    var predicates: [(key: SymbolTable.Symbol, test: Test)] = []
    for item in pattern.query where item.isRequired {
      predicates.append((symbols.intern(item.key), Test(item.value, &languages)))
    }
    self.predicates = predicates.sorted { $0.key < $1.key }
    fragment = pattern.requiredFragment.map { Test($0, &languages) }
  }

  /// Equal keys, equal requests, among the shapes that end in one node.
  var key: [Test?] {
    predicates.flatMap { [Test.type(Int($0.key)), $0.test] } + [fragment]
  }

  /// Whether both ask for the same keys.
  func hasKeys(of other: RouteShape) -> Bool {
    predicates.count == other.predicates.count
      && zip(predicates, other.predicates).allSatisfy { $0.key == $1.key }
  }
}

extension RouteShape.Test {
  fileprivate init(_ part: RoutePattern.Part?, _ languages: inout LanguageTable) {
    switch part {
    case .literal(let bytes)?: self = .literal(bytes)
    case .capture(let capture)?:
      self =
        capture.type.language == RouteType.string.language
        ? .present : .type(languages.intern(capture.type.language))
    case nil: self = .present
    }
  }

  /// How what this asks for lies to what `other` asks for.
  func relation(to other: Self, _ languages: inout LanguageTable) -> RouteLanguage.Relation {
    switch (self, other) {
    case (.present, .present): .equal
    case (.present, _): .wider
    case (_, .present): .narrower
    case (.literal(let one), .literal(let two)): one == two ? .equal : .disjoint
    case (.literal(let text), .type(let type)):
      languages[type].contains(String(decoding: text, as: UTF8.self)) ? .narrower : .disjoint
    case (.type(let type), .literal(let text)):
      languages[type].contains(String(decoding: text, as: UTF8.self)) ? .wider : .disjoint
    case (.type(let one), .type(let two)): languages.relation(one, two)
    }
  }

  func width(_ languages: LanguageTable) -> Double {
    switch self {
    case .literal: 0
    case .type(let number): languages[number].width
    case .present: 1
    }
  }
}

extension RoutePattern {
  /// The fragment, where it selects.
  var requiredFragment: Part? { fragment?.capture?.isOptional == true ? nil : fragment }
}
