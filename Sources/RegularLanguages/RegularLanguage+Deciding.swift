// SPDX-License-Identifier: Apache-2.0
extension RegularLanguage {
  /// The relation between the sets of texts of two languages.
  public enum Relation: Hashable, Sendable {
    /// Both languages contain the same texts.
    case equal
    /// The first language is a proper subset of the second.
    case narrower
    /// The first language is a proper superset of the second.
    case wider
    /// The languages overlap: they have common texts, and each contains texts that the other does not.
    case crossing
    /// The languages have no common text.
    case disjoint
  }

  /// Returns the exact relation of this language to `other`.
  ///
  /// ```swift
  /// let digits = try RegularLanguage("[0-9]+")
  /// digits.relation(to: try RegularLanguage("[0-9a-f]+"))   // .narrower
  /// ```
  public func relation(to other: RegularLanguage) -> Relation {
    if self == other { return .equal }
    var product = ProductAutomaton(automaton, other.automaton)
    product.explore()
    // Languages that are not equal differ in at least one text, even if one of them is empty.
    return switch (product.isInBoth, product.isInFirst, product.isInSecond) {
    case (_, false, _): .narrower
    case (_, _, false): .wider
    case (true, true, true): .crossing
    case (false, true, true): .disjoint
    }
  }

  /// Returns whether `other` contains every text of this language.
  public func isSubset(of other: RegularLanguage) -> Bool {
    let relation = relation(to: other)
    return relation == .equal || relation == .narrower
  }

  /// Returns the shortest text that both languages contain; `nil` if there is none.
  public func commonText(with other: RegularLanguage) -> String? {
    var product = ProductAutomaton(automaton, other.automaton)
    return product.shortestText { $0 && $1 }
  }

  /// The shortest text of the language; `nil` if the language is empty.
  public var shortestText: String? { commonText(with: self) }

  /// Returns the language of the texts in both languages; throws `tooLarge` beyond ``maximumStates``.
  public func intersection(_ other: RegularLanguage) throws(RegularLanguageError) -> RegularLanguage {
    try combined(with: other) { $0 && $1 }
  }

  /// Returns the language of the texts that are not in `other`; throws `tooLarge` beyond ``maximumStates``.
  public func subtracting(_ other: RegularLanguage) throws(RegularLanguageError) -> RegularLanguage {
    try combined(with: other) { $0 && !$1 }
  }

  /// Returns the language of the texts in either language; throws `tooLarge` beyond ``maximumStates``.
  public func union(_ other: RegularLanguage) throws(RegularLanguageError) -> RegularLanguage {
    try combined(with: other) { $0 || $1 }
  }

  /// The language without the empty text.
  package var withoutEmptyText: RegularLanguage {
    guard automaton.isAccepting[1] else { return self }
    if self == .all { return .anyText }
    // At most one state is added, so the limit is exceeded only by a language that is already at the limit.
    do { return try subtracting(.emptyText) } catch { return self }
  }

  /// The language of all texts.
  package static let all = RegularLanguage(builtIn: ".*")
  /// The language of all non-empty texts.
  package static let anyText = RegularLanguage(builtIn: ".+")
  private static let emptyText = RegularLanguage(builtIn: "")

  func combined(
    with other: RegularLanguage, _ accepts: (Bool, Bool) -> Bool
  ) throws(RegularLanguageError) -> RegularLanguage {
    var product = ProductAutomaton(automaton, other.automaton)
    guard let automaton = product.automaton(where: accepts) else {
      throw RegularLanguageError(.tooLarge)
    }
    return try RegularLanguage(automaton)
  }
}
