// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import Testing

@testable import RouteTables

/// The relation of two patterns.
///
/// A line is `pattern  relation  pattern`, with a third column for a text that both match. The relations: `narrower`,
/// `equal`, `disjoint`; `firstDifference` if the patterns overlap and the first difference prefers the first one. No table
/// accepts both patterns of `equal`, of `crosses` (an overlap within one component) and of `shares` (one common variant).
struct RouterPair: Sendable, CustomTestStringConvertible {
  let first: String
  let word: String
  let second: String
  let common: String?

  var testDescription: String { "\(first)  \(word)  \(second)" }

  init(_ first: String, _ second: String, word: String = "", common: String? = nil) {
    self.first = first
    self.word = word
    self.second = second
    self.common = common
  }

  static func pairs(_ lines: String) -> [RouterPair] {
    lines.split(separator: "\n").map { line in
      let columns = RouterTable.columns(line) + ["", ""]
      return RouterPair(
        columns[0], columns[2], word: columns[1], common: columns.count > 5 ? columns[3] : nil)
    }
  }

  func check(_ here: Testing.SourceLocation = #_sourceLocation) throws {
    #expect(try relation == word, "\(self)", sourceLocation: here)
    let inverse = try RouterPair(second, first).relation
    #expect(inverse == Self.inverse(of: word), "\(self)", sourceLocation: here)
    guard let common else { return }
    #expect(try winner(common, among: first) == first && winner(common, among: second) == second)
  }

  static let words = [
    "narrower", "wider", "equal", "disjoint", "leftmost", "comes second", "crosses", "shares",
  ]

  static func inverse(of word: String) -> String {
    let inverses = [
      "narrower": "wider", "wider": "narrower", "leftmost": "comes second", "comes second": "leftmost",
    ]
    return inverses[word] ?? word
  }

  /// The relation according to the tables with both patterns, and to the automata of their variants.
  var relation: String {
    get throws { try relation(first, second) }
  }

  private func relation(_ one: String, _ other: String) throws -> String {
    let patterns = (try RoutePattern(one), try RoutePattern(other))
    var languages = LanguageInterner()
    let (own, others) = (try shapes(of: patterns.0, &languages), try shapes(of: patterns.1, &languages))
    let isInside = own.allSatisfy { shape in
      others.contains {
        PatternInclusion(shape, pattern: patterns.0, $0, pattern: patterns.1).isFirstInSecond(&languages)
      }
    }
    let isOutside = others.allSatisfy { shape in
      own.contains {
        PatternInclusion(shape, pattern: patterns.1, $0, pattern: patterns.0).isFirstInSecond(&languages)
      }
    }
    let witness = own.lazy.flatMap { shape in
      others.compactMap {
        PatternInclusion(shape, pattern: patterns.0, $0, pattern: patterns.1).witness(&languages)
      }
    }.first
    let refusal = refusal { () throws(RouteTableError) in
      var builder = RouteTableBuilder<Int>()
      try builder.add(one, id: "one", action: 1)
      try builder.add(other, id: "other", action: 2)
      _ = try builder.build()
    }
    var kind: RouteConflict.Kind?
    if case .conflicts(let conflicts)? = refusal?.reason, let conflict = conflicts.first {
      kind = conflict.kind
      guard try matches(one, conflict.witness.url), try matches(other, conflict.witness.url) else {
        return "no witness: \(conflict.witness.url)"
      }
    }
    switch (isInside, isOutside) {
    case (true, true): return kind == .equal ? "equal" : "equal, and no conflict"
    case (_, _) where refusal != nil: return kind == .crossing ? "crosses" : "shares"
    case (true, false), (false, true):
      guard let witness else { return "no witness" }
      let isFirst = try winner(witness.url, among: one, other) == one
      return isFirst == isInside ? (isInside ? "narrower" : "wider") : "wins, and is not narrower"
    case (false, false):
      guard let witness else { return "disjoint" }
      return try winner(witness.url, among: one, other) == one ? "leftmost" : "comes second"
    }
  }
}
