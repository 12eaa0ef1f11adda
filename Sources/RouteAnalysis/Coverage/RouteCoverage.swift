// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// The routes of a table that a set of URLs reaches, and the number of URLs that reach no route.
///
/// ```swift
/// var coverage = RouteCoverage(of: table)
/// for url in urls { try coverage.add(url) }
/// coverage.unreached.map(\.id)   // the routes that none of them leads to
/// ```
/// A URL does not determine the values of conditions. It reaches each route that wins it for some request, and therefore may
/// reach several routes.
public struct RouteCoverage<Action: Sendable>: Sendable {
  /// The table whose routes are counted.
  public let table: RouteTable<Action>
  /// The number of URLs that reach each route, in the order of the table.
  public private(set) var counts: [Int]
  /// The number of valid URLs that were added.
  public private(set) var urlCount = 0
  /// The number of valid URLs that reach no route.
  public private(set) var unmatchedCount = 0
  /// The indices of the routes for which the analysis is undecided, because the languages of conditions are too large to compare.
  public private(set) var undecided: Set<Int> = []
  private var search: ContextSearch<Action>

  /// Creates a coverage without URLs.
  public init(of table: RouteTable<Action>) {
    self.table = table
    counts = table.routes.map { _ in 0 }
    search = ContextSearch(table)
  }

  /// Counts a URL and returns the indices of the routes that it reaches, in ascending order.
  ///
  /// - Throws: `RouteTableError` if `url` is not a URL; it is not counted.
  @discardableResult
  public mutating func add(_ url: String) throws(RouteTableError) -> [Int] {
    // An invalid URL throws here, even if the table has no routes.
    _ = try table.find(url)
    var reached: Set<Int> = []
    for kind in 0..<search.kindCount {
      switch try search.winner(of: url, kind: kind) {
      case .wins(let route, _): reached.insert(route)
      case .loses: break
      case .undecided: undecided.formUnion(table.routes.indices.filter { search.kinds[$0] == kind })
      }
    }
    urlCount += 1
    if reached.isEmpty { unmatchedCount += 1 }
    for index in reached { counts[index] += 1 }
    return reached.sorted()
  }

  /// The routes that no URL reaches for any request, in the order of the table.
  public var unreached: [Route<Action>] {
    table.routes.indices.filter { counts[$0] == 0 && !undecided.contains($0) }.map { table.routes[$0] }
  }

  /// The percentage of routes that are reached, rounded down; 100 for a table without routes.
  public var percentage: Int {
    counts.isEmpty ? 100 : counts.count { $0 > 0 } * 100 / counts.count
  }
}
