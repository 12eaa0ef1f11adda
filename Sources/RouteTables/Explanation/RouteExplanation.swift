/// Why a URL goes to a route, or to none: what `RouteTable.explain` found out.
///
/// ```swift
/// let explanation = try table.explain("notes://note/seven")
/// explanation.winner?.route.id                      // nil
/// explanation.nearMisses.first?.route.id            // "note"
/// explanation.nearMisses.first?.faults.first?.range // 13..<18
/// ```
///
/// Nothing of what secret captures take is in it, or would have taken of a URL that was written wrongly; ranges are: ``SecretMask``.
public struct RouteExplanation: Hashable, Sendable {
  /// The route that wins.
  public struct Winner: Hashable, Sendable {
    /// The route, with the pattern that matched.
    public let route: ExplainedRoute
    /// What its captures took, in the order of the pattern.
    public let captures: [ExplainedCapture]
  }

  /// A route that matches too, and lost.
  public struct Loser: Hashable, Sendable {
    /// The route, with the pattern that matched.
    public let route: ExplainedRoute
    /// The rule by which the winner comes first.
    public let rule: PrecedenceRule
  }

  /// How far the nearest route went along with a URL of which no route is near.
  public enum FurthestComponent: Int, Hashable, Sendable, Comparable {
    /// There is no route at all.
    case noRoute
    /// No route has the scheme.
    case scheme
    /// None with the scheme has the host, or what else follows.
    case host
    /// None has the path, or the query.
    case path

    /// Whether the first is less far.
    public static func < (first: FurthestComponent, second: FurthestComponent) -> Bool {
      first.rawValue < second.rawValue
    }
  }

  /// The URL, `…` in the place of what may be secret.
  public let url: String
  /// The route that wins; `nil` where none matches.
  public let winner: Winner?
  /// The other routes that match, those that would come next in front.
  public let losers: [Loser]
  /// The routes that nearly match, the nearest in front, no more than were asked for.
  ///
  /// Where a route wins, only those are told that would have come before it.
  public let nearMisses: [NearMiss]
  /// How many more there are.
  public let furtherNearMisses: Int
  /// How far the nearest route went; `nil` where one matches or nearly does.
  public let reach: FurthestComponent?
  /// What a person should know about how the URL was read.
  public let notes: [NormalizationNote]
}

extension RouteExplanation: CustomStringConvertible {
  /// The most losers that are told to a person.
  private static let mostLosers = 10

  /// The whole story for a person, a line for each part of it.
  public var description: String { lines.joined(separator: "\n") }

  /// The lines of the story; those that belong to the one above are indented.
  public var lines: [String] {
    var lines = [url]
    if let winner {
      lines.append("  goes to \(winner.route)")
      lines += winner.captures.map { "    \($0)" }
      for loser in losers.prefix(Self.mostLosers) { lines += ["  over \(loser.route)", "    \(loser.rule)"] }
      if losers.count > Self.mostLosers { lines.append("  and over \(losers.count - Self.mostLosers) more") }
    } else {
      lines.append("  no route matches\(reach.map { ": \(sentence(of: $0))" } ?? "")")
    }
    for miss in nearMisses {
      lines.append("  \(winner == nil ? "nearly" : "and not to") \(miss.route)")
      lines += miss.faults.map { "    \($0)" }
      if let suggestion = miss.suggestion { lines.append("    did you mean \(suggestion) ?") }
    }
    if furtherNearMisses > 0 {
      lines.append("  and \(furtherNearMisses) more route\(furtherNearMisses == 1 ? "" : "s") nearly")
    }
    lines += notes.map { "  note: \($0)" }
    return lines
  }

  /// Why no route is near.
  public func sentence(of reach: FurthestComponent) -> String {
    switch reach {
    case .noRoute: "there are no routes"
    case .scheme:
      url.utf8.first == UInt8(ascii: "/")
        ? "none is for a path alone: patterns of such routes begin with `/`"
        : "none is for \(url.prefix { $0 != ":" }): URLs"
    case .host: "some are for this scheme, and none of them for a URL that goes on like this"
    case .path: "some are for this scheme and host, and none of them for a path and a query like these"
    }
  }
}
