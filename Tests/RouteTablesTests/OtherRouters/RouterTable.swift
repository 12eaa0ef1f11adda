// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import Foundation
import Testing

@testable import RouteTables

/// A table of another router in this library's language: its routes, and the results for URLs.
///
/// A line of `routes` is a pattern, preceded by `id: ` if the pattern is too long to be its own ID, and by `[case]`,
/// `[slash]`, `[plus]` or `[segment]` for an option. A line of `urls` has columns separated by two or more spaces: a URL;
/// the ID of the winning route, `none` or `throws`; the captures, a catch-all as `[a,b]`. A trailing `# …` is the reason
/// for a deliberate difference from the router.
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

  /// Returns the columns of a line, without a trailing comment after `# `.
  static func columns(_ line: some StringProtocol) -> [String] {
    let text = line.range(of: "  # ").map { String(line[..<$0.lowerBound]) } ?? String(line)
    return text.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  private static func route(_ line: String) -> (id: String, pattern: String, options: RouteOptions) {
    let (pattern, options) = optioned(line.trimmingCharacters(in: .whitespaces))
    guard let colon = pattern.range(of: ": ") else { return (pattern, pattern, options) }
    return (String(pattern[..<colon.lowerBound]), String(pattern[colon.upperBound...]), options)
  }

  /// Builds the table and checks every row, also with the routes in reverse order, which must have no effect.
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
