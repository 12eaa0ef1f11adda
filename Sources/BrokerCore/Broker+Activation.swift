import Freedesktop

/// What becomes of a request that has no URL, and why.
public struct ActivationDecision: Hashable, Sendable {
  /// What becomes of it: `deliver`, or `refuse`.
  public let verdict: Decision.Verdict
  /// Every step on the way, in order.
  public let explanation: [ExplanationStep]
}

extension OpenRequest {
  /// What it is for, where it has no URL; `nil` where it has, and where nothing says what it is for.
  public var errand: ActivationRequest? {
    guard urls.isEmpty, reason != Self.urlReason else { return nil }
    return ActivationRequest(reason: reason, desktopAction: desktopAction)
  }

  /// Why nobody can tell what is to be done, and what to do about it; `nil` where that is clear.
  public var diagnostic: String? {
    guard urls.isEmpty else { return nil }
    guard errand != nil else {
      return "there is no URL to open: give one, or a reason other than url and the target that it is for"
    }
    return target == nil ? "“\(reason)” without a URL is for one application: name it as the target" : nil
  }
}

extension Broker {
  /// Decides a request without URLs: the application that it names gets it, or nobody.
  ///
  /// No route speaks of it, because routes are about links, and no question can be put about it.
  public func decideWithoutURL(_ request: OpenRequest) -> ActivationDecision {
    var course = DecisionTrace()
    let verdict = withoutURL(request, &course)
    if case .deliver(let target) = verdict {
      course.note(.verdict, "\(target.id) gets it: \(request.reason)")
    } else {
      course.note(.verdict, verdict.description)
    }
    return ActivationDecision(verdict: verdict, explanation: course.steps)
  }

  private func withoutURL(_ request: OpenRequest, _ course: inout DecisionTrace) -> Decision.Verdict {
    if let diagnostic = request.diagnostic { return .refuse(.incomplete(diagnostic)) }
    guard let target = request.target, let errand = request.errand else { return .refuse(.incomplete("")) }
    guard request.hops <= OpenRequest.maximumHops else { return .refuse(.loop(hops: request.hops)) }
    course.note(.request, "“\(request.reason)” is for \(target)")
    if request.source.mayBeSandboxed, !isItself(target, request) {
      return .refuse(
        .denied(reason: "a sandboxed application may open links, and send other requests to itself alone"))
    }
    if !request.isByClick, request.origin.flatMap(WebOrigin.init) != nil {
      return .refuse(.denied(reason: "a page of the web may open links, and send no other requests"))
    }
    let found = application(target, &course)
    guard case .deliver(let application) = found, case .action(let action) = errand,
      !application.takesEnvelopes
    else { return found }
    return self.application(target, performing: action, &course)
  }

  /// Whether a sandboxed application asks for itself, and more than its own word says that it is that one.
  private func isItself(_ target: ApplicationID, _ request: OpenRequest) -> Bool {
    request.source.assurance >= .unit && request.questioner == target
  }
}
