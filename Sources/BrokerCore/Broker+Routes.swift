// SPDX-License-Identifier: Apache-2.0
import Freedesktop
public import RouteTables

extension Broker {
  /// Returns the result of the first route that decides a URL; `nil` if no route does.
  ///
  /// The layers follow each other in this order: final routes of the administrator, routes of all files that clean URLs, routes of the
  /// user, of the administrator, and of the vendors. After an `allow`, the later layers only choose the application that opens the
  /// URL.
  func byRoutes(
    _ normalized: NormalizedURL, request: OpenRequest, consent: inout Consent,
    _ trace: inout DecisionTrace
  ) -> Round? {
    let url = normalized.original
    let stories = self.stories(of: normalized, request, &trace)
    for rank in PolicyLayer.allCases {
      guard rank != .cleaning else {
        if let round = byCleaning(normalized, request: request, &trace) { return round }
        continue
      }
      guard let layer = layers.first(where: { $0.owner.rank(isFinal: rank == .finalAdministrator) == rank })
      else { continue }
      if let file = layer.lockedBy {
        trace.note(.routes, "the \(layer.owner.rawValue)'s routes are disabled by \(file)")
        continue
      }
      if let refusal = layer.refusal(byGapOf: rank, normalized: normalized, consent: consent, &trace) {
        return .verdict(.refuse(refusal))
      }
      let below = rank == .administrator ? layer.belowFinal : nil
      let table = layer.table(of: rank, unwraps: !request.ignoresUnwrapping)
      guard !table.routes.isEmpty else { continue }
      var found: RouteMatch<RouteAction>?
      do throws(RouteTableError) {
        found = try match(normalized, request, in: table)
        if let wrapped = found, case .wrapped(let reason)? = wrapped.rewriting(of: url, source: nil) {
          trace.note(
            .routes,
            "the \(layer.owner.rawValue)'s route “\(wrapped.route.id)” (\(wrapped.route.location)) does not unwrap it, because \(reason)"
          )
          // Otherwise the author of a link could use the route to avoid a broader one of its layer that denies.
          found = try match(normalized, request, in: layer.table(of: rank, unwraps: false))
        }
      } catch {
        let values = context(of: url, request, for: table)
        let verified = request.withoutUnverifiedClaims.map { context(of: url, $0, for: table) }
        // The loop visits the administrator's layer twice; the first visit already rejected the URL if a route may
        // forbid it.
        if rank != .administrator {
          if case .uncertainHost(let reason) = error.reason {
            trace.note(.routes, "the \(layer.owner.rawValue)'s routes cannot compare the host: \(reason)")
            return .verdict(.refuse(.unreadable(reason: reason)))
          }
          trace.note(
            .routes,
            "the \(layer.owner.rawValue)'s routes cannot parse the URL, so only its scheme and host are compared: \(error)"
          )
          if let route = table.forbiddingUnreadable(
            normalized.compared, normalized.authority, when: values, verified: verified)
          {
            return .verdict(
              .refuse(
                .denied(
                  reason:
                    "the \(layer.owner.rawValue)'s route “\(route.id)” (\(route.location)) may forbid the link, which cannot be parsed: \(error)"
                )))
          }
        }
        // Of the two visits to the administrator's layer, only the second applies an `allow`.
        if rank != .finalAdministrator,
          let route = table.allowingUnreadable(
            normalized.compared, normalized.authority, when: values, verified: verified)
        {
          trace.note(
            .routes,
            "the \(layer.owner.rawValue)'s route “\(route.id)” (\(route.location)) allows it, as every URL of the scheme"
          )
          consent = Consent(isGiven: true, isCallerAuthorized: true)
        }
        continue
      }
      guard let found else {
        if rank != .finalAdministrator {
          trace.note(.routes, "no route of the \(layer.owner.rawValue) matches")
          for line in stories?.nearMisses(in: layer.owner) ?? [] { trace.note(.routes, line) }
          trace.routes += stories?.routesNearlyMatching(in: layer.owner) ?? []
        }
        continue
      }
      // The whole table of the administrator contains final and other routes; the winner decides to which visit the
      // match belongs.
      guard (found.route.rank == .finalAdministrator) == (rank == .finalAdministrator) else { continue }
      let kind = found.route.rank == .finalAdministrator ? "final route" : "route"
      let title = "the \(layer.owner.rawValue)'s \(kind) “\(found.route.id)”"
      let other = normalized.reading(of: found)
      if let other {
        let reading = other.url.host.map { ", which makes the host \($0)" } ?? ""
        trace.note(.request, "\(other.reader)\(reading), so routes that deny or ask compare that too")
      }
      // The reasons are computed for the whole table and the written URL, so they do not apply to the table without
      // final routes, or to another reading.
      let own = below == nil && other == nil ? stories : nil
      let (tellsWhy, wasAllowed) = (trace.tellsWhy, consent.isGiven)
      let round = carryOut(
        found, titled: title, why: own?.reasons(in: layer.owner) ?? [], normalized: normalized,
        request: request, consent: &consent, &trace)
      if tellsWhy, round != nil || consent.isGiven != wasAllowed, !isOverridden(found, by: request) {
        trace.decides(found, over: own?.routesBeside(winnerIn: layer.owner) ?? [])
      }
      if let round { return round }
    }
    return nil
  }

  /// Returns the explanations of all layers for a URL, or `nil` if the decision does not record reasons.
  ///
  /// The result is also `nil` for a caller that may be sandboxed, because the hidden parts of a URL would reveal which
  /// routes exist.
  private func stories(
    of normalized: NormalizedURL, _ request: OpenRequest, _ trace: inout DecisionTrace
  ) -> LayerExplanations? {
    guard trace.tellsWhy, !request.source.mayBeSandboxed else { return nil }
    let stories = LayerExplanations(normalized.url.text, of: normalized.original.text, layers) {
      context(of: normalized.original, request, for: $0)
    }
    if trace.shownURL == nil { trace.shownURL = stories.url }
    trace.hidesPart = stories.hidesPart
    for note in stories.notes { trace.note(.request, note) }
    return stories
  }

  /// A Boolean value that indicates whether a route has a condition on running applications, so that `OpenRequest.running` must be set.
  public var asksWhatRuns: Bool {
    layers.contains { layer in
      layer.table.conditionNames.contains {
        $0 == RouteCondition.Name.running || RouteCondition.target(ofName: $0) != nil
      }
    }
  }

  /// A Boolean value that indicates whether a route has a condition on the installation of the source, so that `OpenRequest.source` must include it.
  public var asksForInstallation: Bool {
    layers.contains { $0.table.conditionNames.contains(RouteCondition.Name.installed) }
  }

  /// Returns the match of a URL in one table.
  ///
  /// What is installed is looked up only for the routes that would otherwise win, because a lookup may read files.
  private func match(
    _ normalized: NormalizedURL, _ request: OpenRequest, in table: RouteTable<RouteAction>
  ) throws(RouteTableError) -> RouteMatch<RouteAction>? {
    let url = normalized.original
    let verified = request.withoutUnverifiedClaims
    guard verified == nil, normalized.compared.otherReadings.isEmpty else {
      // Of several readings and claims, a route may restrict the URL although another one wins it.
      return try table.match(
        normalized.compared, when: context(of: url, request, for: table),
        verified: verified.map { context(of: url, $0, for: table) })
    }
    var values = context(of: url, request, for: table, assumingInstalled: true)
    var known: [String: Bool] = [:]
    while true {
      let found = try table.match(normalized.compared, when: values, verified: nil)
      let missing = found?.route.conditions.first { condition in
        guard let target = InstalledTarget(conditionName: condition.name) else { return false }
        let isInstalled = known[condition.name] ?? isInstalled(target, for: url, request)
        known[condition.name] = isInstalled
        return !isInstalled
      }
      // Without the route that needs it, the next narrower route wins, as if the condition had been known from the start.
      guard let missing else { return found }
      values[missing.name] = nil
    }
  }

  /// Returns whether the target of a route with `target = "installed"` can be started; `true` if the target depends on the link.
  public func isInstalled(_ target: InstalledTarget) -> Bool {
    guard target != .opener, let url = try? URLString("installed:") else { return true }
    return isInstalled(target, for: url, OpenRequest(urls: [url]))
  }

  /// Returns whether a target of a condition can be started.
  func isInstalled(_ target: InstalledTarget, for url: URLString, _ request: OpenRequest) -> Bool {
    var trace = DecisionTrace(tellsSteps: false)
    switch target {
    case .application(let name):
      guard let id = resolver.catalog.id(spelled: name) else { return false }
      return entry(of: programID(of: id), &trace).opens
    case .browser(let name):
      let verdict = browser(BrowserTarget(name), of: request, &trace)
      // The route then decides, and the decision is repeated with the list of browsers.
      if case .refuse(.browsersNotListed) = verdict { return true }
      return verdict.opens
    case .handler(let scheme):
      guard let scheme = URLScheme(scheme) else { return false }
      return handler(of: scheme, &trace).opens
    case .program(let name): return programs.find(name) != nil
    case .opener:
      if let target = request.target { return entry(of: programID(of: target), &trace).opens }
      return applicationWithoutRoutes(url, request) != nil
    }
  }

  /// Returns whether the decision on a URL may look up what is installed.
  func asksWhatIsInstalled(for url: URLString) -> Bool {
    guard layers.contains(where: \.asksWhatIsInstalled) else { return false }
    guard let authority = try? URLAuthority(url.text) else { return true }
    return layers.contains { $0.asksWhatIsInstalled(for: authority) }
  }

  /// Returns the values of the conditions that the routes of `table` use, by condition name.
  ///
  /// - Parameter assumingInstalled: Whether everything counts as installed, so that no file is read.
  private func context(
    of url: URLString, _ request: OpenRequest, for table: RouteTable<RouteAction>,
    assumingInstalled: Bool = false
  ) -> [String: String] {
    guard !table.conditionNames.isEmpty else { return [:] }
    var context = request.context
    for name in table.conditionNames {
      if let target = InstalledTarget(conditionName: name) {
        if assumingInstalled || isInstalled(target, for: url, request) {
          context[name] = InstalledTarget.value
        }
        continue
      }
      if name == RouteCondition.Name.running {
        context[name] = RunningApplications.value(of: request.running.map(\.rawValue))
      }
      guard let target = RouteCondition.target(ofName: name) else { continue }
      let id =
        target.isEmpty
        ? request.target ?? applicationWithoutRoutes(url, request) : resolver.catalog.id(spelled: target)
      if let id, request.running.contains(id) { context[name] = "running" }
    }
    return context
  }

  /// Returns whether a caller that names a target overrides the choice of a route.
  private func isOverridden(_ match: RouteMatch<RouteAction>, by request: OpenRequest) -> Bool {
    request.target != nil && match.route.rank != .finalAdministrator && match.action.selectsApplication
  }

  private func carryOut(
    _ match: RouteMatch<RouteAction>, titled title: String, why: [String],
    normalized: NormalizedURL, request: OpenRequest, consent: inout Consent,
    _ trace: inout DecisionTrace
  ) -> Round? {
    let url = normalized.original
    func note(_ what: String) {
      trace.note(.routes, "\(title) (\(match.route.location)) \(what)")
      for reason in why { trace.note(.routes, reason) }
    }
    if match.action.selectsApplication, weighsSource(match.route, of: request) {
      consent.isCallerAuthorized = true
    }
    if let target = request.target, isOverridden(match, by: request) {
      note("chooses an application, but the caller requested \(target)")
      return .verdict(asked(for: target, url: url, request: request, &trace))
    }
    switch match.action {
    case .open(let application):
      note("opens it with \(application)")
      return .verdict(open(application, performing: nil, of: request, &trace))
    case .browse(let target):
      note("opens it with \(target)")
      return .verdict(browser(target, of: request, &trace))
    case .perform(let application, let action):
      note("lets \(application) perform “\(action)”")
      if let refusal = refusal(toSandboxed: request, of: match.route) { return .verdict(.refuse(refusal)) }
      return .verdict(open(application, performing: action, of: request, &trace))
    case .exec(let argv):
      note("runs a program for it")
      if let refusal = refusal(toSandboxed: request, of: match.route) { return .verdict(.refuse(refusal)) }
      var arguments: [String] = []
      for element in argv {
        guard let text = element.filled(by: match, url: url.text, source: request.source.id?.rawValue) else {
          continue
        }
        // Only arguments with captures are checked, because the author of the route is responsible for literal
        // arguments.
        if element.hasPlaceholders, let refusal = SchemePolicy.refusal(ofArgument: text) {
          return .verdict(.refuse(refusal))
        }
        arguments.append(text)
      }
      return .verdict(run(arguments, of: match.route.id))
    case .rewrite:
      let isShown = match.route.secretCaptures.isEmpty && !trace.hidesPart
      // The new URL may contain a secret part of this one, so its explanation must not appear either.
      if !isShown { trace.tellsWhy = false }
      if match.action.keepsDenials, let restriction = restriction(of: url, before: match, request, &trace) {
        note(
          "does not \(match.action.unwraps ? "unwrap" : "clean") it, because another rule rejects the link itself, or asks the user about it"
        )
        return .verdict(restriction)
      }
      return rewrite(match, url: url, request: request, isShown: isShown, note: note)
    case .ask(let applications, let remember):
      if applications.isEmpty, consent.isGiven { return nil }
      guard applications.isEmpty || !request.isUniversalLinksOnly else {
        note("asks which application opens it, so no application owns the link")
        return .verdict(.refuse(.noUniversalLink))
      }
      note(applications.isEmpty ? "asks whether it may be opened" : "asks which application opens it")
      // The user chooses no application for a URL that only contains the one that is opened.
      guard applications.isEmpty || !request.ignoresUnwrapping else {
        let choice = Question(
          .route(PromptingRoute(match.route)), about: normalized.url, from: request.source,
          choices: [.usherHandler])
        return .verdict(.ask(choice))
      }
      let asking = PromptingRoute(match.route)
      let choices: [ApplicationID]
      switch usable(applications, of: asking, for: request, &trace) {
      case .success(let usable): choices = usable
      case .failure(let refusal): return .verdict(.refuse(refusal))
      }
      // The URL whose host the route names, so that the user sees that host, and the answer is stored for it.
      let asked = normalized.reading(of: match)?.url ?? normalized.url
      let scope = GrantScope(
        remember, route: asking, asked, from: request.questioner, in: request.container?.scope,
        on: request.source.machine, isSandboxed: request.source.mayBeSandboxed)
      var question = Question(
        .route(asking), about: asked, from: request.source, in: request.container,
        choices: choices, keptFor: scope)
      question.isUnstorable = scope == nil && !remember.isEmpty
      return put(question, request: request, consent: &consent, &trace).map { .verdict($0) }
    case .deny(let reason):
      if consent.isGiven {
        note("denies it, but an earlier rule allows it")
        return nil
      }
      note("denies it: \(reason)")
      return .verdict(.refuse(.denied(reason: "\(title) denies the link: \(reason)")))
    case .allow:
      note("allows it")
      consent = Consent(isGiven: true, isCallerAuthorized: true)
      return nil
    case .handler:
      // Handlers belong to applications that use `RouteTables`; in the broker's directories such a route has no effect.
      note("names a handler inside an application and has no effect here")
      return nil
    }
  }

  /// Returns the applications of a question that can open a link, or the rejection if the question names some and none can.
  private func usable(
    _ choices: [RouteAction.Choice], of route: PromptingRoute, for request: OpenRequest,
    _ trace: inout DecisionTrace
  ) -> Result<[ApplicationID], Refusal> {
    var (usable, refusals) = ([ApplicationID](), [Refusal]())
    for (name, verdict) in choices.flatMap({ verdicts(on: $0, of: request, &trace) }) {
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

  func open(
    _ application: String, performing action: String?, of request: OpenRequest,
    _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    guard let id = resolver.catalog.id(spelled: application) else {
      return .refuse(.noApplication(application, reason: "it is not a desktop-file ID"))
    }
    return self.application(id, performing: action, of: request, &trace)
  }

  private func run(_ arguments: [String], of route: String) -> Decision.Verdict {
    guard let name = arguments.first, let program = programs.find(name) else {
      let name = arguments.first ?? ""
      return .refuse(
        .noProgram("the program of the route “\(route)”", reason: "\(name) \(programs.whyNotFound(name))"))
    }
    return .run(RouteCommand([program] + arguments.dropFirst(), route: route))
  }

  /// Returns the URL that a route of any layer makes of `url` before other routes decide; `nil` if none does.
  ///
  /// The first route of the first layer decides; it may also keep the URL as it is. What cannot be unwrapped is left to the others.
  private func byCleaning(
    _ normalized: NormalizedURL, request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Round? {
    // The application that a caller names gets the URL as the caller sent it.
    guard request.target == nil, !request.ignoresUnwrapping else { return nil }
    for layer in layers where layer.lockedBy == nil {
      for table in [layer.cleaning, layer.cleaningWithoutUnwrapping].compactMap(\.self) {
        // A URL that cannot be read is left to the routes that may forbid it.
        guard let found = try? match(normalized, request, in: table) else { break }
        let title = "the \(layer.owner.rawValue)'s route “\(found.route.id)”"
        // A route that cleans URLs authorizes no caller.
        var consent = Consent()
        let tellsWhy = trace.tellsWhy
        if let round = carryOut(
          found, titled: title, why: [], normalized: normalized, request: request, consent: &consent, &trace)
        {
          if tellsWhy { trace.decides(found, over: []) }
          return round
        }
        if case .unchanged? = found.rewriting(of: normalized.original, source: nil) { return nil }
      }
    }
    return nil
  }

  /// Returns the rejection of a URL, or the question about it, that its rules demand if no route unwraps or cleans it; `nil` if they
  /// would open it.
  ///
  /// A rule that denies a URL also denies what the URL leads to. The question of the broker's own policy and the choice of an application
  /// do not count, because they are repeated for the URL that is opened. Neither does the question of a route that also asks about the
  /// cleaned URL.
  private func restriction(
    of url: URLString, before match: RouteMatch<RouteAction>, _ request: OpenRequest,
    _ trace: inout DecisionTrace
  ) -> Decision.Verdict? {
    var wrapped = request
    wrapped.ignoresUnwrapping = true
    if asksAgain(about: match, of: url, wrapped) { return nil }
    var silent = DecisionTrace(tellsSteps: false)
    silent.answered = trace.answered
    let decision = walk(url, of: wrapped, silent)
    trace.answered = decision.answered
    trace.isAllowedByUser = trace.isAllowedByUser || decision.isAllowedByUser
    switch decision.verdict {
    case .refuse(let refusal): return refusal.isByRule ? decision.verdict : nil
    case .ask(let question): return question.choices.isEmpty ? decision.verdict : nil
    case .deliver, .run: return nil
    }
  }

  /// Returns whether one route asks about a URL that is to be cleaned and also about the cleaned URL.
  private func asksAgain(
    about match: RouteMatch<RouteAction>, of url: URLString, _ request: OpenRequest
  ) -> Bool {
    guard !match.action.unwraps, case .url(let next)? = match.rewriting(of: url, source: nil) else {
      return false
    }
    // Whether a question is asked must not depend on its answer.
    var unanswered = request
    (unanswered.answers, unanswered.grants, unanswered.answer) = ([:], [], nil)
    func asker(about url: URLString) -> Question.Reason? {
      let decision = walk(url, of: unanswered, DecisionTrace(tellsSteps: false))
      guard case .ask(let question) = decision.verdict, question.choices.isEmpty else { return nil }
      return question.reason
    }
    guard let first = asker(about: url) else { return false }
    return asker(about: next) == first
  }

  private func rewrite(
    _ match: RouteMatch<RouteAction>, url: URLString, request: OpenRequest, isShown: Bool,
    note: (String) -> Void
  ) -> Round? {
    switch match.rewriting(of: url, source: request.source.id?.rawValue) {
    case .wrapped(let reason):
      note("does not unwrap it, because \(reason)")
      return nil
    case .invalid:
      note("would rewrite it to an invalid URL")
      return .verdict(.refuse(.denied(reason: "the route “\(match.route.id)” rewrites it to an invalid URL")))
    case .unchanged where !request.isSharedFile && sharesFile(match.route, url, as: url):
      note("says that the machine has the same file")
      return .rewritten(
        url, by: PromptingRoute(match.route).name, isFinal: match.route.rank == .finalAdministrator,
        unwraps: false, isShared: true)
    case .unchanged, nil:
      note(match.action.comesFirst ? "keeps it as it is" : "rewrites it to itself and has no effect")
      return nil
    case .url(let next):
      let verb = match.action.unwraps ? "unwraps" : match.action.comesFirst ? "cleans" : "rewrites"
      note("\(verb) it to \(isShown ? next.redacted : "another URL, which is not shown")")
      let isShared = sharesFile(match.route, url, as: next)
      if request.source.machine != nil, next.scheme == "file", !isShared, !request.isSharedFile {
        note(
          "does not say that this is a file of the machine: only a route of the user or the administrator does, if it rewrites file: to a "
            + "path without . and .. segments, and names the machine in source.remote without *")
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

extension RouteAction {
  /// A Boolean value that indicates whether the action chooses the application or the URL, which a caller overrides by naming a target.
  fileprivate var selectsApplication: Bool {
    switch self {
    case .open, .browse, .perform, .exec, .rewrite: true
    case .ask, .allow, .deny, .handler: false
    }
  }
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

extension RouteLayer.Owner {
  /// Returns the policy layer of this owner's routes.
  func rank(isFinal: Bool) -> PolicyLayer {
    switch self {
    case .user: .user
    case .administrator: isFinal ? .finalAdministrator : .administrator
    case .vendor: .vendor
    }
  }
}

extension RouteLayer {
  /// Returns the rejection of a URL that an invalid rule of `rank` may forbid; `nil` if there is no such rule.
  ///
  /// Adds the location of that rule to the explanation.
  fileprivate func refusal(
    byGapOf rank: PolicyLayer, normalized: NormalizedURL, consent: Consent, _ trace: inout DecisionTrace
  ) -> Refusal? {
    let isFinal = rank == .finalAdministrator
    guard isFinal || !consent.isGiven,
      let gap = gaps.first(where: {
        $0.isFinal == isFinal && $0.mayCover(normalized.compared, normalized.authority)
      })
    else { return nil }
    trace.note(
      .routes, "a rule of the \(owner.rawValue) with an error may forbid it (\(gap.location))")
    return .denied(reason: gap.reason)
  }
}
