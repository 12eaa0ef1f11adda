// SPDX-License-Identifier: Apache-2.0
internal import RouteTables

/// The decision of a table's routes on a request, as in `is` of `tests.decide`: the key of an action, or `none`.
enum RouteOutcome: String, CaseIterable, Sendable {
  case deny
  case ask
  case allow
  case open
  case perform
  case exec
  case rewrite
  case handler
  /// No route matches the URL.
  case none

  /// Creates the outcome of a request whose first route has this action.
  init(of action: RouteAction?) {
    self =
      switch action {
      case .deny: .deny
      case .ask: .ask
      case .allow: .allow
      case .open, .browse: .open
      case .perform: .perform
      case .exec: .exec
      case .rewrite: .rewrite
      case .handler: .handler
      case nil: .none
      }
  }
}
