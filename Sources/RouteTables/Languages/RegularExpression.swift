/// A regular expression, read or put together; the whole text must match it.
indirect enum RegularExpression: Sendable {
  case set(ScalarSet)
  case sequence([RegularExpression])
  case choice([RegularExpression])
  /// At least `min` times and at most `max` times; `nil` is without end.
  case repetition(RegularExpression, min: Int, max: Int?)
  /// A language that is an automaton already.
  case language(RouteLanguage)

  /// Only this text.
  static func literal(_ text: String) -> RegularExpression {
    .sequence(text.unicodeScalars.map { .set(ScalarSet($0...$0)) })
  }

  static let empty = RegularExpression.sequence([])
  static let anyScalar = RegularExpression.set(.all)

  /// Texts of `min` to `max` scalars.
  static func length(_ min: Int, _ max: Int?) -> RegularExpression {
    .repetition(.anyScalar, min: min, max: max)
  }
}
