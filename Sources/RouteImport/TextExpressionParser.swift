// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

/// A parser for the regular expressions of imported files: those of JavaScript and of Rust's `regex-lite`.
///
/// It accepts what both have in common and a route can express, and what only JavaScript accepts, such as a literal `{`. Look-around,
/// back-references and word boundaries are not supported. Lazy quantifiers match the same texts as greedy ones.
struct TextExpressionParser {
  private static let maximumDepth = 32
  private static let maximumCount = 64

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private var ignoresCase: Bool

  /// Parses an expression.
  static func parse(_ text: String, ignoresCase: Bool = false) throws(ImportError) -> TextExpression {
    var parser = TextExpressionParser(scalars: Array(text.unicodeScalars), ignoresCase: ignoresCase)
    if text.hasPrefix("(?i)") {
      parser.position = 4
      parser.ignoresCase = true
    }
    let expression = try parser.readChoice()
    guard parser.current == nil else { throw .unsupported("the expression has an unmatched `)`") }
    return expression
  }

  private init(scalars: [Unicode.Scalar], ignoresCase: Bool) {
    self.scalars = scalars
    self.ignoresCase = ignoresCase
  }

  private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func readChoice() throws(ImportError) -> TextExpression {
    var choices = [try readSequence()]
    while accept("|") { choices.append(try readSequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func readSequence() throws(ImportError) -> TextExpression {
    var parts: [TextExpression] = []
    while let scalar = current, scalar != "|", scalar != ")" {
      position += 1
      let atom = try readAtom(scalar)
      parts.append(try readRepetition(of: atom))
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func readAtom(_ scalar: Unicode.Scalar) throws(ImportError) -> TextExpression {
    switch scalar {
    case ".": .set(.all)
    case "^": .start
    case "$": .end
    case "[": .set(try readClass().folded(if: ignoresCase))
    case "\\": .set(try readEscape().folded(if: ignoresCase))
    case "(": try readGroup()
    case "*", "+", "?": throw .unsupported("`\(scalar)` has nothing to repeat")
    default: .set(ScalarSet(only: scalar).folded(if: ignoresCase))
    }
  }

  private mutating func readGroup() throws(ImportError) -> TextExpression {
    if accept("?") {
      if !accept(":") {
        _ = accept("P")
        guard accept("<"), let next = current, next != "=", next != "!" else {
          throw .unsupported("a route has no look-around")
        }
        while let scalar = current, scalar != ">" {
          _ = scalar
          position += 1
        }
        position += 1
      }
    }
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw .unsupported("the groups of the expression nest too deeply")
    }
    let expression = try readChoice()
    guard accept(")") else { throw .unsupported("the expression has an unclosed `(`") }
    depth -= 1
    return expression
  }

  private mutating func readRepetition(of atom: TextExpression) throws(ImportError) -> TextExpression {
    let bounds: (Int, Int?)
    switch current {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    case "{":
      guard let counts = readCounts() else { return atom }
      bounds = counts
      position -= 1
    default: return atom
    }
    position += 1
    // A lazy quantifier changes which text matches first, not whether one does.
    _ = accept("?")
    guard bounds.0 <= Self.maximumCount, bounds.1 ?? 0 <= Self.maximumCount else {
      throw .unsupported("a count exceeds \(Self.maximumCount)")
    }
    if let maximum = bounds.1, maximum < bounds.0 {
      throw .unsupported("the second count is smaller than the first")
    }
    return .repetition(atom, min: bounds.0, max: bounds.1)
  }

  /// Reads `{m}`, `{m,}` or `{m,n}`; `nil` if the brace is a literal one, as JavaScript allows.
  private mutating func readCounts() -> (Int, Int?)? {
    let start = position
    position += 1
    guard let least = readCount() else {
      position = start
      return nil
    }
    var most: Int? = least
    if accept(",") { most = current == "}" ? nil : readCount() }
    guard accept("}") else {
      position = start
      return nil
    }
    return (least, most)
  }

  private mutating func readCount() -> Int? {
    var count: Int?
    while let digit = current, ("0"..."9").contains(digit) {
      count = min((count ?? 0) * 10 + Int(digit.value - 0x30), 10_000)
      position += 1
    }
    return count
  }

  private mutating func readClass() throws(ImportError) -> ScalarSet {
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
      // A class such as `\w` has no range: JavaScript reads the `-` as a member.
      guard ![first, last].contains(where: \.hasSeveral) else {
        ranges += first.ranges + last.ranges + ScalarSet(only: "-").ranges
        continue
      }
      guard let low = first.ranges.first, let high = last.ranges.last, low.lowerBound <= high.upperBound
      else {
        throw .unsupported("a range of the expression is not ascending")
      }
      ranges.append(low.lowerBound...high.upperBound)
    }
    guard accept("]") else { throw .unsupported("the expression has an unclosed `[`") }
    let set = ScalarSet(ranges)
    return isInverted ? set.folded(if: ignoresCase).inverted : set
  }

  private mutating func readMember(_ scalar: Unicode.Scalar) throws(ImportError) -> ScalarSet {
    if scalar == "[", position + 1 < scalars.count, scalars[position + 1] == ":" {
      throw .unsupported("named classes such as `[:alpha:]` are not supported")
    }
    position += 1
    return scalar == "\\" ? try readEscape() : ScalarSet(only: scalar)
  }

  private mutating func readEscape() throws(ImportError) -> ScalarSet {
    guard let scalar = current else { throw .unsupported("`\\` ends the expression") }
    position += 1
    switch scalar {
    case "d": return .digits
    case "D": return ScalarSet.digits.inverted
    case "w": return .word
    case "W": return ScalarSet.word.inverted
    case "s": return .spaces
    case "S": return ScalarSet.spaces.inverted
    case "t": return ScalarSet(only: "\t")
    case "n": return ScalarSet(only: "\n")
    case "r": return ScalarSet(only: "\r")
    case "b", "B": throw .unsupported("a route has no word boundaries (`\\\(scalar)`)")
    case "1"..."9": throw .unsupported("a route has no back-references (`\\\(scalar)`)")
    default:
      guard scalar.isASCII, !ScalarSet.word.contains(scalar) else {
        throw .unsupported("the escape `\\\(scalar)` is not supported")
      }
      return ScalarSet(only: scalar)
    }
  }
}
