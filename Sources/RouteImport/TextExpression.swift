// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A regular expression of an imported file, which may match any part of a text.
indirect enum TextExpression: Hashable, Sendable {
  case set(ScalarSet)
  case sequence([TextExpression])
  case choice([TextExpression])
  /// A repetition of at least `min` and at most `max` times; `max` is `nil` if there is no upper limit.
  case repetition(TextExpression, min: Int, max: Int?)
  /// The start of the text.
  case start
  /// The end of the text.
  case end

  /// The expression for any text, also an empty one.
  static let anyText = TextExpression.repetition(.set(.all), min: 0, max: nil)

  /// Returns the expression that matches exactly `text`; if `folds` is true, in any ASCII case.
  static func literal(_ text: String, folds: Bool = false) -> TextExpression {
    .sequence(text.unicodeScalars.map { .set(ScalarSet(only: $0).folded(if: folds)) })
  }

  /// Indicates whether the expression contains an anchor.
  var hasAnchor: Bool {
    switch self {
    case .set: false
    case .start, .end: true
    case .sequence(let parts), .choice(let parts): parts.contains(where: \.hasAnchor)
    case .repetition(let part, _, _): part.hasAnchor
    }
  }

  /// Returns the expression with each of its sets replaced.
  func mapSets(_ transform: (ScalarSet) -> ScalarSet) -> TextExpression {
    switch self {
    case .set(let set): .set(transform(set))
    case .sequence(let parts): .sequence(parts.map { $0.mapSets(transform) })
    case .choice(let parts): .choice(parts.map { $0.mapSets(transform) })
    case .repetition(let part, let min, let max): .repetition(part.mapSets(transform), min: min, max: max)
    case .start, .end: self
    }
  }

  /// The expression for complete texts; anchors match the empty text.
  var expression: RegularExpression {
    switch self {
    case .set(let set): .set(set)
    case .sequence(let parts): .sequence(parts.map(\.expression))
    case .choice(let parts): .choice(parts.map(\.expression))
    case .repetition(let part, let min, let max): .repetition(part.expression, min: min, max: max)
    case .start, .end: .empty
    }
  }

  /// The text of the expression in the syntax of a route pattern's types.
  var patternText: String {
    switch self {
    case .set(let set): set.patternText
    case .sequence(let parts):
      parts.map { if case .choice = $0 { "(\($0.patternText))" } else { $0.patternText } }.joined()
    case .choice(let parts): parts.map(\.patternText).joined(separator: "|")
    case .repetition(let part, let min, let max):
      Self.repeated(part) + Self.quantifier(min: min, max: max)
    case .start, .end: ""
    }
  }

  private static func repeated(_ part: TextExpression) -> String {
    if case .set(let set) = part { set.patternText } else { "(\(part.patternText))" }
  }

  private static func quantifier(min: Int, max: Int?) -> String {
    switch (min, max) {
    case (0, nil): "*"
    case (1, nil): "+"
    case (0, 1): "?"
    case (_, nil): "{\(min),}"
    case (_, let max?): max == min ? "{\(min)}" : "{\(min),\(max)}"
    }
  }
}

extension ScalarSet {
  /// Creates the set of one scalar.
  init(only scalar: Unicode.Scalar) { self.init([scalar.value...scalar.value]) }

  /// Creates the set of the scalars of a text.
  init(of text: String) { self.init(text.unicodeScalars.map { $0.value...$0.value }) }

  func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } }

  /// Indicates whether the set contains more than one scalar.
  var hasSeveral: Bool { ranges.count > 1 || ranges.contains { $0.count > 1 } }

  /// Returns the scalars that both sets contain.
  func intersection(_ other: ScalarSet) -> ScalarSet {
    ScalarSet(
      ranges.flatMap { range in
        other.ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
      })
  }

  /// Returns the set with both cases of each of its ASCII letters, if `folds` is true.
  func folded(if folds: Bool) -> ScalarSet {
    guard folds else { return self }
    let (capitals, small) = (ScalarSet([0x41...0x5A]), ScalarSet([0x61...0x7A]))
    return ScalarSet(
      ranges + intersection(capitals).ranges.map { $0.lowerBound + 0x20...$0.upperBound + 0x20 }
        + intersection(small).ranges.map { $0.lowerBound - 0x20...$0.upperBound - 0x20 })
  }

  /// The scalar that the set consists of, in lower case if the set consists of both cases of a letter.
  var character: Unicode.Scalar? {
    if ranges.count == 1, ranges[0].count == 1 { return Unicode.Scalar(ranges[0].lowerBound) }
    guard ranges.count == 2, ranges.allSatisfy({ $0.count == 1 }),
      ranges[0].lowerBound | 0x20 == ranges[1].lowerBound,
      (0x61...0x7A).contains(ranges[1].lowerBound)
    else { return nil }
    return Unicode.Scalar(ranges[1].lowerBound)
  }

  /// The set in the syntax of a route pattern's types.
  var patternText: String {
    if self == .all { return "." }
    if ranges.count == 1, ranges[0].count == 1 { return Self.escaped(ranges[0].lowerBound) }
    let isInverted = ranges.last?.upperBound == 0x10FFFF
    let shown = isInverted ? inverted.ranges : ranges
    let text = shown.map { range in
      range.count == 1
        ? Self.escaped(range.lowerBound)
        : Self.escaped(range.lowerBound) + "-" + Self.escaped(range.upperBound)
    }.joined()
    return "[\(isInverted ? "^" : "")\(text)]"
  }

  private static func escaped(_ value: UInt32) -> String {
    guard let scalar = Unicode.Scalar(value), scalar.isASCII, value > 0x20, value < 0x7F else {
      return "\\u{" + String(value, radix: 16) + "}"
    }
    let isPlain = scalar.properties.isAlphabetic || (0x30...0x39).contains(value) || scalar == "_"
    return isPlain ? String(scalar) : "\\\(scalar)"
  }
}
