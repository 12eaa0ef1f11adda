// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension RegularLanguage {
  /// A placeholder for an unencoded `+` in a query, which some patterns read as a space; a URL never contains NUL.
  static let writtenPlus: UInt8 = 0

  /// Returns the texts as written that belong to the language if an unencoded `+` is read as `scalar`.
  ///
  /// `scalar` is an ASCII character. Returns `nil` if the automaton is too large.
  func written(plusIs scalar: UInt8) -> RegularLanguage? {
    let number = automaton.classes.ascii[Int(scalar)]
    guard number != 0 else { return self }
    let plus = UInt32(Self.writtenPlus)
    let classes = ScalarClasses(runs: [(plus...plus, number)] + automaton.classes.runs)
    return try? RegularLanguage(
      DeterministicAutomaton(
        classes: classes, table: automaton.transitions.map { Int32($0) }, accepting: automaton.isAccepting))
  }
}

extension LanguageInterner {
  /// The number of the language of all texts as written.
  var anyWritten: Number {
    mutating get { written(.language(Self.anything), plusIs: UInt8(ascii: "+")) ?? Self.anything }
  }

  /// Returns the number of the texts as written that a matcher matches if an unencoded `+` is read as `scalar`.
  ///
  /// Returns `nil` if the automaton is too large.
  mutating func written(_ place: ComponentMatcher, plusIs scalar: UInt8) -> Number? {
    let reading = PlusInterpretation(place: place, scalar: scalar)
    if let known = plusReadings[reading] { return known }
    let language: RegularLanguage? =
      switch place {
      case .language(let number): self[number]
      case .literal(let text), .folded(let text):
        try? RegularLanguage(.literal(String(decoding: text, as: UTF8.self)))
      }
    guard let written = language?.written(plusIs: scalar) else { return nil }
    let number = intern(written)
    plusReadings[reading] = number
    return number
  }
}
