// SPDX-License-Identifier: Apache-2.0
extension RouteTable where Action == RouteAction {
  /// Returns whether an unreadable URL with this scheme and host could match a route that denies, asks or is final.
  ///
  /// The broker refuses such a URL, because it cannot compare the path or query of the URL with the route.
  public func mayForbidUnreadable(_ authority: URLAuthority) -> Bool {
    routes.contains { route in
      guard route.patterns.contains(where: { $0.mayMatch(authority) }) else { return false }
      return route.restricts
    }
  }
}
