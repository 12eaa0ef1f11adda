// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The patterns of a route, with their source location.
struct SceneRouteSource {
  let id: String
  let patterns: [String]
  let location: SourceLocation
  /// The patterns of a `TypedRoute`, or its error; `nil` for patterns that the table parses.
  let typed: Result<[RoutePattern], RouteTableError>?

  /// Creates a source from pattern texts and their location.
  init(_ patterns: [String], file: String, line: Int, column: Int) {
    id = patterns.first ?? ""
    self.patterns = patterns
    location = SourceLocation(file: file, line: line, column: column)
    typed = nil
  }

  /// Creates a source from a typed route.
  init<each Argument: RouteArgument>(_ route: TypedRoute<repeat each Argument>) {
    id = route.id
    patterns = route.patterns
    location = route.location
    typed = Result { () throws(RouteTableError) in try route.routePatterns }
  }
}
