import Foundation
import TestSupport
import Testing

/// Tests of the examples in the doc comments of `RouteTables`, whose code is in `DocstringsExample.swift`.
@Suite struct `The docstrings of RouteTables` {
  /// Returns the expected value of a line with a trailing `// value`; `nil` for other lines.
  private func expected(_ line: String) -> String? {
    guard !line.hasPrefix("//") else { return nil }
    guard let comment = line.range(of: " // ", options: .backwards) else { return unspaced(line) }
    return unspaced(line[..<comment.lowerBound] + "==" + line[comment.upperBound...])
  }

  private func unspaced(_ text: some StringProtocol) -> String { String(text).filter { !$0.isWhitespace } }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(BuiltProducts.repository)/\(path)", encoding: .utf8)
  }

  @Test(arguments: [
    "ActionTemplate", "Explanation/RouteExplanation", "Explanation/RouteTable+Explaining",
    "Automata/RegularLanguage", "Automata/RegularLanguage+Deciding", "Matching/RouteMatch",
    "Patterns/RouteCapture", "Patterns/RoutePattern", "Patterns/RoutePattern+Doubts", "Route",
    "RouteCondition",
    "RouteOptions", "RouteTable", "RouteTableBuilder", "RouteValue", "URLString",
  ])
  func `Each line of an example is compiled, and what it says it is`(_ file: String) throws {
    let code = unspaced(try text("Tests/RouteTablesTests/Documentation/DocstringsExample.swift"))
    let comments = try text("Sources/RouteTables/\(file).swift").split(separator: "\n")
      .map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("///") }
      .map { $0.dropFirst(3).trimmingCharacters(in: .whitespaces) }
    var isCode = false
    var lines: [String] = []
    for comment in comments {
      if comment.hasPrefix("```") { isCode = comment == "```swift" } else if isCode { lines.append(comment) }
    }
    #expect(!lines.isEmpty)
    for line in lines.compactMap(expected) where !code.contains(line) { Issue.record("\(line)") }
  }
}
