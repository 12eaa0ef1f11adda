// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The reasons for which a URL matches a route or no route: the result of `RouteTable.explain`.
///
/// ```swift
/// let explanation = try table.explain("notes://note/seven")
/// explanation.winner?.route.id                      // nil
/// explanation.nearMisses.first?.route.id            // "note"
/// explanation.nearMisses.first?.mismatches.first?.range // 13..<18
/// ```
///
/// It contains no text that a secret capture matches, or would match if the URL were written correctly, but it contains the
/// byte ranges of such texts: ``SecretMask``.
public struct RouteExplanation: Hashable, Sendable {
  /// The winning route.
  public struct Winner: Hashable, Sendable {
    /// The route, with the pattern that matches.
    public let route: ExplainedRoute
    /// The captures and their texts, in the order of the pattern.
    public let captures: [ExplainedCapture]
  }

  /// Another route that matches the URL.
  public struct Loser: Hashable, Sendable {
    /// The route, with the pattern that matches.
    public let route: ExplainedRoute
    /// The rule by which the winner precedes this route.
    public let rule: PrecedenceRule
  }

  /// The furthest component that matches a route, for a URL without a match or near miss.
  public enum FurthestComponent: Int, Hashable, Sendable, Comparable {
    /// There are no routes at all.
    case noRoute
    /// No route has the scheme.
    case scheme
    /// No route with the scheme has the host, or the opening.
    case host
    /// No route with the scheme and host has the path, or the query.
    case path

    /// Returns whether the first component is less far.
    public static func < (first: FurthestComponent, second: FurthestComponent) -> Bool {
      first.rawValue < second.rawValue
    }
  }

  /// The URL, with `…` in place of texts that may be secret.
  public let url: String
  /// The winning route; `nil` if none matches.
  public let winner: Winner?
  /// The other routes that match, in order of precedence.
  public let losers: [Loser]
  /// The routes that nearly match, nearest first, at most as many as requested.
  ///
  /// If a route wins, only near misses that would precede it are included.
  public let nearMisses: [NearMiss]
  /// The number of further near misses.
  public let furtherNearMisses: Int
  /// The furthest component that matches; `nil` if a route matches or nearly matches.
  public let reach: FurthestComponent?
  /// Notes to the user about the normalization of the URL.
  public let notes: [NormalizationNote]
}

extension RouteExplanation: CustomStringConvertible {
  /// The maximum number of losers in the description.
  private static let mostLosers = 10

  /// The complete explanation as text, one line per statement.
  public var description: String { lines.joined(separator: "\n") }

  /// The lines of the explanation; a line that belongs to the previous one is indented.
  public var lines: [String] {
    var lines = [url]
    if let winner {
      lines.append("  selects \(winner.route)")
      lines += winner.captures.map { "    \($0)" }
      for loser in losers.prefix(Self.mostLosers) { lines += ["  over \(loser.route)", "    \(loser.rule)"] }
      if losers.count > Self.mostLosers { lines.append("  and over \(losers.count - Self.mostLosers) more") }
    } else {
      lines.append("  no route matches\(reach.map { ": \(sentence(of: $0))" } ?? "")")
    }
    for miss in nearMisses {
      lines.append("  \(winner == nil ? "nearly matches" : "not") \(miss.route)")
      lines += miss.mismatches.map { "    \($0)" }
      if let suggestion = miss.suggestion { lines.append("    did you mean \(suggestion)?") }
    }
    if furtherNearMisses > 0 {
      lines.append(
        "  \(furtherNearMisses) more \(furtherNearMisses == 1 ? "route nearly matches" : "routes nearly match")"
      )
    }
    lines += notes.map { "  note: \($0)" }
    return lines
  }

  /// Returns a clause that states why no route is near.
  public func sentence(of reach: FurthestComponent) -> String {
    switch reach {
    case .noRoute: "there are no routes"
    case .scheme:
      url.utf8.first == UInt8(ascii: "/")
        ? "no pattern begins with `/`, as is needed for a path without scheme and host"
        : "no pattern has the scheme \(url.prefix { $0 != ":" }):"
    case .host: "some patterns have this scheme, but none matches the rest of the URL"
    case .path: "some patterns have this scheme and host, but none matches the path and query"
    }
  }
}
