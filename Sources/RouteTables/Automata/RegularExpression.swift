/// A regular expression, read or put together; the whole text must match it.
indirect enum RegularExpression: Sendable {
  case set(ScalarSet)
  case sequence([RegularExpression])
  case choice([RegularExpression])
  /// At least `min` times and at most `max` times; `nil` is without end.
  case repetition(RegularExpression, min: Int, max: Int?)
  /// A language that is an automaton already.
  case language(RegularLanguage)

  /// Only this text; in any case of its ASCII letters, if it folds.
  static func literal(_ text: String, folds: Bool = false) -> RegularExpression {
    .sequence(
      text.unicodeScalars.map { scalar in
        guard folds, scalar.isASCII, UInt8(truncatingIfNeeded: scalar.value).isASCIILetter else {
          return .set(ScalarSet(scalar...scalar))
        }
        let (capital, small) = (scalar.value & ~0x20, scalar.value | 0x20)
        return .set(ScalarSet([capital...capital, small...small]))
      })
  }

  static let empty = RegularExpression.sequence([])
  static let anyScalar = RegularExpression.set(.all)

  /// Texts of `min` to `max` scalars.
  static func length(_ min: Int, _ max: Int?) -> RegularExpression {
    .repetition(.anyScalar, min: min, max: max)
  }
}
