// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// Sign-ins of programs on other machines, whose sites redirect the browser to a port of the program (RFC 8252, section 7.3).
extension Broker {
  /// Returns the verdict on a link of another machine that signs in; `nil` for any other link, and after the user has allowed it.
  ///
  /// The user is asked for each sign-in, whatever routes and stored answers allow. A stored refusal of such links applies.
  func putSignIn(
    _ normalized: NormalizedURL, request: OpenRequest, consent: inout Consent, _ trace: inout DecisionTrace
  ) -> Decision.Verdict? {
    guard request.source.machine != nil else { return nil }
    switch LoopbackRedirect.Reading(normalized.original) {
    case .absent: return nil
    case .refused(let reason): return .refuse(.denied(reason: reason))
    case .redirect(let redirect):
      trace.note(
        .request,
        "the link signs in at \(redirect.site) for a program at port \(redirect.port) of the other machine")
      // The user would see one of the hosts, and the browser may connect to another.
      if let reason = normalized.compared.uncertainty { return .refuse(.unreadable(reason: reason)) }
      guard request.urls.count == 1 else {
        return .refuse(
          .denied(reason: "a sign-in of another machine is a request of its own; open its link alone"))
      }
      var question = Question(.signIn(redirect), about: normalized.url, from: request.source)
      if !consent.isCallerAuthorized { question.refusingScope = ownQuestion(normalized.url, request)?.scope }
      return put(question, request: request, consent: &consent, &trace)
    }
  }
}
