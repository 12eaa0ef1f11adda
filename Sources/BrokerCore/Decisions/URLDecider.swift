// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// Decides one URL of a request, in as many passes through the policy as its rewrites require.
struct URLDecider: Sendable {
  private let pass: PolicyPass
  private let applications: InstalledApplications
  let secrets: SecretURLs?

  /// Creates a decider whose passes are `pass`.
  ///
  /// - Parameter secrets: The URLs of which a route declares a part secret; `nil` if there are none.
  init(pass: PolicyPass, applications: InstalledApplications, secrets: SecretURLs?) {
    self.pass = pass
    self.applications = applications
    self.secrets = secrets
  }

  /// Returns whether a route declares a part of `url` secret, so that logs do not show its path.
  func mayHaveSecret(_ url: URLString) -> Bool { secrets?.mayContain(url) ?? false }

  /// Decides one URL, and records the steps that `trace` requests.
  ///
  /// Of the decisions with and without the unverified claims of a sandboxed caller, the stricter one counts: a claim can add a denial, or a
  /// question whether the URL may be opened. The answer to that question has no other effect, because the caller could make up
  /// the claim for which it was given. The question of the broker's own policy is about the claimed name in both decisions.
  func decide(_ url: URLString, of request: OpenRequest, _ trace: DecisionTrace) -> Decision {
    let decided =
      request.isUniversalLinksOnly
      ? decideUniversalLink(url, of: request, trace) : walk(url, of: request, trace)
    guard let verified = request.withoutUnverifiedClaims else { return decided }
    if case .refuse(let refusal) = decided.verdict, refusal.isByRule || refusal.isProvisional {
      return decided
    }
    var trace = trace
    (trace.isAllowedByUser, trace.hasSecret) = (decided.isAllowedByUser, decided.hasSecret)
    let plain = decide(url, of: verified, trace)
    if plain.verdict.opens, case .ask(let question) = decided.verdict, question.choices.isEmpty {
      return decided
    }
    return plain
  }

  /// Returns the decision on a URL that only a dedicated application may open: one that a route or its own entry assigns to it.
  ///
  /// The caller requests this by `universal-links-only`. Naming a target does not make an application dedicated. The user is
  /// not prompted for consent if the URL would be rejected anyway.
  private func decideUniversalLink(
    _ url: URLString, of request: OpenRequest, _ trace: DecisionTrace
  ) -> Decision {
    var unaimed = request
    unaimed.target = nil
    let decision = walk(url, of: unaimed, trace)
    switch decision.verdict {
    case .deliver(let found) where request.target == nil || request.target == found.id: return decision
    case .run where request.target == nil: return decision
    case .deliver, .run: return decision.refused(.noUniversalLink)
    case .ask(let question):
      var allowed = request
      allowed.answers.given[question.identity] = .yes
      guard
        case .refuse(let refusal) = decide(url, of: allowed, DecisionTrace(tellsSteps: false))
          .verdict
      else { return decision }
      return decision.refused(refusal)
    case .refuse: return decision
    }
  }

  /// Passes one URL through the policy until a verdict is reached; each `rewrite` starts another pass.
  private func walk(_ url: URLString, of request: OpenRequest, _ trace: DecisionTrace) -> Decision {
    let requested = url
    var (url, request, trace) = (url, request, trace)
    var rewriting: [String] = []
    var unwrapped = 0
    while true {
      url = unambiguous(url, &trace)
      // A rewritten URL may have a secret part of the one before.
      trace.hasSecret = trace.hasSecret || mayHaveSecret(url)
      switch pass.result(of: url, request, &trace, restriction: { restriction(before: $0, &$1) }) {
      case .rewritten(let next, let route, let isFinal, let unwraps, let isShared):
        unwrapped += unwraps ? 1 : 0
        if isFinal, let target = request.target, !mayOpen(next, rewrittenFrom: url, target) {
          trace.note(
            .request,
            "\(target), which the caller requests, does not open it: its desktop entry does not declare the scheme \(next.scheme):, to which a final route rewrites"
          )
          request.target = nil
        }
        request.state.isSharedFile = next.scheme == "file" && (isShared || request.state.isSharedFile)
        url = next
        request.hops += 1
        rewriting.append(route)
      case .verdict(var verdict):
        var opener: ApplicationID?
        if case .ask(let question) = verdict {
          let consented = self.verdict(on: url, of: request, afterConsentTo: question)
          if case .deliver(let target) = consented { opener = target.id }
          if case .refuse(let refusal) = consented, !refusal.isProvisional,
            !request.state.ignoresUnwrapping || refusal.isByRule
          {
            trace.note(
              .request,
              "\(question.asker) asks the user, but the link is rejected whatever the user answers, so no prompt is shown"
            )
            verdict = .refuse(refusal)
          }
          // The prompt names the application that opens the link.
          if case .refuse(.browsersNotListed) = consented { verdict = .refuse(.browsersNotListed) }
        }
        if case .refuse(.tooManyHops) = verdict, Set(rewriting).count < rewriting.count {
          // Each URL that is unwrapped is shorter than the one before, so the routes are not at fault.
          verdict = .refuse(
            unwrapped == rewriting.count ? .wrappedTooDeeply : .endlessRewrite(rewriting.unique))
        }
        trace.note(.verdict, verdict.description)
        // A pass that hid a part turned the reasons off, because the next URLs may contain that part.
        let isShown = trace.shownURL != nil && trace.tellsWhy && !trace.hidesPart && !trace.hasSecret
        var isOpened = true
        if case .refuse = verdict { isOpened = false }
        return Decision(
          url: url, verdict: verdict, explanation: trace.steps, routes: trace.routes,
          answered: trace.answered,
          isAllowedByUser: trace.isAllowedByUser, hasSecret: trace.hasSecret,
          applicationAfterConsent: opener, shownURL: trace.shownURL,
          openedURL: isShown && isOpened && url != requested ? url.text : nil)
      }
    }
  }

  /// Returns whether the target that the caller named opens the URL to which a final route rewrites `url`.
  ///
  /// A rewrite to another scheme also replaces the application. A rewrite that keeps the scheme, or whose new scheme the
  /// target's desktop entry declares, replaces the URL only.
  private func mayOpen(_ next: URLString, rewrittenFrom url: URLString, _ target: ApplicationID) -> Bool {
    next.scheme == url.scheme || applications.isDeclared(next.scheme, by: target)
  }

  /// Returns the URL that is decided and opened in place of `url`, so that a program opens the path that routes compare.
  private func unambiguous(_ url: URLString, _ trace: inout DecisionTrace) -> URLString {
    let opened = url.withUnambiguousPath
    if opened != url { trace.note(.request, "the path is opened as \(opened.redacted)") }
    return opened
  }

  /// Returns the verdict on a URL if the user consents to `question`; `nil` if the question has choices.
  private func verdict(
    on url: URLString, of request: OpenRequest, afterConsentTo question: Question
  ) -> Decision.Verdict? {
    guard question.choices.isEmpty else { return nil }
    var request = request
    request.answers.given[question.identity] = .yes
    return decide(url, of: request, DecisionTrace(tellsSteps: false)).verdict
  }

  /// Returns the rejection of a URL, or the question about it, that its rules demand if no route unwraps or cleans it; `nil` if they
  /// would open it.
  ///
  /// A rule that denies a URL also denies what the URL leads to. The question of the broker's own policy and the choice of an application
  /// do not count, because they are repeated for the URL that is opened. Neither does the question of a route that also asks about the
  /// cleaned URL.
  private func restriction(before found: MatchedRoute, _ trace: inout DecisionTrace) -> Decision.Verdict? {
    var wrapped = found.request
    wrapped.state.ignoresUnwrapping = true
    if asksAgain(about: found, wrapped) { return nil }
    var silent = DecisionTrace(tellsSteps: false)
    silent.answered = trace.answered
    let decision = walk(found.url, of: wrapped, silent)
    trace.answered = decision.answered
    trace.isAllowedByUser = trace.isAllowedByUser || decision.isAllowedByUser
    switch decision.verdict {
    case .refuse(let refusal): return refusal.isByRule ? decision.verdict : nil
    case .ask(let question): return question.choices.isEmpty ? decision.verdict : nil
    case .deliver, .run: return nil
    }
  }

  /// Returns whether one route asks about a URL that is to be cleaned and also about the cleaned URL.
  private func asksAgain(about found: MatchedRoute, _ request: OpenRequest) -> Bool {
    guard !found.match.action.unwraps,
      case .url(let next)? = found.match.rewriting(of: found.url, source: nil)
    else { return false }
    // Whether a question is asked must not depend on its answer.
    var unanswered = request
    (unanswered.answers.given, unanswered.answers.grants, unanswered.answers.reported) = ([:], [], nil)
    func asker(about url: URLString) -> Question.Reason? {
      let decision = walk(url, of: unanswered, DecisionTrace(tellsSteps: false))
      guard case .ask(let question) = decision.verdict, question.choices.isEmpty else { return nil }
      return question.reason
    }
    guard let first = asker(about: found.url) else { return false }
    return asker(about: next) == first
  }

  /// Returns the result of the first route that decides a URL; `nil` if no route does.
  func byRoutes(
    _ normalized: NormalizedURL, request: OpenRequest, consent: inout Consent, _ trace: inout DecisionTrace
  ) -> PassResult? {
    pass.byRoutes(
      normalized, request: request, consent: &consent, &trace,
      restriction: { restriction(before: $0, &$1) })
  }

  /// Returns the URL that the desktop's defaults decide, after the rewrites of routes; `nil` if a rule decides.
  ///
  /// A rule is a route, a built-in rejection or a question for the user. An opener of the desktop that precedes the
  /// defaults, such as `$BROWSER`, may open only such a URL.
  func urlLeftToDefaults(_ url: URLString, of request: OpenRequest) -> URLString? {
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
      case nil: return pass.consentPolicy.ownQuestion(normalized.url, request) == nil ? url : nil
      }
    }
    return nil
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
