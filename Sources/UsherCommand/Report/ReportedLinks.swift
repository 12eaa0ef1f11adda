// SPDX-License-Identifier: Apache-2.0
import RouteAnalysis
import RouteTables

/// The links of the history that reach each pattern of a table, so that the page counts each link once wherever patterns are grouped.
struct ReportedLinks {
  private let table: RouteTable<RouteAction>
  /// For each route and each of its patterns, the numbers of the links, in ascending order.
  private(set) var numbers: [[[Int]]]

  /// Creates the lists for a table, without links.
  init(in table: RouteTable<RouteAction>) {
    self.table = table
    numbers = table.routes.map { $0.patterns.map { _ in [] } }
  }

  /// Adds a link, given its number and the indices of the routes that it reaches.
  mutating func add(_ number: Int, url: String, reaching routes: [Int]) {
    for route in routes {
      if let pattern = pattern(of: route, for: url) { numbers[route][pattern].append(number) }
    }
  }

  /// Returns the index of the pattern with which a route wins a URL.
  private func pattern(of route: Int, for url: String) -> Int? {
    let patterns = table.routes[route].patterns
    guard patterns.count > 1 else { return 0 }
    guard let request = try? table.request(for: url, wonBy: route), let match = try? table.match(request)
    else { return nil }
    return patterns.firstIndex(of: match.pattern)
  }
}
