// SPDX-License-Identifier: Apache-2.0
import RouteExplanations
import RouteTables

extension RouteTable where Action == RouteAction {
  /// Returns the explanation of a URL by the routes that have an effect, and the first route without effect; `nil` if there is none.
  ///
  /// A route that opens, allows or rewrites a URL has no effect if it does not win each reading of it.
  ///
  /// - Parameter match: The match of the URL in all its readings.
  func explain(
    _ url: String, decidedBy match: RouteMatch<RouteAction>?, when context: [String: String], limit: Int
  ) throws(RouteTableError) -> (explanation: RouteExplanation, ineffective: ExplainedRoute?) {
    let explanation = try explain(url, when: context, limit: limit)
    guard let winner = explanation.winner?.route else { return (explanation, nil) }
    let places = ([winner] + explanation.losers.map(\.route)).map { routes[$0.index].location }
    let ineffective = Set(places.prefix { $0 != match?.route.location })
    guard !ineffective.isEmpty else { return (explanation, nil) }
    // What is secret to a route without effect is not shown either.
    let mask = try secretMask(of: url)
    let rest = filter { !ineffective.contains($0.location) }
    return (try rest.explain(url, when: context, limit: limit, hiding: mask), winner)
  }
}
