extension RegularLanguage {
  /// How one language lies to another.
  public enum Relation: Hashable, Sendable {
    /// The same texts.
    case equal
    /// All its texts are the other's, and not the other way round.
    case narrower
    /// All the other's texts are its own, and not the other way round.
    case wider
    /// Some texts are in both, some in one alone, some in the other alone.
    case crossing
    /// No text is in both.
    case disjoint
  }

  /// How this language lies to `other`, exactly.
  ///
  /// ```swift
  /// RouteType.date.language.relation(to: RouteType.slug.language)   // .narrower
  /// ```
  public func relation(to other: RegularLanguage) -> Relation {
    if self == other { return .equal }
    var product = ProductAutomaton(automaton, other.automaton)
    product.explore()
    // Two that are not equal have a text in one alone, be one of them empty.
    return switch (product.isInBoth, product.isInFirst, product.isInSecond) {
    case (_, false, _): .narrower
    case (_, _, false): .wider
    case (true, true, true): .crossing
    case (false, true, true): .disjoint
    }
  }

  /// Whether every text of this language is one of `other`.
  public func isSubset(of other: RegularLanguage) -> Bool {
    let relation = relation(to: other)
    return relation == .equal || relation == .narrower
  }

  /// The shortest text that is in both; `nil` if there is none.
  public func commonText(with other: RegularLanguage) -> String? {
    var product = ProductAutomaton(automaton, other.automaton)
    return product.shortestText { $0 && $1 }
  }

  /// The shortest text of the language; `nil` if it is empty.
  public var shortestText: String? { commonText(with: self) }

  /// The texts that are in both; throws `expressionTooLarge` beyond ``maximumStates``.
  public func intersection(_ other: RegularLanguage) throws(RouteTableError) -> RegularLanguage {
    try combined(with: other) { $0 && $1 }
  }

  /// The texts of this language that are not in `other`; throws `expressionTooLarge` beyond ``maximumStates``.
  public func subtracting(_ other: RegularLanguage) throws(RouteTableError) -> RegularLanguage {
    try combined(with: other) { $0 && !$1 }
  }

  /// The texts of the language but for the empty one.
  var withoutEmptyText: RegularLanguage {
    guard automaton.isAccepting[1] else { return self }
    if self == RouteType.string.language { return .anyText }
    // No more states than there were, and one.
    do { return try subtracting(.emptyText) } catch { return self }
  }

  /// Any text but the empty one.
  static let anyText = RegularLanguage(builtIn: ".+")
  private static let emptyText = RegularLanguage(builtIn: "")

  func combined(
    with other: RegularLanguage, _ accepts: (Bool, Bool) -> Bool
  ) throws(RouteTableError) -> RegularLanguage {
    var product = ProductAutomaton(automaton, other.automaton)
    guard let automaton = product.automaton(where: accepts) else {
      throw RouteTableError(.expressionTooLarge)
    }
    return try RegularLanguage(automaton)
  }
}
