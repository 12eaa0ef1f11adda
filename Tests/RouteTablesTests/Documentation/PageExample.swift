// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import Foundation
import TestSupport
import Testing

@testable import RouteTables

/// A line of a `routes` block in a page: columns separated by two or more spaces, as `docs/routes.md` explains.
struct PageExample: Sendable, CustomTestStringConvertible {
  let path: String
  let line: Int
  let columns: [String]

  var testDescription: String { "\(path):\(line): \(columns.joined(separator: " "))" }

  static func all(of page: MarkdownPage) -> [PageExample] {
    page.blocks("routes").flatMap { block in
      zip(block.line..., block.lines).map { line, text in
        let columns = text.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
        return PageExample(path: page.path, line: line, columns: columns.filter { !$0.isEmpty })
      }
    }
  }

  /// Expects the library to match as the line says.
  func check() throws {
    let columns = self.columns + ["", ""]
    let (written, verb, text) = (columns[0], columns[1], columns[2])
    let (pattern, options) = optioned(written)
    func only() throws -> RouteTable<String> {
      var builder = RouteTableBuilder<String>()
      try builder.add(pattern, id: pattern, action: pattern, options: options)
      return try builder.build()
    }
    switch verb {
    case "matches":
      let match = try #require(try only().match(text))
      #expect(match.held == columns[3])
    case "mismatches": #expect(try only().match(text) == nil)
    case "throws":
      let routes = try table([pattern])
      #expect(refusal { () throws(RouteTableError) in _ = try routes.match(text) } != nil)
    case "is rejected":
      #expect(refusal { () throws(RouteTableError) in _ = try RoutePattern(pattern) } != nil)
    case "beats":
      #expect(try winner(columns[3], among: pattern, text) == pattern)
      #expect(try winner(columns[3], among: text, pattern) == pattern)
      #expect(try matches(text, columns[3]))
    case "conflicts":
      let error = refusal { () throws(RouteTableError) in _ = try table([pattern, text]) }
      let isConflict = if case .conflicts? = error?.reason { true } else { false }
      #expect(isConflict)
    default: Issue.record("no example says `\(verb)`")
    }
  }
}

extension RouteMatch {
  /// The captures in the notation of the pages: `name=value`, with `%20` for a space.
  var held: String {
    values.map { name, value in
      "\(name)=\(value.description.replacingOccurrences(of: " ", with: "%20"))"
    }.joined(separator: " ")
  }
}
