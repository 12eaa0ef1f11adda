// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

extension Broker {
  /// Carries out the action of a route; returns `nil` if the routes after it decide.
  func carryOut(
    _ found: MatchedRoute, consent: inout Consent, _ trace: inout DecisionTrace
  ) -> PassResult? {
    let (match, request) = (found.match, found.request)
    if found.authorizesCaller { consent.isCallerAuthorized = true }
    if let target = request.target, found.isOverridden {
      found.note("chooses an application, but the caller requested \(target)", &trace)
      return .verdict(applications.asked(for: target, url: found.url, request: request, &trace))
    }
    switch match.action {
    case .open(let application):
      found.note("opens it with \(application)", &trace)
      return .verdict(applications.application(named: application, of: request, &trace))
    case .browse(let target):
      found.note("opens it with \(target)", &trace)
      return .verdict(applications.browser(target, of: request, &trace))
    case .perform(let application, let action):
      found.note("lets \(application) perform “\(action)”", &trace)
      if let refusal = found.refusalOfSandboxedCaller { return .verdict(.refuse(refusal)) }
      return .verdict(applications.application(named: application, performing: action, of: request, &trace))
    case .exec(let argv):
      found.note("runs a program for it", &trace)
      return .verdict(run(argv, by: found))
    case .rewrite:
      return rewrite(by: found, &trace)
    case .ask(let choices, let remember):
      if choices.isEmpty, consent.isGiven { return nil }
      return ask(by: found, offering: choices, remembering: remember, consent: &consent, &trace)
        .map { .verdict($0) }
    case .deny(let reason):
      if consent.isGiven {
        found.note("denies it, but an earlier rule allows it", &trace)
        return nil
      }
      found.note("denies it: \(reason)", &trace)
      return .verdict(.refuse(.denied(reason: "\(found.title) denies the link: \(reason)")))
    case .allow:
      found.note("allows it", &trace)
      consent = Consent(isGiven: true, isCallerAuthorized: true)
      return nil
    case .handler:
      // Handlers belong to applications that use `RouteTables`; in the broker's directories such a route has no effect.
      found.note("names a handler inside an application and has no effect here", &trace)
      return nil
    }
  }

  /// Returns the verdict of a route that asks the user; `nil` if the user has consented, and the routes after it decide.
  private func ask(
    by found: MatchedRoute, offering offered: [RouteAction.Choice],
    remembering remember: [RouteAction.AnswerKey],
    consent: inout Consent, _ trace: inout DecisionTrace
  ) -> Decision.Verdict? {
    let (request, normalized) = (found.request, found.normalized)
    guard offered.isEmpty || !request.isUniversalLinksOnly else {
      found.note("asks which application opens it, so no application owns the link", &trace)
      return .refuse(.noUniversalLink)
    }
    found.note(
      offered.isEmpty ? "asks whether it may be opened" : "asks which application opens it", &trace)
    let route = PromptingRoute(found.match.route)
    // The user chooses no application for a URL that only contains the one that is opened.
    guard offered.isEmpty || !request.ignoresUnwrapping else {
      return .ask(
        Question(.route(route), about: normalized.url, from: request.source, choices: [.usherHandler]))
    }
    let choices: [ApplicationID]
    switch usable(offered, of: route, for: request, &trace) {
    case .success(let usable): choices = usable
    case .failure(let refusal): return .refuse(refusal)
    }
    // The URL whose host the route names, so that the user sees that host, and the answer is stored for it.
    let asked = normalized.reading(of: found.match)?.url ?? normalized.url
    let scope = GrantScope(
      remember, route: route, asked, from: request.questioner, in: request.container?.scope,
      on: request.source.machine, isSandboxed: request.source.mayBeSandboxed)
    var question = Question(
      .route(route), about: asked, from: request.source, in: request.container, choices: choices,
      keptFor: scope)
    question.isUnstorable = scope == nil && !remember.isEmpty
    return consentPolicy.put(question, request: request, consent: &consent, &trace)
  }

  /// Returns the applications of a question that can open a link, or the rejection if the question names some and none can.
  private func usable(
    _ choices: [RouteAction.Choice], of route: PromptingRoute, for request: OpenRequest,
    _ trace: inout DecisionTrace
  ) -> Result<[ApplicationID], Refusal> {
    var (usable, refusals) = ([ApplicationID](), [Refusal]())
    for (name, verdict) in choices.flatMap({ applications.verdicts(on: $0, of: request, &trace) }) {
      switch verdict {
      case .deliver(let target): usable.append(target.id)
      case .refuse(.browsersNotListed): return .failure(.browsersNotListed)
      case .refuse(let refusal):
        trace.note(.candidate, "\(name) is not offered: \(refusal)")
        refusals.append(refusal)
      case .run, .ask: break
      }
    }
    usable = usable.unique
    guard usable.isEmpty, let first = refusals.first else { return .success(usable) }
    guard refusals.count > 1 else { return .failure(first) }
    return .failure(
      .noApplication(
        "the applications of the route “\(route.name)”",
        reason: refusals.map(\.description).joined(separator: "; ")))
  }

  /// Returns the verdict of a route that runs a program.
  private func run(_ argv: [ActionTemplate], by found: MatchedRoute) -> Decision.Verdict {
    let (request, route) = (found.request, found.match.route)
    if let refusal = found.refusalOfSandboxedCaller { return .refuse(refusal) }
    var arguments: [String] = []
    for element in argv {
      guard
        let text = element.filled(
          by: found.match, url: found.url.text, source: request.placeholderSource?.rawValue)
      else { continue }
      // Only arguments with captures are checked, because the author of the route is responsible for literal
      // arguments.
      if element.hasPlaceholders, let refusal = SchemePolicy.refusal(ofArgument: text) {
        return .refuse(refusal)
      }
      arguments.append(text)
    }
    let name = arguments.first ?? ""
    guard let program = applications.programs.find(name) else {
      return .refuse(
        .noProgram(
          "the program of the route “\(route.id)”",
          reason: "\(name) \(applications.programs.whyNotFound(name))"))
    }
    return .run(RouteCommand([program] + arguments.dropFirst(), route: route.id))
  }
}
