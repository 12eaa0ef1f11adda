/// Which routes of a table some URLs reach, and which of the URLs reach none.
///
/// ```swift
/// var coverage = RouteCoverage(of: table)
/// for url in urls { try coverage.add(url) }
/// coverage.unreached.map(\.id)   // the routes that none of them leads to
/// ```
/// A URL alone says nothing of who asks: it reaches each route that wins it if a request says the right things. One URL may so
/// reach several routes.
public struct RouteCoverage<Action: Sendable>: Sendable {
  /// The table whose routes are counted.
  public let table: RouteTable<Action>
  /// How many of the URLs reach each route, in the order of the table.
  public private(set) var counts: [Int]
  /// How many URLs there were, those that are none not counted.
  public private(set) var urlCount = 0
  /// How many of them reach no route.
  public private(set) var missedCount = 0
  /// The indices of routes of which it could not be told whether one of the URLs reaches them: what routes ask of a request is too
  /// large to compare.
  public private(set) var undecided: Set<Int> = []
  private var search: ContextSearch<Action>

  /// Without URLs.
  public init(of table: RouteTable<Action>) {
    self.table = table
    counts = table.routes.map { _ in 0 }
    search = ContextSearch(table)
  }

  /// Counts a URL, and returns the indices of the routes that it reaches, in their order; none where no route claims it.
  ///
  /// Throws for what is no URL, which is not counted.
  @discardableResult
  public mutating func add(_ url: String) throws(RouteTableError) -> [Int] {
    // What is no URL throws, be there a route or not.
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
    if reached.isEmpty { missedCount += 1 }
    for index in reached { counts[index] += 1 }
    return reached.sorted()
  }

  /// The routes that no URL reaches, whatever a request says, in their order.
  public var unreached: [Route<Action>] {
    table.routes.indices.filter { counts[$0] == 0 && !undecided.contains($0) }.map { table.routes[$0] }
  }

  /// How many of a hundred routes are reached, rounded down: a hundred where all are.
  public var percentage: Int {
    counts.isEmpty ? 100 : counts.count { $0 > 0 } * 100 / counts.count
  }
}
