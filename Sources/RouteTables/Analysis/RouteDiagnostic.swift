/// Something that is provably so about a route, and that hardly anybody means.
public struct RouteDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// What is so.
  public enum Kind: Hashable, Sendable {
    /// No request at all matches the pattern.
    case matchesNothing
    /// What the route asks for by this name, no request says.
    case neverHolds(String)
    /// Others win every request that the pattern matches: these.
    case neverWins([RouteConflict.Side])
    /// It says `wins_over` a route with which it has no request in common.
    case nothingToWin(over: String)
    /// It says `wins_over` a route over which it wins anyway.
    case winsAnyway(over: String)
    /// It says `wins_over` a route of another layer, and layers come first.
    case layerDecides(over: String)
    /// It crosses another, and leftmost decides.
    case crossing(Overlap)
  }

  /// What is so.
  public let kind: Kind
  /// The route, and the pattern that is meant.
  public let route: RouteConflict.Side

  /// The sentence a person reads, without a place in front.
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

/// What `RouteTable.check` found, and what it could not look at.
public struct RouteLint: Sendable {
  /// How much is told.
  public static let limit = 100

  /// What is so, by place.
  public internal(set) var findings: [RouteDiagnostic] = []
  /// What was left open.
  public internal(set) var gaps = AnalysisGaps()
  /// Whether there is no more than this: nothing was left open.
  public var isComplete: Bool { gaps.isEmpty }
}
