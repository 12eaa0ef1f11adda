// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import TestSupport
import Testing

/// A row of a table with the columns `here` (patterns), `matches` (matching URLs) and `mismatches` (other URLs).
struct TableExample: Sendable, CustomTestStringConvertible {
  let path: String
  let line: Int
  let patterns: [String]
  let matches: [String]
  let mismatches: [String]

  var testDescription: String { "\(path):\(line): \(patterns.joined(separator: " "))" }

  /// Returns the rows of all tables of a page that have these columns.
  static func all(of page: MarkdownPage) -> [TableExample] {
    page.rows.compactMap { row in
      guard let here = row.cells["here"], let matches = row.cells["matches"],
        let mismatches = row.cells["mismatches"]
      else { return nil }
      return TableExample(
        path: page.path, line: row.line, patterns: MarkdownPage.code(in: here),
        matches: MarkdownPage.code(in: matches), mismatches: MarkdownPage.code(in: mismatches))
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
    #expect(!matches.isEmpty)
    for url in matches { #expect(try table.match(url) != nil, "\(url)") }
    for url in mismatches { #expect(try table.match(url) == nil, "\(url)") }
  }
}
