// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// The actions of routes that match a URL.
struct RouteActions: Sendable {
  /// Returns the rejection of a URL, or the question about it, that its rules demand if no route unwraps or cleans it; `nil` if they
  /// would open it.
  typealias Restriction = (_ found: MatchedRoute, _ trace: inout DecisionTrace) -> Decision.Verdict?

  let applications: InstalledApplications
  let consentPolicy: ConsentPolicy

  /// Carries out the action of a route; returns `nil` if the routes after it decide.
  func carryOut(
    _ found: MatchedRoute, consent: inout Consent, _ trace: inout DecisionTrace, restriction: Restriction
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
      return rewrite(by: found, &trace, restriction: restriction)
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
    let (request, caller, normalized) = (found.request, found.request.caller, found.normalized)
    guard offered.isEmpty || !request.isUniversalLinksOnly else {
      found.note("asks which application opens it, so no application owns the link", &trace)
      return .refuse(.noUniversalLink)
    }
    found.note(
      offered.isEmpty ? "asks whether it may be opened" : "asks which application opens it", &trace)
    let route = PromptingRoute(found.match.route)
    // The user chooses no application for a URL that only contains the one that is opened.
    guard offered.isEmpty || !request.state.ignoresUnwrapping else {
      return .ask(
        Question(.route(route), about: normalized.url, from: caller.source, choices: [.usherHandler]))
    }
    let choices: [ApplicationID]
    switch usable(offered, of: route, for: request, &trace) {
    case .success(let usable): choices = usable
    case .failure(let refusal): return .refuse(refusal)
    }
    // The URL whose host the route names, so that the user sees that host, and the answer is stored for it.
    let asked = normalized.reading(of: found.match)?.url ?? normalized.url
    let scope = GrantScope(
      remember, route: route, asked, from: caller.questioner, in: caller.container?.scope,
      on: caller.source.machine, isSandboxed: caller.source.mayBeSandboxed)
    var question = Question(
      .route(route), about: asked, from: caller.identifiedSource, in: caller.container, choices: choices,
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
          by: found.match, url: found.url.text, source: request.caller.placeholderSource?.rawValue)
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

  /// Returns the URL that a route makes of another; `nil` if it keeps it, so that the routes after it decide.
  ///
  /// A route that unwraps or cleans a URL yields to a rule that rejects the URL itself.
  private func rewrite(
    by found: MatchedRoute, _ trace: inout DecisionTrace, restriction: Restriction
  ) -> PassResult? {
    let (match, request, url) = (found.match, found.request, found.url)
    let isShown = match.route.secretCaptures.isEmpty && !trace.hidesPart
    // The new URL may contain a secret part of this one, so its explanation must not appear either.
    if !isShown { trace.tellsWhy = false }
    if match.action.keepsDenials, let verdict = restriction(found, &trace) {
      found.note(
        "does not \(match.action.unwraps ? "unwrap" : "clean") it, because another rule rejects the link itself, or asks the user about it",
        &trace)
      return .verdict(verdict)
    }
    switch match.rewriting(of: url, source: request.caller.placeholderSource?.rawValue) {
    case .wrapped(let reason):
      found.note("does not unwrap it, because \(reason)", &trace)
      return nil
    case .invalid:
      found.note("would rewrite it to an invalid URL", &trace)
      return .verdict(.refuse(.denied(reason: "the route “\(match.route.id)” rewrites it to an invalid URL")))
    case .unchanged where !request.state.isSharedFile && sharesFile(match.route, url, as: url):
      found.note("says that the machine has the same file", &trace)
      return .rewritten(
        url, by: PromptingRoute(match.route).name, isFinal: match.route.rank == .finalAdministrator,
        unwraps: false, isShared: true)
    case .unchanged, nil:
      found.note(
        match.action.comesFirst ? "keeps it as it is" : "rewrites it to itself and has no effect", &trace)
      return nil
    case .url(let next):
      let verb = match.action.unwraps ? "unwraps" : match.action.comesFirst ? "cleans" : "rewrites"
      found.note("\(verb) it to \(isShown ? next.redacted : "another URL, which is not shown")", &trace)
      let isShared = sharesFile(match.route, url, as: next)
      if request.caller.source.machine != nil, next.scheme == "file", !isShared, !request.state.isSharedFile {
        found.note(
          "does not say that this is a file of the machine: only a route of the user or the administrator does, if it rewrites file: to a "
            + "path without . and .. segments, and names the machine in source.remote without *",
          &trace)
      }
      return .rewritten(
        next, by: PromptingRoute(match.route).name, isFinal: match.route.rank == .finalAdministrator,
        unwraps: match.action.unwraps, isShared: isShared)
    }
  }
}

/// Returns whether a route says that a file of another machine is a file of this one.
private func sharesFile(_ route: Route<RouteAction>, _ url: URLString, as next: URLString) -> Bool {
  url.scheme == "file" && next.scheme == "file" && route.sharesFiles && next.hasPlainPath
}

extension Route<RouteAction> {
  /// A Boolean value that indicates whether the route may say that files of another machine are here: it is the user's or the
  /// administrator's, and names each machine.
  fileprivate var sharesFiles: Bool {
    guard rank == .user || rank == .administrator || rank == .finalAdministrator,
      let remote = conditions.first(where: { $0.name == RouteCondition.Name.remote })
    else { return false }
    return !remote.written.isEmpty && !remote.written.contains { $0.contains("*") }
  }
}

extension URLString {
  /// A Boolean value that indicates whether the URL names a local file by a path without `.` and `..` segments, in any spelling.
  fileprivate var hasPlainPath: Bool {
    guard case .path(let path)? = FileURL.place(of: text) else { return false }
    return path.split(separator: UInt8(ascii: "/")).allSatisfy { $0 != [0x2E] && $0 != [0x2E, 0x2E] }
  }
}
