// SPDX-License-Identifier: Apache-2.0
import RegularLanguages

extension RouteTable where Action == RouteAction {
  /// Returns whether an unreadable URL with this scheme and host could match a route that denies, asks or is final.
  ///
  /// The broker refuses such a URL, because it cannot compare the path or query of the URL with the route.
  public func mayForbidUnreadable(_ authority: URLAuthority) -> Bool {
    forbiddingUnreadable(authority, when: nil) != nil
  }

  /// Returns a route that denies, asks or is final, and could match an unreadable URL with this scheme and host.
  ///
  /// - Parameters:
  ///   - authority: The authority of the URL.
  ///   - context: The values of the conditions; `nil` to disregard the conditions.
  ///   - verified: The values without unverified claims, or `nil` if every value is verified.
  func forbiddingUnreadable(
    _ authority: URLAuthority, when context: [String: String]?, verified: [String: String]? = nil
  ) -> Route<RouteAction>? {
    restrictingRoute(when: context, verified: verified) { $0.mayMatch(authority) }
  }

  /// Returns a route that allows every URL of the scheme of an unreadable URL; `nil` if there is none, or if another route than an `allow`
  /// could match the URL, which would then decide.
  ///
  /// - Parameters:
  ///   - url: The URL, of which a table cannot read the path or the query.
  ///   - authority: The authority of the URL.
  ///   - context: The values of the conditions.
  ///   - verified: The values without unverified claims, or `nil` if every value is verified.
  public func allowingUnreadable(
    _ url: ComparedURL, _ authority: URLAuthority, when context: [String: String],
    verified: [String: String]? = nil
  ) -> Route<RouteAction>? {
    guard url.otherReadings.isEmpty else { return nil }
    let scheme = url.text.foldedScheme ?? ""
    let candidates = routes.filter { route in
      route.patterns.contains { $0.mayMatch(authority) } && route.mayHold(when: context, verified: verified)
    }
    guard candidates.allSatisfy({ $0.action == .allow }) else { return nil }
    return candidates.first { route in
      // A claim allows nothing.
      route.mayHold(when: verified ?? context, verified: nil) && route.mayHold(when: context, verified: nil)
        && RoutePattern.cover(route.patterns, scheme: scheme)
    }
  }

  /// Returns the first route that denies, asks or is final, and whose conditions and one of whose patterns may apply.
  ///
  /// - Parameters:
  ///   - written: A route that does not count.
  ///   - context: The values of the conditions; `nil` to disregard the conditions.
  ///   - verified: The values without unverified claims, or `nil` if every value is verified.
  ///   - mayApply: Returns whether a pattern may match the URL.
  func restrictingRoute(
    besides written: Route<RouteAction>? = nil, when context: [String: String]?, verified: [String: String]?,
    where mayApply: (RoutePattern) -> Bool
  ) -> Route<RouteAction>? {
    routes.first { route in
      route.restricts && !route.isSame(as: written) && route.patterns.contains(where: mayApply)
        && route.mayHold(when: context, verified: verified)
    }
  }
}

extension Route {
  /// Returns whether the conditions of the route hold for a request, with its unverified claims or without.
  ///
  /// - Parameters:
  ///   - context: The values of the conditions; `nil` to disregard the conditions.
  ///   - verified: The values without unverified claims, or `nil` if every value is verified.
  func mayHold(when context: [String: String]?, verified: [String: String]?) -> Bool {
    guard let context else { return true }
    return [context, verified].compactMap(\.self).contains { values in
      conditions.allSatisfy { $0.language.contains(values[$0.name] ?? "") }
    }
  }
}
