/// Collects routes and builds a table of them; the order in which they are added has no meaning.
public struct RouteTableBuilder<Action: Sendable>: Sendable {
  /// The routes so far.
  public private(set) var routes: [Route<Action>] = []
  private var locations: [String: SourceLocation] = [:]

  /// Without routes.
  public init() {}

  /// Adds a route with its patterns; throws if its owner has a route of this ID, or if there is no pattern.
  ///
  /// `patternLocations` names the place of each pattern where it is known; otherwise it is that of the route.
  public mutating func add(
    _ patterns: [RoutePattern], id: String, owner: String = "", action: Action, at location: SourceLocation,
    patternLocations: [SourceLocation] = []
  ) throws(RouteTableError) {
    guard !patterns.isEmpty else { throw RouteTableError(.noPattern(id), location: location) }
    if let first = locations["\(owner)\u{0}\(id)"] {
      throw RouteTableError(.duplicateRoute(id, first: first), location: location)
    }
    locations["\(owner)\u{0}\(id)"] = location
    let places = patternLocations.count == patterns.count ? patternLocations : patterns.map { _ in location }
    routes.append(
      Route(
        id: id, owner: owner, patterns: patterns, action: action, location: location, patternLocations: places
      ))
  }

  /// Adds a route written in Swift; errors name the line of the call.
  public mutating func add(
    _ patterns: String..., id: String, owner: String = "", action: Action,
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) throws(RouteTableError) {
    let location = SourceLocation(file: file, line: line, column: column)
    var parsed: [RoutePattern] = []
    for text in patterns {
      do {
        parsed.append(try RoutePattern(text))
      } catch {
        throw RouteTableError(error.reason, at: error.offset, pattern: error.pattern, location: location)
      }
    }
    try add(parsed, id: id, owner: owner, action: action, at: location)
  }

  /// Builds the table; throws every conflict at once.
  public func build() throws(RouteTableError) -> RouteTable<Action> {
    let (table, conflicts) = buildSettingAside()
    guard conflicts.isEmpty else { throw RouteTableError(.conflicts(conflicts)) }
    return table
  }

  /// Builds a table without the routes that conflict, and says which those are.
  ///
  /// Both sides of a conflict are left out: neither wins, and the rest is as if they were not there.
  public func buildSettingAside() -> (table: RouteTable<Action>, conflicts: [RouteConflict]) {
    let index = index(of: routes)
    var search = RouteConflictSearch(index, routes)
    search.run()
    guard !search.setAside.isEmpty else { return (RouteTable(routes: routes, index: index), []) }
    let kept = routes.indices.filter { !search.setAside.contains($0) }.map { routes[$0] }
    return (RouteTable(routes: kept, index: self.index(of: kept)), search.conflicts)
  }

  private func index(of routes: [Route<Action>]) -> RouteIndex {
    var index = RouteIndex()
    let order = routes.indices.sorted {
      (routes[$0].owner, routes[$0].id) < (routes[$1].owner, routes[$1].id)
    }
    for number in order {
      for (place, pattern) in routes[number].patterns.enumerated() {
        index.insert(pattern, route: number, index: place)
      }
    }
    index.sort()
    return index
  }
}
