// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// Decisions on universal links, which only a dedicated application may open (`universal-links-only`).
extension Broker {
  /// The schemes that many applications open, so that a handler of one of them is not a dedicated application.
  private static let common: Set<String> = ["http", "https", "file"]

  /// Returns the decision on a URL that only a dedicated application may open: one that a route or its own entry assigns to it.
  ///
  /// Naming a target does not make an application dedicated. The user is not prompted for consent if the URL would be
  /// rejected anyway.
  func decideUniversalLink(_ url: URLString, of request: OpenRequest, _ trace: DecisionTrace) -> Decision {
    var unaimed = request
    unaimed.target = nil
    let decision = walk(url, of: unaimed, trace)
    switch decision.verdict {
    case .deliver(let found) where request.target == nil || request.target == found.id: return decision
    case .run where request.target == nil: return decision
    case .deliver, .run: return decision.refused(.noUniversalLink)
    case .ask(let question):
      var allowed = request
      allowed.answers[question.identity] = .yes
      guard
        case .refuse(let refusal) = decide(url, of: allowed, DecisionTrace(tellsSteps: false))
          .verdict
      else { return decision }
      return decision.refused(refusal)
    case .refuse: return decision
    }
  }

  /// Returns the application whose own desktop entry declares the scheme of the URL.
  func byOwnEntry(
    _ url: URLString, request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    guard !Self.common.contains(url.scheme) else {
      trace.note(
        .request,
        "no route names an application for this link, which universal-links-only requires for http, https and file"
      )
      return .refuse(.noUniversalLink)
    }
    let verdict = handlers.resolve(url, request: request, &trace)
    guard case .deliver(let target) = verdict, !target.entry.schemes.contains(url.scheme) else {
      return verdict
    }
    trace.note(
      .candidate,
      "\(target.id) is a default for \(url.scheme):, but its own desktop entry does not declare the scheme")
    return .refuse(.noUniversalLink)
  }
}

extension Decision {
  /// Returns this decision with its verdict replaced by a rejection.
  fileprivate func refused(_ refusal: Refusal) -> Decision {
    Decision(
      url: url, verdict: .refuse(refusal),
      explanation: explanation.dropLast() + [ExplanationStep(.verdict, refusal.description)],
      routes: routes, answered: answered, isAllowedByUser: isAllowedByUser, hasSecret: hasSecret,
      applicationAfterConsent: nil, shownURL: shownURL, openedURL: nil)
  }
}
