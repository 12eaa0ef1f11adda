// SPDX-License-Identifier: Apache-2.0
/// A parser for the regular expressions of patterns, whose languages are decided by small automata.
///
/// Supported are alternatives, groups, `* + ? {m} {m,} {m,n}`, `.`, character classes, `\d \w \s` and their complements over
/// ASCII, `\t`, `\n`, `\r`, `\xHH`, `\u{H…}`, and `\` before a punctuation character. Back-references, look-around and anchors
/// are not supported; an expression always matches the complete text.
package struct RegularExpressionParser {
  static let maximumDepth = 64

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  /// Parses an expression.
  package static func parse(_ text: String) throws(RegularLanguageError) -> RegularExpression {
    var parser = RegularExpressionParser(scalars: Array(text.unicodeScalars))
    let expression = try parser.readChoice()
    guard parser.current == nil else { throw parser.invalid("unmatched `)`: write `\\)`") }
    return expression
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func invalid(_ message: String) -> RegularLanguageError {
    let bytes = scalars[..<min(position, scalars.count)].reduce(0) { $0 + UTF8.width($1) }
    return RegularLanguageError(.invalidExpression(message), at: bytes)
  }

  private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func readChoice() throws(RegularLanguageError) -> RegularExpression {
    var choices = [try readSequence()]
    while accept("|") { choices.append(try readSequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func readSequence() throws(RegularLanguageError) -> RegularExpression {
    var sequence: [RegularExpression] = []
    while let scalar = current, scalar != "|", scalar != ")" {
      sequence.append(try readRepetition(of: try readAtom(scalar)))
    }
    return .sequence(sequence)
  }

  private mutating func readAtom(_ scalar: Unicode.Scalar) throws(RegularLanguageError) -> RegularExpression {
    switch scalar {
    case "*", "+", "?", "{": throw invalid("`\(scalar)` has nothing to repeat: write `\\\(scalar)`")
    case "}", "]": throw invalid("unmatched `\(scalar)`: write `\\\(scalar)`")
    case "^", "$": throw invalid("an expression is always anchored at both ends: remove `\(scalar)`")
    default: position += 1
    }
    switch scalar {
    case ".": return .anyScalar
    case "[": return .set(try readClass())
    case "\\": return .set(try readEscape())
    case "(": return try readGroup()
    default: return .set(ScalarSet(scalar...scalar))
    }
  }

  private mutating func readGroup() throws(RegularLanguageError) -> RegularExpression {
    if accept("?"), !accept(":") { throw invalid("only the groups `(…)` and `(?:…)` are supported") }
    depth += 1
    guard depth <= Self.maximumDepth else { throw invalid("groups nest deeper than \(Self.maximumDepth)") }
    let expression = try readChoice()
    guard accept(")") else { throw invalid("`(` is not closed: add `)`") }
    depth -= 1
    return expression
  }

  private mutating func readRepetition(
    of atom: RegularExpression
  ) throws(RegularLanguageError) -> RegularExpression {
    let repeated: RegularExpression
    switch current {
    case "*": repeated = .repetition(atom, min: 0, max: nil)
    case "+": repeated = .repetition(atom, min: 1, max: nil)
    case "?": repeated = .repetition(atom, min: 0, max: 1)
    case "{":
      position += 1
      let bounds = try readBounds()
      guard current == "}" else { throw invalid("counts are `{m}`, `{m,}` or `{m,n}`") }
      repeated = .repetition(atom, min: bounds.0, max: bounds.1)
    default: return atom
    }
    position += 1
    if let next = current, "*+?{".unicodeScalars.contains(next) {
      throw invalid("repeated quantifier: put the first repetition into a group")
    }
    return repeated
  }

  private mutating func readBounds() throws(RegularLanguageError) -> (Int, Int?) {
    let least = try readCount()
    guard accept(",") else { return (least, least) }
    if current == "}" { return (least, nil) }
    let most = try readCount()
    guard most >= least else { throw invalid("the second count is smaller than the first") }
    return (least, most)
  }

  private mutating func readCount() throws(RegularLanguageError) -> Int {
    var count: Int?
    while let digit = current, ("0"..."9").contains(digit) {
      count = (count ?? 0) * 10 + Int(digit.value - 0x30)
      position += 1
      guard count ?? 0 <= RegularLanguage.maximumStates else {
        throw invalid("the count exceeds \(RegularLanguage.maximumStates)")
      }
    }
    guard let count else { throw invalid("counts are `{m}`, `{m,}` or `{m,n}`") }
    return count
  }

  private mutating func readClass() throws(RegularLanguageError) -> ScalarSet {
    let isInverted = accept("^")
    var ranges: [ClosedRange<UInt32>] = []
    while let scalar = current, scalar != "]" {
      let first = try readMember(scalar)
      guard current == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        ranges += first.ranges
        continue
      }
      position += 1
      let last = try readMember(scalars[position])
      guard let low = first.only, let high = last.only, low <= high else {
        throw invalid("a range must be ascending")
      }
      ranges.append(low...high)
    }
    guard accept("]") else { throw invalid("`[` is not closed: add `]`") }
    guard !ranges.isEmpty else { throw invalid("a class needs a character") }
    let set = ScalarSet(ranges)
    return isInverted ? set.inverted : set
  }

  private mutating func readMember(_ scalar: Unicode.Scalar) throws(RegularLanguageError) -> ScalarSet {
    if scalar == "[" { throw invalid("classes do not nest: write `\\[`") }
    position += 1
    return scalar == "\\" ? try readEscape() : ScalarSet(scalar...scalar)
  }

  private mutating func readEscape() throws(RegularLanguageError) -> ScalarSet {
    guard let scalar = current else { throw invalid("`\\` ends the expression: write `\\\\`") }
    position += 1
    switch scalar {
    case "d": return .digits
    case "D": return ScalarSet.digits.inverted
    case "w": return .word
    case "W": return ScalarSet.word.inverted
    case "s": return .spaces
    case "S": return ScalarSet.spaces.inverted
    case "t": return ScalarSet("\t"..."\t")
    case "n": return ScalarSet("\n"..."\n")
    case "r": return ScalarSet("\r"..."\r")
    case "x": return try readHex(digits: 2)
    case "u":
      guard accept("{") else { throw invalid("write `\\u{…}` with hexadecimal digits") }
      let set = try readHex(digits: 6)
      guard accept("}") else { throw invalid("write `\\u{…}` with hexadecimal digits") }
      return set
    case "1"..."9": throw invalid("back-references are not supported")
    default:
      guard scalar.isASCII, !ScalarSet.word.ranges.contains(where: { $0.contains(scalar.value) }) else {
        throw invalid("unknown escape `\\\(scalar)`")
      }
      return ScalarSet(scalar...scalar)
    }
  }

  /// Parses up to `digits` hexadecimal digits.
  private mutating func readHex(digits: Int) throws(RegularLanguageError) -> ScalarSet {
    var value: UInt32 = 0
    var count = 0
    while count < digits, let digit = current, digit.isASCII, let nibble = Character(digit).hexDigitValue {
      value = value << 4 | UInt32(nibble)
      count += 1
      position += 1
    }
    guard count > 0, let scalar = Unicode.Scalar(value), value > 0 else {
      throw invalid("this is not a valid Unicode scalar")
    }
    return ScalarSet(scalar...scalar)
  }
}

extension ScalarSet {
  /// The only scalar of the set; `nil` if the set has no or several scalars.
  fileprivate var only: UInt32? {
    guard ranges.count == 1, ranges[0].count == 1 else { return nil }
    return ranges[0].lowerBound
  }
}
