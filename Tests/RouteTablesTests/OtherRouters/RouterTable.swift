import Foundation
import Testing

@testable import RouteTables

/// A table of another router in our language: its routes, and what becomes of URLs in it.
///
/// A line of `routes` is a pattern, with `id: ` in front where the pattern is too long to be its own ID, and `[case]`,
/// `[slash]`, `[plus]` or `[segment]` in front of all for an option. A line of `urls` has columns with two spaces or more between them:
/// a URL; the ID of the route that wins, `none` or `throws`; what is captured, a rest as `[a,b]`. `# …` at the end says why
/// we differ from the router on purpose.
struct RouterTable: Sendable, CustomTestStringConvertible {
  struct Row: Sendable, CustomStringConvertible {
    let url: String
    let winner: String
    let captures: String
    var description: String { "\(url)  \(winner)  \(captures)" }
  }

  let name: String
  let routes: [(id: String, pattern: String, options: RouteOptions)]
  let rows: [Row]

  var testDescription: String { name }

  init(_ name: String, _ routes: String, urls: String) {
    self.name = name
    self.routes = routes.split(separator: "\n").map { Self.route(String($0)) }
    rows = urls.split(separator: "\n").map { line in
      let columns = Self.columns(line) + ["", ""]
      return Row(url: columns[0], winner: columns[1], captures: columns[2])
    }
  }

  /// The columns of a line, without what is said after `# `.
  static func columns(_ line: some StringProtocol) -> [String] {
    let text = line.range(of: "  # ").map { String(line[..<$0.lowerBound]) } ?? String(line)
    return text.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  private static func route(_ line: String) -> (id: String, pattern: String, options: RouteOptions) {
    var pattern = line.trimmingCharacters(in: .whitespaces)
    var options = RouteOptions()
    while pattern.hasPrefix("["), let end = pattern.range(of: "] ") {
      switch pattern[..<end.lowerBound].dropFirst() {
      case "case": options.ignoresCase = true
      case "slash": options.ignoresTrailingSlash = true
      case "plus": options.plus = .literal
      default: options.authority = .segment
      }
      pattern = String(pattern[end.upperBound...])
    }
    guard let colon = pattern.range(of: ": ") else { return (pattern, pattern, options) }
    return (String(pattern[..<colon.lowerBound]), String(pattern[colon.upperBound...]), options)
  }

  /// Builds the table, and checks every row: the order of lines never decides, so the other order must do the same.
  func check(_ here: Testing.SourceLocation = #_sourceLocation) throws {
    for order in [routes, routes.reversed()] {
      var builder = RouteTableBuilder<String>()
      for route in order {
        try builder.add(route.pattern, id: route.id, action: route.id, options: route.options)
      }
      let table = try builder.build()
      for row in rows {
        #expect(Self.result(row.url, in: table) == row.description, "\(name)", sourceLocation: here)
      }
    }
  }

  private static func result(_ url: String, in table: RouteTable<String>) -> String {
    do {
      guard let match = try table.match(url) else { return "\(Row(url: url, winner: "none", captures: ""))" }
      let held = match.values.map { name, value in
        switch value {
        case .strings(let texts): "\(name)=[\(texts.joined(separator: ","))]"
        default: "\(name)=\(value)"
        }
      }.map { $0.replacingOccurrences(of: " ", with: "%20") }
      return "\(Row(url: url, winner: match.route.id, captures: held.joined(separator: " ")))"
    } catch {
      return "\(Row(url: url, winner: "throws", captures: ""))"
    }
  }
}

/// How two patterns lie to each other.
///
/// A line is `pattern  word  pattern`, and a third column for what both match. The words: `narrower`, `equal`,
/// `disjoint`; `leftmost` where they cross and the first one comes first. No table takes both of `equal`, of `crosses`
/// (side by side in one place) and of `shares` (one way to match is the same).
struct RouterPair: Sendable, CustomTestStringConvertible {
  let first: String
  let word: String
  let second: String
  let common: String?

  var testDescription: String { "\(first)  \(word)  \(second)" }

  static func pairs(_ lines: String) -> [RouterPair] {
    lines.split(separator: "\n").map { line in
      let columns = RouterTable.columns(line) + ["", ""]
      return RouterPair(
        first: columns[0], word: columns[1], second: columns[2],
        common: columns.count > 5 ? columns[3] : nil)
    }
  }

  func check(_ here: Testing.SourceLocation = #_sourceLocation) throws {
    #expect(try relation(first, second) == word, "\(self)", sourceLocation: here)
    let inverse = ["narrower": "wider", "leftmost": "comes second"][word] ?? word
    #expect(try relation(second, first) == inverse, "\(self)", sourceLocation: here)
    guard let common else { return }
    #expect(try winner(common, among: first) == first && winner(common, among: second) == second)
  }

  static let words = [
    "narrower", "wider", "equal", "disjoint", "leftmost", "comes second", "crosses", "shares",
  ]

  /// What the tables say that hold both, and the automata of their shapes.
  func relation(_ one: String, _ other: String) throws -> String {
    let patterns = (try RoutePattern(one), try RoutePattern(other))
    var languages = LanguageTable()
    func shapes(_ pattern: RoutePattern) throws -> [RouteShape] {
      try ShapeExpansion(pattern).shapes().map { shape in
        RouteShape(shape, of: pattern, route: 0, index: 0, conditions: [], languages: &languages)
      }
    }
    let (own, others) = (try shapes(patterns.0), try shapes(patterns.1))
    let isInside = own.allSatisfy { shape in
      others.contains { ShapeProduct(shape, patterns.0, $0, patterns.1).isFirstInSecond(&languages) }
    }
    let isOutside = others.allSatisfy { shape in
      own.contains { ShapeProduct(shape, patterns.1, $0, patterns.0).isFirstInSecond(&languages) }
    }
    let witness = own.lazy.flatMap { shape in
      others.compactMap { ShapeProduct(shape, patterns.0, $0, patterns.1).witness(&languages) }
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
      guard try matches(one, conflict.witness), try matches(other, conflict.witness) else {
        return "no witness: \(conflict.witness)"
      }
    }
    switch (isInside, isOutside) {
    case (true, true): return kind == .equal ? "equal" : "equal, and no conflict"
    case (_, _) where refusal != nil: return kind == .crossing ? "crosses" : "shares"
    case (true, false), (false, true):
      guard let witness else { return "no witness" }
      let isFirst = try winner(witness, among: one, other) == one
      return isFirst == isInside ? (isInside ? "narrower" : "wider") : "wins, and is not narrower"
    case (false, false):
      guard let witness else { return "disjoint" }
      return try winner(witness, among: one, other) == one ? "leftmost" : "comes second"
    }
  }
}
