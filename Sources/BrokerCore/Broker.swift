// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// The policy of a desktop at one instant, and the function that decides URLs by it.
///
/// It uses no bus, no process and no clock. It reads the desktop's files through the resolver, and local files if the
/// request does not contain their MIME types.
public struct Broker: Sendable {
  let layers: [RouteLayer]
  let applications: InstalledApplications
  let handlers: DesktopHandlers
  let conditions: RouteConditionValues
  let consentPolicy: ConsentPolicy
  /// The file with which the administrator disables grants, or `nil`.
  ///
  /// If it is set, no answer is stored, and stored answers are ignored.
  public let grantsLockedBy: String?
  private let secrets: SecretURLs?

  /// Creates a broker that decides by `layers`, in their order, and then by the desktop's own files.
  public init(
    layers: [RouteLayer], resolver: ApplicationResolver, programs: ProgramSearch,
    grantsLockedBy: String? = nil
  ) {
    self.init(
      layers: layers, secrets: SecretURLs(of: layers),
      applications: InstalledApplications(in: resolver.catalog, programs: programs),
      handlers: DesktopHandlers(resolver), grantsLockedBy: grantsLockedBy)
  }

  private init(
    layers: [RouteLayer], secrets: SecretURLs?, applications: InstalledApplications,
    handlers: DesktopHandlers, grantsLockedBy: String?
  ) {
    self.layers = layers
    self.secrets = secrets
    self.applications = applications
    self.handlers = handlers
    conditions = RouteConditionValues(applications: applications, handlers: handlers)
    consentPolicy = ConsentPolicy(applications: applications, grantsLockedBy: grantsLockedBy)
    self.grantsLockedBy = grantsLockedBy
  }

  /// Returns this broker with a cache of its chosen handlers.
  func remembering(in choices: (any HandlerCaching)?) -> Broker {
    Broker(
      layers: layers, secrets: secrets, applications: applications,
      handlers: handlers.remembering(in: choices), grantsLockedBy: grantsLockedBy)
  }

  /// Returns this broker with a list of the installed browsers for requests without one.
  func listing(_ browsers: BrowserList) -> Broker {
    Broker(
      layers: layers, secrets: secrets, applications: applications.listing(browsers),
      handlers: handlers, grantsLockedBy: grantsLockedBy)
  }

  /// Returns whether a route declares a part of `url` secret, so that logs do not show its path.
  public func mayHaveSecret(_ url: URLString) -> Bool { secrets?.mayContain(url) ?? false }

  /// Decides one URL of a request.
  ///
  /// - Parameter tellsWhy: Whether the explanation names the routes that lost and those that nearly match, with secret
  ///   captures hidden. This takes some milliseconds.
  public func decide(_ url: URLString, of request: OpenRequest, tellsWhy: Bool = false) -> Decision {
    decide(url, of: request, DecisionTrace(tellsWhy: tellsWhy))
  }

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

  /// Passes one URL through the policy until a verdict is reached; each `rewrite` starts another pass.
  func walk(_ url: URLString, of request: OpenRequest, _ trace: DecisionTrace) -> Decision {
    let requested = url
    var (url, request, trace) = (url, request, trace)
    var rewriting: [String] = []
    var unwrapped = 0
    while true {
      url = unambiguous(url, &trace)
      // A rewritten URL may have a secret part of the one before.
      trace.hasSecret = trace.hasSecret || mayHaveSecret(url)
      switch round(url, request: request, &trace) {
      case .rewritten(let next, let route, let isFinal, let unwraps, let isShared):
        unwrapped += unwraps ? 1 : 0
        if isFinal, let target = request.target, !mayOpen(next, rewrittenFrom: url, target) {
          trace.note(
            .request,
            "\(target), which the caller requests, does not open it: its desktop entry does not declare the scheme \(next.scheme):, to which a final route rewrites"
          )
          request.target = nil
        }
        request.isSharedFile = next.scheme == "file" && (isShared || request.isSharedFile)
        url = next
        request.hops += 1
        rewriting.append(route)
      case .verdict(var verdict):
        var opener: ApplicationID?
        if case .ask(let question) = verdict {
          let consented = self.verdict(on: url, of: request, afterConsentTo: question)
          if case .deliver(let target) = consented { opener = target.id }
          if case .refuse(let refusal) = consented, !refusal.isProvisional,
            !request.ignoresUnwrapping || refusal.isByRule
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

  /// Returns the verdict on a URL if the user consents to `question`; `nil` if the question has choices.
  private func verdict(
    on url: URLString, of request: OpenRequest, afterConsentTo question: Question
  ) -> Decision.Verdict? {
    guard question.choices.isEmpty else { return nil }
    var request = request
    request.answers[question.identity] = .yes
    return decide(url, of: request, DecisionTrace(tellsSteps: false)).verdict
  }

  /// Returns the URL that is decided and opened in place of `url`, so that a program opens the path that routes compare.
  private func unambiguous(_ url: URLString, _ trace: inout DecisionTrace) -> URLString {
    let opened = url.withUnambiguousPath
    if opened != url { trace.note(.request, "the path is opened as \(opened.redacted)") }
    return opened
  }

  private func round(_ url: URLString, request: OpenRequest, _ trace: inout DecisionTrace) -> PassResult {
    guard request.hops <= OpenRequest.maximumHops else {
      return .verdict(.refuse(.tooManyHops(hops: request.hops)))
    }
    if request.source.mayBeSandboxed, request.source.machine == nil, url.scheme == "file" {
      return .verdict(
        .refuse(.denied(reason: "a sandboxed application may not open local files by their path")))
    }
    if request.source.mayBeSandboxed, request.desktopAction != nil {
      return .verdict(
        .refuse(.denied(reason: "a sandboxed application may not request a desktop action for a link")))
    }
    if let refusal = SchemePolicy.refusal(of: url.scheme) { return .verdict(.refuse(refusal)) }
    let normalized: NormalizedURL
    do { normalized = try NormalizedURL(url) } catch {
      return .verdict(.refuse(.unreadable(reason: error.reason)))
    }
    if url.text.utf8.contains(UInt8(ascii: "\\")) {
      trace.note(
        .request,
        "backslashes are passed on unchanged; routes compare them as %5C, and routes that deny or ask also compare them as /"
      )
    } else if normalized.url != url {
      trace.note(.request, "browsers read the host as \(normalized.url.host ?? "")")
    }
    if let target = request.target { trace.note(.request, "the caller requests \(target)") }
    var consent = Consent()
    let decided = byRoutes(normalized, request: request, consent: &consent, &trace)
    var verdict: Decision.Verdict
    if let refusal = Self.refusal(ofForeign: url, request, decided) { return .verdict(.refuse(refusal)) }
    switch decided {
    case .rewritten(let next, let route, let isFinal, let unwraps, let isShared)?:
      return .rewritten(next, by: route, isFinal: isFinal, unwraps: unwraps, isShared: isShared)
    case .verdict(let found)?: verdict = found
    case nil:
      verdict = byNoRoute(url, request: request, &trace)
    }
    // Neither a route nor the caller's target opens a file by a host, because programs that ignore the host would get
    // past a rule for the path.
    if verdict.opens, let refusal = SchemePolicy.refusal(ofFileURL: url) {
      return .verdict(.refuse(refusal))
    }
    guard !request.ignoresUnwrapping else { return .verdict(verdict) }
    if verdict.opens,
      let other = consentPolicy.putSignIn(normalized, request: request, consent: &consent, &trace)
    {
      return .verdict(other)
    }
    guard verdict.opens, !consent.isCallerAuthorized,
      let question = consentPolicy.ownQuestion(normalized.url, request)
    else {
      return .verdict(verdict)
    }
    // The user would see one of the hosts, and the application may connect to another.
    if let reason = normalized.compared.uncertainty { return .verdict(.refuse(.unreadable(reason: reason))) }
    if let other = consentPolicy.put(question, request: request, consent: &consent, &trace) {
      verdict = other
    }
    return .verdict(verdict)
  }

  /// Returns the rejection of a link that names something of another machine, from which the request came, unless a route rewrites or
  /// rejects it, or has rewritten it to the path of the same file here; `nil` for every other link.
  private static func refusal(
    ofForeign url: URLString, _ request: OpenRequest, _ decided: PassResult?
  ) -> Refusal? {
    guard request.source.machine != nil, !request.isSharedFile,
      let reason = RemoteMachine.refusal(of: url.scheme)
    else { return nil }
    switch decided {
    case .rewritten, .verdict(.refuse): return nil
    case .verdict, nil: return .denied(reason: reason)
    }
  }

  /// Returns the verdict on a URL that no route decides.
  private func byNoRoute(
    _ url: URLString, request: OpenRequest, _ trace: inout DecisionTrace
  ) -> Decision.Verdict {
    if request.isUniversalLinksOnly { return byOwnEntry(url, request: request, &trace) }
    return request.target.map { applications.asked(for: $0, url: url, request: request, &trace) }
      ?? handlers.resolve(url, request: request, &trace)
  }

  /// Returns the ID of the application whose program is started for `id`: the browser's own ID if it names a profile or a window.
  public func programID(of id: ApplicationID) -> ApplicationID { applications.programID(of: id) }

  /// Returns the application of an ID from an earlier decision; `nil` if it is not installed any more.
  public func target(of id: ApplicationID, browsers: [InstalledBrowser]?) -> TargetApplication? {
    applications.target(of: id, browsers: browsers)
  }

  /// Returns the title of an application or of a browser with a profile; `nil` if it has none.
  public func title(of id: ApplicationID, browsers: [InstalledBrowser]?) -> String? {
    target(of: id, browsers: browsers)?.entry.name()
  }

  /// Returns whether a group must be decided again with the installed browsers.
  public func needsBrowsers(for groups: [RequestGroup]) -> Bool {
    groups.contains { if case .refuse(.browsersNotListed) = $0.verdict { true } else { false } }
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

  /// Returns whether the decision on a URL may look up what is installed.
  func asksWhatIsInstalled(for url: URLString) -> Bool {
    guard layers.contains(where: \.asksWhatIsInstalled) else { return false }
    guard let authority = try? URLAuthority(url.text) else { return true }
    return layers.contains { $0.asksWhatIsInstalled(for: authority) }
  }

  /// Returns whether the target of a route with `target = "installed"` can be started; `true` if the target depends on the link.
  public func isInstalled(_ target: InstalledTarget) -> Bool {
    guard target != .opener, let url = try? URLString("installed:") else { return true }
    return conditions.isInstalled(target, for: url, OpenRequest(urls: [url]))
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
    scope.mayBeAsked(by: layers, assurance)
  }

  /// Returns the administrator's final routes that deny URLs of a grant, and whether they certainly deny all of them.
  ///
  /// - Parameters:
  ///   - scope: The scope of the grant.
  ///   - assurance: The minimum assurance of its source.
  public func finalDenials(of scope: GrantScope, _ assurance: Assurance) -> (routes: [String], denyAll: Bool)
  {
    scope.finalDenials(by: layers, assurance)
  }
}
