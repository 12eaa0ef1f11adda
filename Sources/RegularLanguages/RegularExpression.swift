// SPDX-License-Identifier: Apache-2.0
/// A regular expression, parsed or constructed, that matches complete texts.
package indirect enum RegularExpression: Sendable {
  case set(ScalarSet)
  case sequence([RegularExpression])
  case choice([RegularExpression])
  /// A repetition of at least `min` and at most `max` times; `max` is `nil` if there is no upper limit.
  case repetition(RegularExpression, min: Int, max: Int?)
  /// A language that already has an automaton.
  case language(RegularLanguage)

  /// Returns the expression that matches exactly `text`; if `folds` is true, in any ASCII case.
  package static func literal(_ text: String, folds: Bool = false) -> RegularExpression {
    .sequence(
      text.unicodeScalars.map { scalar in
        guard folds, scalar.isASCII, scalar.properties.isAlphabetic else {
          return .set(ScalarSet(scalar...scalar))
        }
        let (capital, small) = (scalar.value & ~0x20, scalar.value | 0x20)
        return .set(ScalarSet([capital...capital, small...small]))
      })
  }

  package static let empty = RegularExpression.sequence([])
  static let anyScalar = RegularExpression.set(.all)

  /// Returns the expression that matches all texts of `min` to `max` scalars.
  package static func length(_ min: Int, _ max: Int?) -> RegularExpression {
    .repetition(.anyScalar, min: min, max: max)
  }
}
