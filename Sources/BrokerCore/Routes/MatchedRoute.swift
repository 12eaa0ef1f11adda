// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A route that matches a URL of a request, and whose action is carried out.
struct MatchedRoute {
  let match: RouteMatch<RouteAction>
  /// The name of the route in explanations, such as “the user's route “notes””.
  let title: String
  /// The reasons why the route precedes others.
  var reasons: [String] = []
  let normalized: NormalizedURL
  let request: OpenRequest

  /// The URL as it was requested.
  var url: URLString { normalized.original }

  /// Adds to the explanation what the route does, and why it precedes others.
  func note(_ what: String, _ trace: inout DecisionTrace) {
    trace.note(.routes, "\(title) (\(match.route.location)) \(what)")
    for reason in reasons { trace.note(.routes, reason) }
  }

  /// A Boolean value that indicates whether the caller named a target, which overrides the choice of the route.
  var isOverridden: Bool {
    request.target != nil && match.route.rank != .finalAdministrator && match.action.selectsApplication
  }

  /// A Boolean value that indicates whether the route authorizes the caller, so that no further prompt about it is needed.
  ///
  /// A route does so if it selects the application, and if its conditions name the caller.
  var authorizesCaller: Bool {
    match.action.selectsApplication
      && match.route.conditions.contains { condition in
        switch condition.name {
        case RouteCondition.Name.source: request.caller.source.maySettle
        case RouteCondition.Name.origin: !request.caller.source.mayBeSandboxed
        default: false
        }
      }
  }

  /// The rejection of a sandboxed caller by a route that runs a program or performs an action; `nil` if the caller may use the route.
  ///
  /// Programs and actions can do anything, so a sandboxed application may use them only if the route names it.
  var refusalOfSandboxedCaller: Refusal? {
    guard request.caller.source.mayBeSandboxed else { return nil }
    return match.route.rejection(ofSandboxedCaller: request.caller.source.maySettle).map {
      .denied(reason: $0)
    }
  }
}

extension SourceApplication {
  /// A Boolean value that indicates whether a route that names this source may authorize it.
  ///
  /// For a sandboxed caller the name must come from the kernel or the user's service manager.
  fileprivate var maySettle: Bool { !mayBeSandboxed || assurance >= .unit }
}

extension RouteAction {
  /// A Boolean value that indicates whether the action chooses the application, which a caller overrides by naming a target.
  fileprivate var selectsApplication: Bool {
    switch self {
    case .open, .browse, .perform, .exec: true
    case .rewrite, .ask, .allow, .deny, .handler: false
    }
  }
}
