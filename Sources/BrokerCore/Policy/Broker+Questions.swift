// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// The origin of an answer.
private enum AnswerOrigin: String {
  /// The user was prompted for this request.
  case now = ""
  case caller = " (stated by the caller)"
  case grant = " (stored answer)"
}

extension Broker {
  /// Evaluates a question with the known answers.
  ///
  /// Returns the verdict, or `nil` if the user has allowed the URL and the decision continues. If no answer is known,
  /// the verdict is `ask`, or a rejection if the prompt failed before.
  func put(
    _ question: Question, request: OpenRequest, consent: inout Consent, _ trace: inout DecisionTrace
  ) -> Decision.Verdict? {
    var question = question
    if let reason = Self.eachLinkReason(for: question.url, of: request) {
      question = question.askedEachTime(because: reason)
    }
    if let file = grantsLockedBy {
      question = question.unstored(because: file)
      trace.note(.request, "stored answers are ignored, because grants are disabled by \(file)")
    }
    guard let (answer, how, grant) = known(question, request: request, &trace) else {
      if let obstacle = request.obstacles[question.identity] { return .refuse(.denied(reason: obstacle)) }
      return request.unanswered[question.identity].map { .refuse(.declined(reason: $0)) } ?? .ask(question)
    }
    if answer != .no, how == .now { trace.isAllowedByUser = true }
    switch answer {
    case .no:
      trace.note(.request, "the user refused the link\(how.rawValue)")
      let reason = grant.map(Self.refusal) ?? "the user refused it"
      return .refuse(how == .now ? .declined(reason: reason) : .denied(reason: reason))
    case .yes:
      trace.note(.request, "the user allowed the link\(how.rawValue)")
      consent = Consent(isGiven: true, isCallerAuthorized: true)
      return nil
    case .application(let id):
      trace.note(.request, "the user chose \(id)\(how.rawValue)")
      consent = Consent(isGiven: true, isCallerAuthorized: true)
      return applications.application(id, of: request, &trace)
    }
  }

  /// Returns the reason for which the user is asked about each such link of another machine; `nil` if stored answers apply.
  private static func eachLinkReason(for url: URLString, of request: OpenRequest) -> Question.EachLinkReason?
  {
    guard request.source.machine != nil else { return nil }
    if leadsIntoLocalNetwork(url) { return .localNetwork }
    // The user is asked about a further sign-in anyway.
    guard request.signInWaits, ["http", "https"].contains(url.scheme),
      LoopbackRedirect.Reading(url) == .absent
    else { return nil }
    return .waitingSignIn
  }

  /// Web links whose host is this machine or in one of its private networks.
  private static let localNetworkPattern = try? RoutePattern(
    "{:http|https|ws|wss|ftp}://{host:local-network}/{path...?}")

  /// Returns whether a link of the web leads to this machine or into one of its private networks.
  private static func leadsIntoLocalNetwork(_ url: URLString) -> Bool {
    guard let pattern = localNetworkPattern, let authority = try? URLAuthority(url.text) else { return true }
    return pattern.mayMatch(authority)
  }

  /// Returns the answer to a question, its origin, and the grant that it comes from; `nil` if it is unknown.
  private func known(
    _ question: Question, request: OpenRequest, _ trace: inout DecisionTrace
  ) -> (Answer, how: AnswerOrigin, grant: Grant?)? {
    if let answer = request.answers[question.identity], question.takes(answer) { return (answer, .now, nil) }
    // The answer that a sandboxed caller reports is not credible, because the caller could invent it.
    if !request.source.mayBeSandboxed,
      let word = request.answer(toQuestion: trace.answered.count),
      let answer = Answer(word, applications.catalog), question.takes(answer)
    {
      trace.answered.append(.init(question: question, answer: answer))
      return (answer, .now, nil)
    }
    // A caller outside a sandbox may name any target, so a target among the choices counts as its answer.
    if !request.source.mayBeSandboxed, let target = request.target, question.choices.contains(target) {
      return (.application(target), .caller, nil)
    }
    let grants = request.grants.filter { grant in
      (grant.scope == question.scope || grant.scope == question.refusingScope && grant.answer == .no)
        && question.takes(grant.answer)
        && (grant.scope.source == nil || grant.assurance <= request.source.assurance)
    }
    return grants.max { $0.assurance < $1.assurance }.map { ($0.answer, .grant, $0) }
  }

  /// Returns the `ask` routes with a name.
  ///
  /// - Parameters:
  ///   - name: `owner/id`, or the ID alone.
  ///   - browsers: The installed browsers.
  public func askingRoutes(named name: String, browsers: [InstalledBrowser] = []) -> [AskingRoute] {
    layers.flatMap(\.table.routes).compactMap { route in
      guard case .ask(let choices, let remembered) = route.action else { return nil }
      let asking = PromptingRoute(route)
      guard route.id == name || asking.name == name else { return nil }
      return AskingRoute(
        route: asking, choices: choices.flatMap { applications.ids(of: $0, browsers: browsers) }.unique,
        remembered: remembered)
    }
  }

  /// Returns whether an `ask` route with a name offers browsers, which must then be listed.
  public func offersBrowsers(inRouteNamed name: String) -> Bool {
    layers.flatMap(\.table.routes).contains { route in
      guard case .ask(let choices, _) = route.action,
        route.id == name || PromptingRoute(route).name == name
      else { return false }
      return choices.contains { if case .application = $0 { false } else { true } }
    }
  }

  /// Returns whether the rule of a scope may ask about a URL that the scope covers, from a source with at least `assurance`.
  public func mayAsk(about scope: GrantScope, _ assurance: Assurance) -> Bool {
    if let scheme = scope.scheme {
      let isRefused = SchemePolicy.refusal(of: scheme) != nil || scope.isSandboxed && scheme == "file"
      guard !isRefused else { return false }
    }
    guard case .route(let asking) = scope.asker else { return true }
    return layers.flatMap(\.table.routes).contains { route in
      PromptingRoute(route) == asking
        && route.patterns.contains { pattern in
          scope.scheme.map(pattern.mayMatch(scheme:)) ?? true && scope.mayMatchHost(of: pattern)
        }
        && route.conditions.allSatisfy { scope.meets($0, assurance) != .never }
    }
  }

  /// Returns the administrator's final routes that deny URLs of a grant, and whether they certainly deny all of them.
  ///
  /// - Parameters:
  ///   - scope: The scope of the grant.
  ///   - assurance: The minimum assurance of its source.
  public func finalDenials(of scope: GrantScope, _ assurance: Assurance) -> (routes: [String], denyAll: Bool)
  {
    guard let scheme = scope.scheme else { return ([], false) }
    let final = layers.flatMap(\.table.routes).filter { $0.rank == .finalAdministrator }
    let concerned = final.filter { route in
      route.patterns.contains { $0.mayMatch(scheme: scheme) && scope.mayMatchHost(of: $0) }
        && route.conditions.allSatisfy { scope.meets($0, assurance) != .never }
    }
    let denials = concerned.filter { if case .deny = $0.action { true } else { false } }
    let denyAll = denials.contains { route in
      // A denial precedes every other final route except those that name it in `wins_over`.
      let isWithoutException = concerned.allSatisfy { other in
        !other.winsOver.contains {
          $0 == "\(route.owner)/\(route.id)" || other.owner == route.owner && $0 == route.id
        }
      }
      return isWithoutException && route.conditions.allSatisfy { scope.meets($0, assurance) == .always }
        && RoutePattern.cover(route.patterns, scheme: scheme)
    }
    return (denials.map { PromptingRoute($0).name }, denyAll)
  }

  /// Returns the reason of a stored refusal, as a sentence for the user.
  private static func refusal(by grant: Grant) -> String {
    let time = grant.lastDay.map { "until \($0) (UTC)" } ?? "without expiry"
    return
      "you have refused such links, and your answer is stored \(time); to be asked again, run: usher grants revoke \(grant.scope.options)"
  }

  /// Returns the question of the broker's own policy if no rule has authorized the caller; `nil` if no prompt is needed.
  ///
  /// A program of the same user outside a sandbox needs no consent for registered schemes, because it could start any
  /// application itself.
  func ownQuestion(_ url: URLString, _ request: OpenRequest) -> Question? {
    if request.source.mayBeSandboxed {
      var scope = request.questioner.map { GrantScope(source: $0, scheme: url.scheme, isSandboxed: true) }
      if scope == nil, let container = request.container?.scope {
        scope = GrantScope(container: container, scheme: url.scheme, isSandboxed: true)
      }
      if let machine = request.source.machine {
        // An answer about one file does not apply to other files, because the machine may write them.
        scope =
          request.isSharedFile ? nil : GrantScope(machine: machine, scheme: url.scheme, isSandboxed: true)
      }
      return Question(
        .sandbox, about: url, from: request.source, in: request.container, keptFor: scope)
    }
    guard !request.isByClick, let origin = request.origin.flatMap(WebOrigin.init) else { return nil }
    let scope =
      origin == .opaque ? nil : GrantScope(origin: origin, scheme: url.scheme, isSandboxed: false)
    return Question(.web(origin), about: url, from: request.source, keptFor: scope)
  }

  /// Returns whether the conditions of a route authorize the caller, so that no further prompt about it is needed.
  func weighsSource(_ route: Route<RouteAction>, of request: OpenRequest) -> Bool {
    route.conditions.contains { condition in
      switch condition.name {
      case RouteCondition.Name.source: maySettle(request.source)
      case RouteCondition.Name.origin: !request.source.mayBeSandboxed
      default: false
      }
    }
  }

  /// Returns whether a route that names this source may authorize it.
  ///
  /// For a sandboxed caller the name must come from the kernel or the user's service manager.
  private func maySettle(_ source: SourceApplication) -> Bool {
    !source.mayBeSandboxed || source.assurance >= .unit
  }

  /// Returns the rejection of a sandboxed caller by a route that runs a program or performs an action.
  ///
  /// Programs and actions can do anything, so a sandboxed application may use them only if the route names it.
  func refusal(toSandboxed request: OpenRequest, of route: Route<RouteAction>) -> Refusal? {
    guard request.source.mayBeSandboxed else { return nil }
    return route.rejection(ofSandboxedCaller: maySettle(request.source)).map { .denied(reason: $0) }
  }
}
