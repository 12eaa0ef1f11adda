// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension RouteVariant {
  /// The first difference of two variants that end in one node of the index.
  package enum Difference {
    case none
    /// One is narrower or simply first; the value is true if the first variant comes first.
    case ordered(Bool)
    /// The variants overlap there; the value is true if the first variant comes first nevertheless.
    case crossing(Bool)
  }

  /// Compares the query, the fragment, the conditions and the excluded schemes of two variants that end in one node.
  ///
  /// In the query, more required keys come first, then more keys that must be absent, then the keys in the order of their
  /// bytes, then the narrower test of the first different key.
  package func difference(from other: RouteVariant, _ languages: inout LanguageInterner) -> Difference {
    let (required, others) = (tests.count { $0.kind != .absent }, other.tests.count { $0.kind != .absent })
    guard required == others else { return .ordered(required > others) }
    guard tests.count == other.tests.count else { return .ordered(tests.count > other.tests.count) }
    for (own, others) in zip(tests, other.tests) where own.key != others.key {
      return .ordered(own.key.lexicographicallyPrecedes(others.key))
    }
    for (own, others) in zip(tests, other.tests) where own != others {
      let comesFirst = Self.precedes(own.kind, others.kind, using: &languages)
      let relation = Self.relation(own.kind, others.kind, using: &languages)
      return relation == .crossing ? .crossing(comesFirst) : .ordered(comesFirst)
    }
    switch (fragment, other.fragment) {
    case (let own?, let others?) where own != others:
      let comesFirst = languages.precedes(own, others)
      return languages.relation(own, others) == .crossing ? .crossing(comesFirst) : .ordered(comesFirst)
    case (_?, nil): return .ordered(true)
    case (nil, _?): return .ordered(false)
    default: break
    }
    guard conditions.count == other.conditions.count else {
      return .ordered(conditions.count > other.conditions.count)
    }
    for (own, others) in zip(conditions, other.conditions) {
      guard own.name == others.name else { return .ordered(own.name < others.name) }
      guard own.language != others.language else { continue }
      let comesFirst = languages.precedes(own.language, others.language)
      return languages.relation(own.language, others.language) == .crossing
        ? .crossing(comesFirst) : .ordered(comesFirst)
    }
    let (excluded, excludedByOther) = (shape.excludedSchemes, other.shape.excludedSchemes)
    if excluded != excludedByOther {
      // The variant that excludes more schemes is narrower.
      if Set(excluded).isSuperset(of: excludedByOther) { return .ordered(true) }
      if Set(excludedByOther).isSuperset(of: excluded) { return .ordered(false) }
      return .crossing(
        (excludedByOther.count, excluded.joined(separator: "|"))
          < (excluded.count, excludedByOther.joined(separator: "|")))
    }
    guard hasLiteralPlus == other.hasLiteralPlus || tests.isEmpty else { return .ordered(hasLiteralPlus) }
    return .none
  }

  private static func precedes(_ lhs: Test.Kind, _ rhs: Test.Kind, using languages: inout LanguageInterner)
    -> Bool
  {
    switch (lhs, rhs) {
    case (.absent, _): false
    case (_, .absent): true
    case (.present, _): false
    case (_, .present): true
    case (.first(let one), .first(let other)): languages.precedes(one, other)
    case (.first(.literal), .each): true
    case (.each, .first(.literal)): false
    // For one language, a test of all values is narrower than a test of the first value.
    case (.each(let one), .first(let other)): !languages.precedes(other, .language(one))
    case (.first(let one), .each(let other)): languages.precedes(one, .language(other))
    case (.each(let one), .each(let other)): languages.precedes(one, other)
    }
  }

  /// Returns the relation of the values that pass one test to those that pass another test of the same key.
  static func relation(
    _ lhs: Test.Kind, _ rhs: Test.Kind, using languages: inout LanguageInterner
  ) -> RegularLanguage.Relation {
    if lhs == rhs { return .equal }
    switch (lhs, rhs) {
    case (.absent, _), (_, .absent): return .disjoint
    case (.present, _): return .wider
    case (_, .present): return .narrower
    case (.first(let one), .first(let other)): return languages.relation(one, other)
    case (.each(let one), .each(let other)): return languages.relation(one, other)
    case (.each(let one), .first(let other)):
      switch languages.relation(.language(one), other) {
      case .equal, .narrower: return .narrower
      case .disjoint: return .disjoint
      case .wider, .crossing: return .crossing
      }
    case (.first(let one), .each(let other)):
      switch languages.relation(one, .language(other)) {
      case .equal, .wider: return .wider
      case .disjoint: return .disjoint
      case .narrower, .crossing: return .crossing
      }
    }
  }
}
