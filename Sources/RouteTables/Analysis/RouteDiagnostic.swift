/// A proven fact about a route that is most likely an error.
public struct RouteDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of diagnostics.
  public enum Kind: Hashable, Sendable {
    /// No request matches the pattern.
    case matchesNothing
    /// No value satisfies the condition with this name.
    case neverHolds(String)
    /// These other patterns win every request that the pattern matches.
    case neverWins([RouteConflict.Side])
    /// The route has a `wins_over` rule for a route with which it has no common request.
    case nothingToWin(over: String)
    /// The route has a `wins_over` rule for a route over which it wins anyway.
    case winsAnyway(over: String)
    /// The route has a `wins_over` rule for a route of another layer, and layers decide first.
    case layerDecides(over: String)
    /// The route overlaps with another, and the first difference decides.
    case crossing(Overlap)
  }

  /// The kind of the diagnostic.
  public let kind: Kind
  /// The route and the pattern to which the diagnostic refers.
  public let route: RouteConflict.Side

  /// A sentence for the user, without a location.
  public var description: String {
    let name = "the route `\(route.id)`"
    switch kind {
    case .matchesNothing:
      return "\(name) has the pattern \(route.pattern), which no URL matches: "
        + "a host or a segment of it is never read so; change or remove it"
    case .neverHolds(let condition):
      return "\(name) asks for a `\(condition)` that no request has: change or remove it"
    case .neverWins(let others):
      let list = others.map(\.description).joined(separator: ", ")
      return "\(name) never wins with \(route.pattern): all that it matches, \(list) "
        + (others.count == 1 ? "wins; " : "win; ")
        + "narrow \(others.count == 1 ? "that" : "those"), say `wins_over`, or remove it"
    case .nothingToWin(let other):
      return "\(name) says `wins_over` `\(other)`, and no URL matches both: take that away"
    case .winsAnyway(let other):
      return "\(name) says `wins_over` `\(other)`, over which it wins anyway, being narrower: take that away"
    case .layerDecides(let other):
      return
        "\(name) says `wins_over` `\(other)`, which is of another layer, and layers come first: take that away"
    case .crossing(let decision): return decision.description
    }
  }
}

/// The result of `RouteTable.check`: the diagnostics, and the gaps in the analysis.
public struct RouteLint: Sendable {
  /// The maximum number of diagnostics.
  public static let limit = 100

  /// The diagnostics, sorted by location.
  public internal(set) var findings: [RouteDiagnostic] = []
  /// The gaps in the analysis.
  public internal(set) var gaps = AnalysisGaps()
  /// Indicates whether the analysis is complete, so that there are no further diagnostics.
  public var isComplete: Bool { gaps.isEmpty }
}
