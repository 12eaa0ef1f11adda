// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// A proven fact about a route that is most likely an error.
public struct RouteDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of diagnostics.
  public enum Kind: Hashable, Sendable {
    /// No request matches the pattern.
    case matchesNothing
    /// No value satisfies the condition with this name.
    case neverHolds(String)
    /// These other patterns win every request that the pattern matches; `isDenied` if one is of a final route that denies.
    case neverWins([RouteConflict.Side], isDenied: Bool)
    /// These other patterns win every request that the first pattern matches, except those in which a catch-all has an empty segment, such as
    /// `witness`.
    case winsOnlyEmptySegments([RouteConflict.Side], witness: RouteRequest)
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
  /// The patterns of `neverWins`, `winsOnlyEmptySegments` and `crossing` whose routes `wins_over` of the route can name, all at once.
  ///
  /// Usually narrower routes cannot be named, because no URL would be left for them, nor can routes with such a rule themselves.
  public internal(set) var rivals: [RouteConflict.Side] = []

  /// A sentence for the user, without a location.
  public var description: String {
    let name = "the route `\(route.id)`"
    switch kind {
    case .matchesNothing:
      return "\(name) has the pattern \(route.pattern), which no URL matches: "
        + "its host or a segment is changed by normalization; change or remove it"
    case .neverHolds(let condition):
      return "\(name) requires a `\(condition)` that no request has: change or remove it"
    case .neverWins(let others, let isDenied):
      let winners = Self.winners(others)
      return
        "\(name) never wins with \(route.pattern): all that it matches, \(winners.joined(separator: ", ")) "
        + (winners.count == 1 ? "wins; " : "win; ")
        + (isDenied
          ? "it cannot make an exception for them: change its pattern or conditions, or remove it"
          : advice(on: winners))
    case .winsOnlyEmptySegments(let others, let witness):
      let winners = Self.winners(others)
      return
        "\(name) wins with \(route.pattern) only if a segment of a catch-all is empty, as in \(witness): all else that it matches, "
        + winners.joined(separator: ", ") + (winners.count == 1 ? " wins; " : " win; ")
        + advice(on: winners)
    case .nothingToWin(let other):
      return "\(name) has `wins_over` `\(other)`, but no URL matches both: remove it"
    case .winsAnyway(let other):
      return "\(name) has `wins_over` `\(other)`, but wins over it anyway, because it is narrower: remove it"
    case .layerDecides(let other):
      return
        "\(name) has `wins_over` `\(other)`, but that route is in another layer, and layers take precedence: remove it"
    case .crossing(let decision): return decision.description
    }
  }

  /// Returns what lets the route win, as the end of a sentence.
  private func advice(on winners: [String]) -> String {
    var names: [String] = []
    for name in rivals.map({ $0.owner == route.owner ? "`\($0.id)`" : "`\($0.owner)/\($0.id)`" })
    where !names.contains(name) { names.append(name) }
    let exception = names.isEmpty ? "" : "name \(names.joined(separator: ", ")) in `wins_over`, "
    return "make \(winners.count == 1 ? "that route" : "those routes") narrower, \(exception)or remove it"
  }

  /// Returns one text for each route: with its pattern, if only one pattern of the route is among them.
  private static func winners(_ sides: [RouteConflict.Side]) -> [String] {
    var names: [String] = []
    for side in sides {
      let own = sides.filter { $0.id == side.id && $0.location == side.location }
      let name = own.count == 1 ? side.description : "`\(side.id)` (\(side.location))"
      if !names.contains(name) { names.append(name) }
    }
    return names
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
