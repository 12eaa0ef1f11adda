// SPDX-License-Identifier: Apache-2.0
/// A collector of routes from which a table is built; the order in which routes are added has no effect.
///
/// ```swift
/// var routes = RouteTableBuilder<String>()
/// try routes.add("notes://note/{id:int}", id: "note", action: "show")
/// let table = try routes.build()
/// ```
public struct RouteTableBuilder<Action: Sendable>: Sendable {
  /// The routes that were added.
  public private(set) var routes: [Route<Action>] = []
  private var locations: [RouteName: SourceLocation] = [:]
  /// The records of `routes`, which this generic type reads faster from an array of their own.
  private var records: [RouteRecord] = []
  private var sharing = PatternSharing()

  /// The maximum numbers of steps in which the `winsOver` of a layer are compared with its routes.
  private let winsOverBudget: WinsOver.Budget

  /// Creates a builder without routes.
  public init() { self.init(winsOverBudget: .standard) }

  /// Creates a builder that ignores each `winsOver` that it cannot compare with the routes within a budget.
  package init(winsOverBudget: WinsOver.Budget) { self.winsOverBudget = winsOverBudget }

  /// Adds a route with parsed patterns, for callers that read their own route files.
  ///
  /// - Parameters:
  ///   - patterns: at least one; the route matches a URL if any of them does.
  ///   - id: the name, unique among the routes of `owner`.
  ///   - location: the location of the route, which conflicts report.
  ///   - patternLocations: the location of each pattern, if all are known; otherwise empty.
  ///   - rank: the route's policy layer.
  ///   - directory: the rank of the route file's directory in its layer; of two otherwise equal routes, the one with the lower
  ///     number wins. A negative number precedes every other directory of the layer, except for final routes that deny.
  ///   - conditions: the conditions on the request; all of them must hold, including several of one name.
  ///   - winsOver: the routes that this route precedes, as `id` for a route of the same owner or as `owner/id`.
  ///   - generates: indicates whether URLs can be generated from the route.
  ///   - secretCaptures: the captures whose texts `RouteTable.explain(_:when:limit:hiding:)` does not show.
  ///   - denies: indicates whether the route denies the URLs that it matches. Such a route stays in the table if it conflicts
  ///     with another. Among the administrator's final routes it precedes routes that do not deny, except those that name it in
  ///     `winsOver`.
  ///   - asks: indicates whether the route asks the user. Such a route stays in the table if it conflicts with one that does not
  ///     deny.
  /// - Throws: ``RouteTableError`` if `owner` already has a route with this ID, if `patterns` is empty, or if the route has more
  ///   than ``RouteLimits/variants`` variants.
  public mutating func add(
    _ patterns: [RoutePattern], id: String, owner: String = "", action: Action, at location: SourceLocation,
    patternLocations: [SourceLocation] = [], rank: PolicyLayer = .user, directory: Int = 0,
    when conditions: [RouteCondition] = [], winsOver: [String] = [], generates: Bool = true,
    secretCaptures: Set<String> = [], denies: Bool = false, asks: Bool = false
  ) throws(RouteTableError) {
    guard !patterns.isEmpty else { throw RouteTableError(.noPattern(id), location: location) }
    let name = RouteName(owner: owner, id: id)
    if let first = locations[name] {
      throw RouteTableError(.duplicateRoute(id, first: first), location: location)
    }
    if patterns.count > 1 {
      var counts: [Int] = []
      for pattern in patterns {
        counts.append(try PatternExpansion.shapes(of: pattern).count(where: \.countsForTheLimit))
      }
      let count = counts.reduce(0, +)
      guard count <= RouteLimits.variants else {
        let parts = "\(counts.count) patterns: " + counts.prefix(16).map { "\($0)" }.joined(separator: " + ")
        throw RouteTableError(
          .tooManyVariants(count, of: parts + (counts.count > 16 ? " + …" : "")), location: location)
      }
    }
    let united: [RouteCondition]
    do { united = try RouteCondition.united(conditions) } catch {
      throw RouteTableError(error.reason, location: location)
    }
    locations[name] = location
    let places = patternLocations.count == patterns.count ? patternLocations : []
    let record = RouteRecord(
      id: id, owner: owner, patterns: patterns, location: location, rank: rank,
      conditions: united, winsOver: winsOver, patternLocations: places,
      directory: directory, generates: generates, secretCaptures: secretCaptures, denies: denies, asks: asks)
    records.append(record)
    routes.append(Route(record: record, action: action))
  }

  /// Adds a route that is written in Swift; errors contain the source location of the call.
  ///
  /// ```swift
  /// let sku = try RouteType("sku", matching: "[A-Z]{2}-[0-9]{4}")
  /// try routes.add("shop:/item/{id:sku}", "shop:/i/{id:sku}", id: "item", action: "item", types: [sku])
  /// ```
  ///
  /// - Parameters:
  ///   - patterns: at least one; the route matches a URL if any of them does.
  ///   - id: the name, unique among the routes of `owner`.
  ///   - options: the interpretation of URLs for all these patterns.
  ///   - types: the custom types that the patterns name.
  ///   - rank: the route's policy layer.
  ///   - conditions: the conditions on the request; all of them must hold.
  ///   - winsOver: the routes that this route precedes, as `id` for a route of the same owner or as `owner/id`.
  ///   - generates: indicates whether URLs can be generated from the route.
  ///   - secretCaptures: the captures whose texts no explanation shows.
  ///   - denies: indicates whether the route denies the URLs that it matches.
  /// - Throws: ``RouteTableError`` if a pattern is invalid, if `owner` already has a route with this ID, or if the route has more
  ///   than ``RouteLimits/variants`` variants.
  public mutating func add(
    _ patterns: String..., id: String, owner: String = "", action: Action,
    options: RouteOptions = RouteOptions(),
    types: [RouteType] = [], rank: PolicyLayer = .user, when conditions: [RouteCondition] = [],
    winsOver: [String] = [], generates: Bool = true, secretCaptures: Set<String> = [], denies: Bool = false,
    file: String = #fileID,
    line: Int = #line,
    column: Int = #column
  ) throws(RouteTableError) {
    let location = SourceLocation(file: file, line: line, column: column)
    var parsed: [RoutePattern] = []
    for text in patterns {
      do {
        parsed.append(sharing.shared(try RoutePattern(text, types: types, options: options)))
      } catch {
        throw RouteTableError(error.reason, at: error.offset, pattern: error.pattern, location: location)
      }
    }
    try add(
      parsed, id: id, owner: owner, action: action, at: location, rank: rank, when: conditions,
      winsOver: winsOver, generates: generates, secretCaptures: secretCaptures, denies: denies)
  }

  /// Builds the table.
  ///
  /// - Throws: ``RouteTableError``: `conflicts` with all pairs of routes of which neither can win, or `unknownRoute`,
  ///   `circularPrecedence` or `unreachable` for an invalid `winsOver`.
  public func build() throws(RouteTableError) -> RouteTable<Action> {
    let result = try TableCompiler.build(records, winsOverBudget: winsOverBudget)
    guard result.conflicts.isEmpty else { throw RouteTableError(.conflicts(result.conflicts)) }
    return RouteTable(routes: routes, index: result.index)
  }

  /// Builds a table without the conflicting routes, and returns the conflicts.
  ///
  /// Both routes of a conflict are skipped, except routes that deny and, unless the other one denies, routes that ask. The other routes behave as if the skipped routes did not
  /// exist. A `winsOver` that names no route, or that cannot be satisfied or compared, is ignored; all others have their effect.
  public func buildSkippingConflicts() -> (table: RouteTable<Action>, conflicts: [RouteConflict]) {
    let (table, conflicts, _) = buildSkippingAllConflicts()
    return (table, conflicts)
  }

  /// Builds a table without the conflicting routes, and returns the conflicts and the errors of each ignored `winsOver`.
  public func buildSkippingAllConflicts() -> (
    table: RouteTable<Action>, conflicts: [RouteConflict], faults: [RouteTableError]
  ) {
    let (index, kept, conflicts, faults) = TableCompiler.buildSkippingConflicts(
      records, winsOverBudget: winsOverBudget)
    let left = kept.map { Route(record: $0.record, action: routes[$0.number].action) }
    return (RouteTable(routes: left, index: index), conflicts, faults)
  }
}

/// The owner and the ID of a route, outside the generic builder so that the compiler specializes its dictionary.
private struct RouteName: Hashable {
  let owner: String
  let id: String
}
