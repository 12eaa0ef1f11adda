extension RegularLanguage {
  /// Stands for a `+` as it is written in a query, which some read as a space: no text of a URL has a NUL.
  static let writtenPlus: UInt8 = 0

  /// The texts, as they are written, that are read as one of the language where a written `+` is read as `scalar`, an ASCII character.
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
  /// The number of any text, as it is written.
  var anyWritten: Number {
    mutating get { written(.language(Self.anything), plusIs: UInt8(ascii: "+")) ?? Self.anything }
  }

  /// The number of the texts, as they are written, that a place takes where a written `+` is read as a character; `nil` if that is
  /// too large.
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
