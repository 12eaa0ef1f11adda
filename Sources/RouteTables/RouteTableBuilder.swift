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
    var search = RouteConflictSearch()
    for (index, route) in routes.enumerated() {
      for (number, pattern) in route.patterns.enumerated() {
        search.add(
          RouteConflict.Side(id: route.id, pattern: pattern, location: route.patternLocations[number]),
          owner: route.owner, route: index)
      }
    }
    let kept = routes.indices.filter { !search.setAside.contains($0) }.map { routes[$0] }
    var index = RouteIndex()
    for (number, route) in kept.enumerated() {
      for (place, pattern) in route.patterns.enumerated() {
        index.insert(pattern, route: number, index: place)
      }
    }
    index.sort { first, second in
      let (one, other) = (kept[first.route], kept[second.route])
      return (one.owner, one.id, first.pattern) < (other.owner, other.id, second.pattern)
    }
    return (RouteTable(routes: kept, index: index), search.conflicts)
  }
}
