// SPDX-License-Identifier: Apache-2.0
import RouteExplanations
import RouteTables

/// A route that a decision compared with the URL, for explanations.
public struct InvolvedRoute: Hashable, Sendable {
  /// The part of a route in a decision.
  public enum Part: Hashable, Sendable {
    /// It decides.
    case winner
    /// It matches, but the winner precedes it by a rule: its name, and a sentence.
    case loser(rule: String, sentence: String)
    /// It nearly matches; the sentence says what does not.
    case nearMiss(sentence: String)
  }

  /// The part of the route in the decision.
  public let part: Part
  /// The ID of the route.
  public let id: String
  /// The owner of the route, as its file states.
  public let owner: String
  /// The pattern that is compared.
  public let pattern: String
  /// The location of that pattern.
  let location: SourceLocation

  /// The file of the route.
  public var file: String { location.file }
  /// The line of the pattern, from 1.
  public var line: Int { location.line }
  /// The column of the pattern, from 1.
  public var column: Int { location.column }
}

extension InvolvedRoute {
  /// Creates the route that decides.
  init(_ match: RouteMatch<RouteAction>) {
    let (route, pattern) = (match.route, match.pattern)
    part = .winner
    id = route.id
    owner = route.owner
    self.pattern = pattern.description
    let own = route.patterns.firstIndex(of: pattern)
    location = own.map { route.record.patternLocations[$0] } ?? route.location
  }

  /// Creates a route of an explanation with its part.
  init(_ route: ExplainedRoute, as part: Part) {
    self.part = part
    id = route.id
    owner = route.owner
    pattern = route.pattern.description
    location = route.location
  }
}
