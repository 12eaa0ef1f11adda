/// Which routes of a table some URLs reach, and which of the URLs reach none.
///
/// ```swift
/// var coverage = RouteCoverage(of: table)
/// for url in urls { try coverage.add(url) }
/// coverage.unreached.map(\.id)   // the routes that none of them leads to
/// ```
/// A route that asks something of the request is reached by a URL where it would be in a request that says so: a URL alone says
/// nothing of who asks. One URL may so reach several routes.
public struct RouteCoverage<Action: Sendable>: Sendable {
  /// The table whose routes are counted.
  public let table: RouteTable<Action>
  /// How many of the URLs reach each route, in the order of the table.
  public private(set) var counts: [Int]
  /// How many URLs there were, those that are none not counted.
  public private(set) var urlCount = 0
  /// How many of them reach no route.
  public private(set) var missedCount = 0
  /// What requests say of themselves: nothing, and what each of the routes asks for.
  private let contexts: [[String: String]]

  /// Without URLs.
  public init(of table: RouteTable<Action>) {
    self.table = table
    counts = table.routes.map { _ in 0 }
    let asked = Set(table.routes.map(\.ownContext)).subtracting([[:]])
    contexts = [[:]] + asked
  }

  /// Counts a URL, and returns the indices of the routes that it reaches, in their order; none where no route claims it.
  ///
  /// Throws for what is no URL, which is not counted.
  @discardableResult
  public mutating func add(_ url: String) throws(RouteTableError) -> [Int] {
    var reached: Set<Int> = []
    for context in contexts {
      if let found = try table.find(url, when: context) { reached.insert(found.routeIndex) }
    }
    urlCount += 1
    if reached.isEmpty { missedCount += 1 }
    for index in reached { counts[index] += 1 }
    return reached.sorted()
  }

  /// The routes that no URL reaches, in their order.
  public var unreached: [Route<Action>] {
    table.routes.indices.filter { counts[$0] == 0 }.map { table.routes[$0] }
  }

  /// How many of a hundred routes are reached, rounded down: a hundred where all are.
  public var percentage: Int {
    counts.isEmpty ? 100 : counts.count { $0 > 0 } * 100 / counts.count
  }
}
