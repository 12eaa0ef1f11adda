// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension AddressBlock {
  /// Returns the language of the canonical texts of all addresses in some blocks.
  ///
  /// - Parameter heads: further values for the first group of each IPv6 block whose first group is not 0; they do not include 0.
  static func language(
    of blocks: [AddressBlock], orBeginningWith heads: ClosedRange<Int>? = nil
  ) throws(RegularLanguageError) -> RegularLanguage {
    let four = try RegularLanguage(.choice(blocks.filter(\.isIPv4).map(\.dotted)))
    let six = try RegularLanguage(.choice(blocks.filter { !$0.isIPv4 }.map { $0.inBrackets(heads) }))
    // The intersection removes ambiguous texts, because a canonical text has exactly one position for each group.
    return try four.union(six.intersection(.canonicalIPv6))
  }

  /// The language of the canonical texts of the block's addresses.
  var language: RegularLanguage {
    get throws(RegularLanguageError) { try Self.language(of: [self]) }
  }

  private var dotted: RegularExpression {
    let octets = (0..<4).map { RegularExpression.numbers(values(from: 8 * $0, width: 8), base: 10) }
    return .sequence(octets.map { [$0] }.joined(separator: [.literal(".")]).map(\.self))
  }

  /// Returns the texts in brackets, in which `::` may replace any zero groups.
  private func inBrackets(_ heads: ClosedRange<Int>?) -> RegularExpression {
    let ranges = (0..<8).map { values(from: 16 * $0, width: 16) }
    var groups = ranges.map { RegularExpression.numbers($0, base: 16) }
    if let heads { groups[0] = .choice([groups[0], .numbers(heads, base: 16)]) }
    func text(_ range: Range<Int>) -> RegularExpression {
      .sequence(groups[range].map { [$0] }.joined(separator: [.literal(":")]).map(\.self))
    }
    var choices = [text(0..<8)]
    for start in 0..<7 {
      let end = ranges[start...].firstIndex { $0.lowerBound > 0 } ?? 8
      guard end - start >= 2 else { continue }
      let rests = ((start + 2)...end).map { text($0..<8) }
      choices.append(.sequence([text(0..<start), .literal("::"), .choice(rests)]))
    }
    return .sequence([.literal("["), .choice(choices), .literal("]")])
  }

  /// Returns the labels of the block's IPv4 addresses that are written as `count` numbers, from the left.
  ///
  /// Programs other than browsers read such hosts with `inet_addr`. A number is decimal, octal after `0`, or hexadecimal after
  /// `0x`; the last number contains all remaining bits.
  ///
  /// POSIX.1-2024, `inet_addr`.
  func numbers(count: Int) throws(RegularLanguageError) -> [RegularLanguage] {
    var labels: [RegularLanguage] = []
    for index in 0..<count {
      let values = values(from: 8 * index, width: index == count - 1 ? 32 - 8 * index : 8)
      let zeros = RegularExpression.repetition(.literal("0"), min: 0, max: nil)
      labels.append(
        try RegularLanguage(
          .choice([
            .numbers(values, base: 10),
            .sequence([.literal("0"), zeros, .numbers(values, base: 8)]),
            .sequence([.literal("0x"), zeros, .numbers(values, base: 16)]),
          ])))
    }
    return labels
  }
}

extension RegularExpression {
  /// Returns the numbers of a range in lower-case digits of a base, without leading zeros.
  static func numbers(_ range: ClosedRange<Int>, base: Int) -> RegularExpression {
    var choices: [RegularExpression] = []
    var (least, end, width) = (0, base, 1)
    while least <= range.upperBound {
      let (low, high) = (max(range.lowerBound, least), min(range.upperBound, end - 1))
      if low <= high { choices.append(digits(low...high, width: width, unit: end / base, base)) }
      (least, end, width) = (end, end * base, width + 1)
    }
    return .choice(choices)
  }

  /// Returns the numbers of a range in `width` digits; `unit` is the value of the first digit's position.
  private static func digits(
    _ range: ClosedRange<Int>, width: Int, unit: Int, _ base: Int
  ) -> RegularExpression {
    guard width > 0 else { return .empty }
    var (first, firstRest) = range.lowerBound.quotientAndRemainder(dividingBy: unit)
    var (last, lastRest) = range.upperBound.quotientAndRemainder(dividingBy: unit)
    func rest(_ range: ClosedRange<Int>) -> RegularExpression {
      digits(range, width: width - 1, unit: max(unit / base, 1), base)
    }
    if first == last { return .sequence([digit(first...last), rest(firstRest...lastRest)]) }
    var choices: [RegularExpression] = []
    if firstRest > 0 {
      choices.append(.sequence([digit(first...first), rest(firstRest...(unit - 1))]))
      (first, firstRest) = (first + 1, 0)
    }
    if lastRest < unit - 1 {
      choices.append(.sequence([digit(last...last), rest(0...lastRest)]))
      (last, lastRest) = (last - 1, unit - 1)
    }
    if first <= last {
      let any = repetition(digit(0...(base - 1)), min: width - 1, max: width - 1)
      choices.append(.sequence([digit(first...last), any]))
    }
    return .choice(choices)
  }

  private static func digit(_ values: ClosedRange<Int>) -> RegularExpression {
    .set(
      ScalarSet(
        values.map { value in
          let scalar = UInt32(truncatingIfNeeded: value < 10 ? 0x30 + value : 0x57 + value)
          return scalar...scalar
        }))
  }
}
