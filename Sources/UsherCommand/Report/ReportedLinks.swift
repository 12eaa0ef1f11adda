// SPDX-License-Identifier: Apache-2.0
import HostNames
import RouteAnalysis
import RouteTables

/// The links of the history that reach each pattern of a table, so that the page counts each link once wherever patterns are grouped.
struct ReportedLinks {
  /// For each route and each of its patterns, the numbers of the links, in ascending order.
  private(set) var numbers: [[[Int]]]

  /// Finds the links that reach each pattern of a table.
  ///
  /// - Parameter links: the different links; the number of a link is its position.
  init(_ links: URLLines, in table: RouteTable<RouteAction>) {
    numbers = table.routes.map { $0.patterns.map { _ in [] } }
    var coverage = RouteCoverage(of: table)
    for (number, link) in links.urls.enumerated() {
      guard let text = link.text, let url = try? HostName.mappingHost(of: text),
        let reached = try? coverage.add(url)
      else { continue }
      for route in reached {
        guard let pattern = Self.pattern(of: route, for: url, in: table) else { continue }
        numbers[route][pattern].append(number)
      }
    }
  }

  /// Returns the index of the pattern with which a route wins a URL.
  private static func pattern(of route: Int, for url: String, in table: RouteTable<RouteAction>) -> Int? {
    let patterns = table.routes[route].patterns
    guard patterns.count > 1 else { return 0 }
    guard let request = try? table.request(for: url, wonBy: route), let match = try? table.match(request)
    else { return nil }
    return patterns.firstIndex(of: match.pattern)
  }
}
