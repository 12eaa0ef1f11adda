// SPDX-License-Identifier: Apache-2.0
public import RouteTables

extension Broker {
  /// Returns the URL that the desktop's defaults decide, after the rewrites of routes; `nil` if a rule decides.
  ///
  /// A rule is a route, a built-in rejection or a question for the user. An opener of the desktop that precedes the
  /// defaults, such as `$BROWSER`, may open only such a URL.
  public func urlLeftToDefaults(_ url: URLString, of request: OpenRequest) -> URLString? {
    var (url, request) = (url, request)
    var trace = DecisionTrace(tellsSteps: false)
    while request.hops <= OpenRequest.maximumHops {
      url = url.withUnambiguousPath
      guard SchemePolicy.refusal(of: url.scheme) == nil, let normalized = try? NormalizedURL(url) else {
        return nil
      }
      var consent = Consent()
      switch byRoutes(normalized, request: request, consent: &consent, &trace) {
      case .verdict?: return nil
      case .rewritten(let next, _, _, _, _)?:
        url = next
        request.hops += 1
      case nil: return consentPolicy.ownQuestion(normalized.url, request) == nil ? url : nil
      }
    }
    return nil
  }
}
