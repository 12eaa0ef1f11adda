/// A route that does not match, and nearly would.
///
/// It misses by one place of the URL or one word about the request: a segment that is another one, is missing or too much, a
/// label, an item of the query, the fragment, the source. Where no route is as near, those that miss by two behind a scheme and
/// a host that fit.
public struct NearMiss: Hashable, Sendable {
  /// The route, with the pattern that nearly matches.
  public let route: ExplainedRoute
  /// What does not fit, in the order of the URL.
  public let faults: [RouteMismatch]
  /// The URL that the route takes, where that is one edit away; proven by matching it.
  public let suggestion: String?
}

/// A route as an explanation names it.
public struct ExplainedRoute: Hashable, Sendable, CustomStringConvertible {
  /// Its index among the routes of the table.
  public let index: Int
  /// Its ID.
  public let id: String
  /// Who wrote it.
  public let owner: String
  /// Whose word it is.
  public let rank: PolicyLayer
  /// The pattern that is meant.
  public let pattern: RoutePattern
  /// Where the route, or that pattern, was written.
  public let location: SourceLocation

  /// The route, its pattern and its place.
  public var description: String { "`\(id)` (\(pattern), \(location))" }

  init(_ index: Int, _ record: RouteRecord, pattern: Int) {
    self.index = index
    id = record.id
    owner = record.owner
    rank = record.rank
    self.pattern = record.patterns[pattern]
    location = record.patternLocations[pattern]
  }
}
