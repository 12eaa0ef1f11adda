extension RouteTable where Action == RouteAction {
  /// Whether a route that denies, asks or is final could match a URL with this scheme and host whose path or query cannot be read.
  ///
  /// The broker refuses such a URL, because the route cannot be compared with it.
  public func mayForbidUnreadable(_ authority: URLAuthority) -> Bool {
    routes.contains { route in
      guard route.patterns.contains(where: { $0.mayMatch(authority) }) else { return false }
      switch route.action {
      case .deny, .ask: return true
      default: return route.rank == .finalAdministrator
      }
    }
  }
}
