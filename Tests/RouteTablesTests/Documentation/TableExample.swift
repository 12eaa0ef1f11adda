import RouteTables
import TestSupport
import Testing

/// A row of a table that says under `here` how a route is written, and which URLs it `takes` and `leaves`.
struct TableExample: Sendable, CustomTestStringConvertible {
  let path: String
  let line: Int
  let patterns: [String]
  let takes: [String]
  let leaves: [String]

  var testDescription: String { "\(path):\(line): \(patterns.joined(separator: " "))" }

  /// Those of all tables of a page that have these columns.
  static func all(of page: MarkdownPage) -> [TableExample] {
    page.rows.compactMap { row in
      guard let here = row.cells["here"], let takes = row.cells["takes"], let leaves = row.cells["leaves"]
      else { return nil }
      return TableExample(
        path: page.path, line: row.line, patterns: MarkdownPage.code(in: here),
        takes: MarkdownPage.code(in: takes), leaves: MarkdownPage.code(in: leaves))
    }
  }

  /// Expects the one route of these patterns to take and leave what the row says.
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
