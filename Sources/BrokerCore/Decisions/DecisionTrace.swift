// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// The steps of a decision, and its intermediate results.
struct DecisionTrace {
  /// A Boolean value that indicates whether steps are recorded, which takes a third of the time of a decision.
  var tellsSteps = true
  var steps: [ExplanationStep] = []
  var answered: [AnsweredQuestion] = []
  var isAllowedByUser = false
  /// A Boolean value that indicates whether a route declares a part of a URL of any pass secret.
  var hasSecret = false
  /// A Boolean value that indicates whether the steps include the reasons for the precedence of routes, and near misses.
  var tellsWhy = false
  /// The URL with its secret parts hidden; `nil` until a layer explained it.
  var shownURL: String?
  /// A Boolean value that indicates whether a part of the URL of the current pass is hidden.
  var hidesPart = false
  /// The routes that the steps name, if these include the reasons.
  var routes: [InvolvedRoute] = []

  mutating func note(_ subject: ExplanationStep.Subject, _ text: @autoclosure () -> String) {
    if tellsSteps { steps.append(ExplanationStep(subject, text())) }
  }

  /// Records the route that decides, and those that lose or nearly match beside it.
  ///
  /// An earlier route, which allowed the URL or replaced it, no longer counts. Earlier near misses do.
  mutating func decides(_ match: RouteMatch<RouteAction>, over others: [InvolvedRoute]) {
    routes.removeAll { if case .nearMiss = $0.part { false } else { true } }
    routes.append(InvolvedRoute(match))
    routes += others
  }
}
