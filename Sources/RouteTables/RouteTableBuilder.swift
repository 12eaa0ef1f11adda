/// Collects routes and builds a table of them; the order in which they are added has no meaning.
public struct RouteTableBuilder<Action: Sendable>: Sendable {
  private struct Name: Hashable {
    let owner: String
    let id: String
  }

  /// The routes so far.
  public private(set) var routes: [Route<Action>] = []
  private var locations: [Name: SourceLocation] = [:]

  /// Without routes.
  public init() {}

  /// Adds a route with its patterns.
  ///
  /// `patternLocations` names the place of each pattern where it is known; otherwise it is that of the route. `folder`
  /// is the place of its folder among those of one rank. Throws if its owner has a route of this ID, if there is no
  /// pattern, and beyond `RouteLimits.shapes`.
  public mutating func add(
    _ patterns: [RoutePattern], id: String, owner: String = "", action: Action, at location: SourceLocation,
    patternLocations: [SourceLocation] = [], rank: RouteRank = .user, folder: Int = 0,
    when conditions: [RouteCondition] = [], winsOver: [String] = []
  ) throws(RouteTableError) {
    guard !patterns.isEmpty else { throw RouteTableError(.noPattern(id), location: location) }
    let name = Name(owner: owner, id: id)
    if let first = locations[name] {
      throw RouteTableError(.duplicateRoute(id, first: first), location: location)
    }
    if patterns.count > 1 {
      var count = 0
      for pattern in patterns { count += try ShapeExpansion(pattern).shapes().count }
      guard count <= RouteLimits.shapes else {
        throw RouteTableError(.tooMany("shapes of a route", limit: RouteLimits.shapes), location: location)
      }
    }
    locations[name] = location
    let places = patternLocations.count == patterns.count ? patternLocations : patterns.map { _ in location }
    routes.append(
      Route(
        id: id, owner: owner, patterns: patterns, action: action, location: location, rank: rank,
        conditions: conditions.sorted { $0.name < $1.name }, winsOver: winsOver, patternLocations: places,
        folder: folder))
  }

  /// Adds a route written in Swift; errors name the line of the call.
  public mutating func add(
    _ patterns: String..., id: String, owner: String = "", action: Action, options: RouteOptions = RouteOptions(),
    types: [RouteType] = [], rank: RouteRank = .user, when conditions: [RouteCondition] = [],
    winsOver: [String] = [], file: String = #fileID, line: Int = #line, column: Int = #column
  ) throws(RouteTableError) {
    let location = SourceLocation(file: file, line: line, column: column)
    var parsed: [RoutePattern] = []
    for text in patterns {
      do {
        parsed.append(try RoutePattern(text, types: types, options: options))
      } catch {
        throw RouteTableError(error.reason, at: error.offset, pattern: error.pattern, location: location)
      }
    }
    try add(
      parsed, id: id, owner: owner, action: action, at: location, rank: rank, when: conditions, winsOver: winsOver)
  }

  /// Builds the table; throws every conflict at once, and what `wins_over` gets wrong.
  public func build() throws(RouteTableError) -> RouteTable<Action> {
    let result = try build(routes)
    guard result.conflicts.isEmpty else { throw RouteTableError(.conflicts(result.conflicts)) }
    return result.table
  }

  /// Builds a table without the routes that conflict, and says which those are.
  ///
  /// Both sides of a conflict are left out: neither wins, and the rest is as if they were not there. A `winsOver` that
  /// cannot be carried out is left out as well.
  public func buildSettingAside() -> (table: RouteTable<Action>, conflicts: [RouteConflict]) {
    let (table, conflicts, _) = buildSettingAllAside()
    return (table, conflicts)
  }

  /// Builds a table as `buildSettingAside`, and says which `winsOver` were left out, and why.
  public func buildSettingAllAside() -> (
    table: RouteTable<Action>, conflicts: [RouteConflict], faults: [RouteTableError]
  ) {
    var (kept, faults) = (routes, [RouteTableError]())
    let names = Set(routes.flatMap { [$0.id, "\($0.owner)/\($0.id)"] })
    for index in kept.indices where !kept[index].winsOver.isEmpty {
      for name in kept[index].winsOver where !names.contains(name) {
        faults.append(RouteTableError(.unknownRoute(name), location: kept[index].location))
      }
      kept[index].winsOver.removeAll { !names.contains($0) }
    }
    var conflicts: [RouteConflict] = []
    while true {
      do {
        let result = try build(kept)
        if conflicts.isEmpty { conflicts = result.conflicts }
        guard !result.setAside.isEmpty else { return (result.table, conflicts, faults) }
        kept = kept.indices.filter { !result.setAside.contains($0) }.map { kept[$0] }
        let left = Set(kept.flatMap { [$0.id, "\($0.owner)/\($0.id)"] })
        for index in kept.indices { kept[index].winsOver.removeAll { !left.contains($0) } }
      } catch {
        faults.append(error)
        for index in kept.indices { kept[index].winsOver = [] }
      }
    }
  }

  private func build(
    _ routes: [Route<Action>]
  ) throws(RouteTableError) -> (table: RouteTable<Action>, conflicts: [RouteConflict], setAside: Set<Int>) {
    var tree = IndexTree()
    let precedence = routes.indices.sorted {
      (routes[$0].folder, routes[$0].owner, routes[$0].id) < (routes[$1].folder, routes[$1].owner, routes[$1].id)
    }
    var places = [Int](repeating: 0, count: routes.count)
    for (place, number) in precedence.enumerated() {
      places[number] = place
      for (index, pattern) in routes[number].patterns.enumerated() {
        for shape in try ShapeExpansion(pattern).shapes() {
          let shape = RouteShape(
            shape, of: pattern, route: number, index: index, conditions: routes[number].conditions,
            languages: &tree.languages)
          tree.insert(shape, of: pattern)
        }
      }
    }
    var order = tree.order { one, other in
      (places[one.route], one.pattern, other.shape.segments.count)
        < (places[other.route], other.pattern, one.shape.segments.count)
    }
    let rank = routes.map(\.rank)
    if Set(rank).count > 1 {
      let shapes = tree.shapes
      order = RouteRank.allCases.flatMap { layer in order.filter { rank[shapes[$0].route] == layer } }
    }
    let winsOver = WinsOver(routes)
    let pairs = try winsOver.pairs()
    order = try winsOver.order(order, of: &tree, pairs)
    var search = RouteConflictSearch(tree, routes, settled: pairs)
    search.run()
    return (RouteTable(routes: routes, index: RouteIndex(tree, order, routes)), search.conflicts, search.setAside)
  }
}
