import Freedesktop
import RouteTables

/// Links that only an application of their own may open (`universal-links-only`).
extension Broker {
  /// The schemes of which every application opens what it likes: that it opens them does not make this link its own.
  private static let common: Set<String> = ["http", "https", "file"]

  /// The decision on a link that nobody may open but whom a route, or its own entry, gives this very link to.
  ///
  /// A target that the caller names does not make the link that target's own. Nobody is asked whether a link may be
  /// opened that nobody would open.
  func decideUniversalLink(_ url: URLString, of request: OpenRequest, _ course: DecisionTrace) -> Decision {
    var unaimed = request
    unaimed.target = nil
    let decision = walk(url, of: unaimed, course)
    switch decision.verdict {
    case .deliver(let found) where request.target == nil || request.target == found.id: return decision
    case .run where request.target == nil: return decision
    case .deliver, .run: return decision.refused(.noUniversalLink)
    case .ask(let question):
      var allowed = request
      allowed.answers[question.identity] = .yes
      guard
        case .refuse(let refusal) = decideUniversalLink(url, of: allowed, DecisionTrace(tellsSteps: false))
          .verdict
      else { return decision }
      return decision.refused(refusal)
    case .refuse: return decision
    }
  }

  /// The application whose own entry takes the link.
  func byOwnEntry(
    _ url: URLString, _ request: OpenRequest, _ course: inout DecisionTrace
  ) -> Decision.Verdict {
    guard !Self.common.contains(url.scheme) else {
      course.note(.request, "only an application of its own may open it, and no route names one")
      return .refuse(.noUniversalLink)
    }
    let verdict = resolve(url, request, &course)
    guard case .deliver(let target) = verdict, !target.entry.schemes.contains(url.scheme) else {
      return verdict
    }
    course.note(.candidate, "\(target.id) is a default for \(url.scheme):, and its own entry does not say so")
    return .refuse(.noUniversalLink)
  }
}

extension Decision {
  /// The same way to another end.
  fileprivate func refused(_ refusal: Refusal) -> Decision {
    Decision(
      url: url, verdict: .refuse(refusal),
      explanation: explanation.dropLast() + [ExplanationStep(.verdict, refusal.description)],
      answered: answered, isAllowedByPerson: isAllowedByPerson, shownURL: shownURL)
  }
}
