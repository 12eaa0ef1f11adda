// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// The decision on a request without URLs, with its explanation.
public struct ActivationDecision: Hashable, Sendable {
  /// The verdict: `deliver` or `refuse`.
  public let verdict: Decision.Verdict
  /// The steps of the decision, in order.
  public let explanation: [ExplanationStep]

  /// Decides a request without URLs, which only the target that the caller names can receive.
  init(on request: OpenRequest, by applications: InstalledApplications) {
    var trace = DecisionTrace()
    let verdict = Self.verdict(on: request, by: applications, &trace)
    if case .deliver(let target) = verdict {
      trace.note(.verdict, "\(target.id) receives it: \(request.reason)")
    } else {
      trace.note(.verdict, verdict.description)
    }
    self.verdict = verdict
    explanation = trace.steps
  }

  private static func verdict(
    on request: OpenRequest, by applications: InstalledApplications, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    if let diagnostic = request.diagnostic { return .refuse(.incomplete(diagnostic)) }
    guard let target = request.target, let purpose = request.purpose else { return .refuse(.incomplete("")) }
    guard request.hops <= OpenRequest.maximumHops else { return .refuse(.tooManyHops(hops: request.hops)) }
    trace.note(.request, "“\(request.reason)” is for \(target)")
    if request.caller.source.mayBeSandboxed, !isItself(target, request) {
      return .refuse(
        .denied(reason: "a sandboxed application may send requests without a URL only to itself"))
    }
    if !request.caller.isByClick, request.caller.origin.flatMap(WebOrigin.init) != nil {
      return .refuse(
        .denied(reason: "a web page may send a request without a URL only after a click of the user"))
    }
    let found = applications.application(target, of: request, &trace)
    guard case .deliver(let application) = found, case .action(let action) = purpose,
      !application.takesEnvelopes
    else { return found }
    return applications.application(target, performing: action, of: request, &trace)
  }

  /// Returns whether a sandboxed application sends the request to itself, with an identity that does not rest on its claim alone.
  private static func isItself(_ target: ApplicationID, _ request: OpenRequest) -> Bool {
    request.caller.source.assurance >= .unit && request.caller.questioner == target
  }
}

extension OpenRequest {
  /// The purpose of a request without URLs; `nil` if the request has URLs or if its reason is `url`.
  public var purpose: ActivationRequest? {
    guard urls.isEmpty, reason != Self.urlReason else { return nil }
    return ActivationRequest(reason: reason, desktopAction: desktopAction)
  }

  /// The error of a request without URLs that is incomplete, and its fix; `nil` if the request is complete.
  public var diagnostic: String? {
    guard urls.isEmpty else { return nil }
    guard purpose != nil else {
      return "the request has no URL; add a URL, or a target and a reason other than url"
    }
    return target == nil ? "“\(reason)” without a URL needs a target application" : nil
  }
}
