@testable import RouteTablesTestSupport
@testable import RouteTables
import TestSupport
import Testing

/// A row of a table with the columns `here` (patterns), `takes` (matching URLs) and `leaves` (other URLs).
struct TableExample: Sendable, CustomTestStringConvertible {
  let path: String
  let line: Int
  let patterns: [String]
  let takes: [String]
  let leaves: [String]

  var testDescription: String { "\(path):\(line): \(patterns.joined(separator: " "))" }

  /// Returns the rows of all tables of a page that have these columns.
  static func all(of page: MarkdownPage) -> [TableExample] {
    page.rows.compactMap { row in
      guard let here = row.cells["here"], let takes = row.cells["takes"], let leaves = row.cells["leaves"]
      else { return nil }
      return TableExample(
        path: page.path, line: row.line, patterns: MarkdownPage.code(in: here),
        takes: MarkdownPage.code(in: takes), leaves: MarkdownPage.code(in: leaves))
    }
  }

  /// Expects that the route with these patterns matches exactly the URLs that the row lists as matching.
  func check() throws {
    var builder = RouteTableBuilder<String>()
    let read = try patterns.map { text in
      let (pattern, options) = optioned(text)
      return try RoutePattern(pattern, options: options)
    }
    try builder.add(read, id: "route", action: "", at: SourceLocation(file: path, line: line))
    let table = try builder.build()
    #expect(!takes.isEmpty)
    for url in takes { #expect(try table.match(url) != nil, "\(url)") }
    for url in leaves { #expect(try table.match(url) == nil, "\(url)") }
  }
}
