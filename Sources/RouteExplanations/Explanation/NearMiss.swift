// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// A route that nearly matches a URL.
///
/// It has one mismatch: another, missing or additional segment, a host label, a query item, the fragment, or a condition.
/// If no route is as near, near misses are the routes with two mismatches whose scheme and host match.
public struct NearMiss: Hashable, Sendable {
  /// The route, with the pattern that nearly matches.
  public let route: ExplainedRoute
  /// The mismatches, in the order of the URL.
  public let mismatches: [RouteMismatch]
  /// A URL, one edit away, that the route matches; `nil` if there is none.
  ///
  /// The explanation has verified the match.
  public let suggestion: String?
}

/// A route as identified in an explanation.
public struct ExplainedRoute: Hashable, Sendable, CustomStringConvertible {
  /// The index of the route among the routes of the table.
  public let index: Int
  /// The ID of the route.
  public let id: String
  /// The owner of the route.
  public let owner: String
  /// The policy layer of the route.
  public let rank: PolicyLayer
  /// The pattern to which the explanation refers.
  public let pattern: RoutePattern
  /// The location of the route, or of that pattern, in its file.
  public let location: SourceLocation

  /// The ID, the pattern and the location.
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
