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
}
