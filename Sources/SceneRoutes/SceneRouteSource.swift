import RouteTables

/// Which URLs a route is for, and where that is written.
struct SceneRouteSource {
  let id: String
  let patterns: [String]
  let location: SourceLocation
  /// The patterns of a `TypedRoute`, or why it is none; `nil` for those that the table reads.
  let typed: Result<[RoutePattern], RouteTableError>?

  /// Patterns as they are written at a place.
  init(_ patterns: [String], _ file: String, _ line: Int, _ column: Int) {
    id = patterns.first ?? ""
    self.patterns = patterns
    location = SourceLocation(file: file, line: line, column: column)
    typed = nil
  }

  /// Those of a typed route.
  init<each Argument: RouteArgument>(_ route: TypedRoute<repeat each Argument>) {
    id = route.id
    patterns = route.patterns
    location = route.location
    typed = Result { () throws(RouteTableError) in try route.routePatterns }
  }
}
