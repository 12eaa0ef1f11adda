internal import RouteTables

/// What the routes of a table make of a request, in the words of `is` in `tests.decide`: the key of an action, or `none`.
enum RouteOutcome: String, CaseIterable, Sendable {
  case deny
  case ask
  case allow
  case open
  case perform
  case exec
  case rewrite
  case handler
  /// No route takes the URL.
  case none

  /// The outcome of a request whose first route has this action.
  init(of action: RouteAction?) {
    self =
      switch action {
      case .deny: .deny
      case .ask: .ask
      case .allow: .allow
      case .open: .open
      case .perform: .perform
      case .exec: .exec
      case .rewrite: .rewrite
      case .handler: .handler
      case nil: .none
      }
  }
}
