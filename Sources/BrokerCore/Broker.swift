// SPDX-License-Identifier: Apache-2.0
public import Freedesktop
public import RouteTables

/// The policy of a desktop at one instant, and the decisions by it.
///
/// It uses no bus, no process and no clock. It reads the desktop's files through the resolver, and local files if the
/// request does not contain their MIME types.
public struct Broker: Sendable {
  let layers: [RouteLayer]
  let applications: InstalledApplications
  let handlers: DesktopHandlers
  let decider: URLDecider
  /// The file with which the administrator disables grants, or `nil`.
  ///
  /// If it is set, no answer is stored, and stored answers are ignored.
  public let grantsLockedBy: String?

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
    self.applications = applications
    self.handlers = handlers
    self.grantsLockedBy = grantsLockedBy
    let pass = PolicyPass(
      layers: layers, applications: applications, handlers: handlers, grantsLockedBy: grantsLockedBy)
    decider = URLDecider(pass: pass, applications: applications, secrets: secrets)
  }

  /// Returns this broker with a cache of its chosen handlers.
  func remembering(in choices: (any HandlerCaching)?) -> Broker {
    Broker(
      layers: layers, secrets: decider.secrets, applications: applications,
      handlers: handlers.remembering(in: choices), grantsLockedBy: grantsLockedBy)
  }

  /// Returns this broker with a list of the installed browsers for requests without one.
  func listing(_ browsers: BrowserList) -> Broker {
    Broker(
      layers: layers, secrets: decider.secrets, applications: applications.listing(browsers),
      handlers: handlers, grantsLockedBy: grantsLockedBy)
  }

  /// Decides one URL of a request.
  ///
  /// - Parameter tellsWhy: Whether the explanation names the routes that lost and those that nearly match, with secret
  ///   captures hidden. This takes some milliseconds.
  public func decide(_ url: URLString, of request: OpenRequest, tellsWhy: Bool = false) -> Decision {
    decider.decide(url, of: request, DecisionTrace(tellsWhy: tellsWhy))
  }

  /// Decides a request without URLs, which only the target that the caller names can receive.
  ///
  /// Routes do not apply, because they match URLs. The broker does not prompt the user for such a request.
  public func decideWithoutURL(_ request: OpenRequest) -> ActivationDecision {
    ActivationDecision(on: request, by: applications)
  }

  /// Decides a request and groups its URLs by target, in the order of the URLs.
  ///
  /// A URL that no application receives has a group of its own. A request without URLs is one group.
  public func groups(of request: OpenRequest) -> [RequestGroup] {
    var groups = RequestGroupList()
    groups.add(request.urls[...], of: request, decidedBy: self)
    return groups.groups
  }

  /// Decides a request like `groups(of:)`, some URLs at a time, so that other requests can proceed in between.
  ///
  /// - Parameters:
  ///   - count: The number of URLs that are decided in one turn.
  ///   - turn: Runs a turn, and returns its value.
  public func groups(
    of request: OpenRequest, urlsPerTurn count: Int,
    turn: (_ body: @escaping @Sendable () -> RequestGroupList) async -> RequestGroupList
  ) async -> [RequestGroup] {
    var groups = RequestGroupList()
    // A request without URLs has one turn, too, because the entry of its target is read.
    for start in stride(from: 0, to: max(request.urls.count, 1), by: count) {
      let before = groups
      groups = await turn {
        var groups = before
        groups.add(request.urls[start...].prefix(count), of: request, decidedBy: self)
        return groups
      }
    }
    return groups.groups
  }

  /// Returns the paths of the files whose MIME types are missing for a final decision.
  public func filesToLookAt(for groups: [RequestGroup]) -> [[UInt8]] {
    groups.compactMap { if case .refuse(.notExamined(let path)) = $0.verdict { path } else { nil } }
  }

  /// Returns whether a group must be decided again with the installed browsers.
  public func needsBrowsers(for groups: [RequestGroup]) -> Bool {
    groups.contains { if case .refuse(.browsersNotListed) = $0.verdict { true } else { false } }
  }

  /// Returns the URL that the desktop's defaults decide, after the rewrites of routes; `nil` if a rule decides.
  ///
  /// A rule is a route, a built-in rejection or a question for the user. An opener of the desktop that precedes the
  /// defaults, such as `$BROWSER`, may open only such a URL.
  public func urlLeftToDefaults(_ url: URLString, of request: OpenRequest) -> URLString? {
    decider.urlLeftToDefaults(url, of: request)
  }

  /// A Boolean value that indicates whether a route declares a part of a URL secret.
  public var hasSecrets: Bool { decider.secrets != nil }

  /// Returns whether a route declares a part of `url` secret, so that logs do not show its path.
  public func mayHaveSecret(_ url: URLString) -> Bool { decider.mayHaveSecret(url) }

  /// Returns the reason why a machine may not register a scheme; `nil` if the user is to be asked.
  ///
  /// Routes decide as for links of the machine. A scheme that an application of this desktop opens cannot be registered.
  public func refusal(of registration: SchemeRegistration) -> Refusal? {
    let (scheme, machine) = (registration.scheme, registration.machine)
    if let reason = registration.refusal { return .denied(reason: reason) }
    // A route may name the scheme, or only links with or without a host.
    for link in ["\(scheme):", "\(scheme):/", "\(scheme)://"] {
      guard let url = try? URLString(link), let normalized = try? NormalizedURL(url) else { continue }
      var (consent, trace) = (Consent(), DecisionTrace(tellsSteps: false))
      let request = OpenRequest(urls: [url], source: .remote(machine))
      switch decider.byRoutes(normalized, request: request, consent: &consent, &trace) {
      case .verdict(.refuse(let refusal)): return refusal
      case .verdict(.ask(let question)) where question.choices.isEmpty: break
      case .verdict, .rewritten:
        return .denied(reason: "\(machine) may not register \(scheme): a route opens these links here")
      case nil: break
      }
    }
    guard let local = handlers.resolution(of: scheme).application?.id, !local.isOfOtherMachine else {
      return nil
    }
    return .denied(reason: "\(machine) may not register \(scheme): \(local) opens these links here")
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

  /// A Boolean value that indicates whether a route has a condition on running applications, so that `DesktopSnapshot.running` must be set.
  public var asksWhatRuns: Bool {
    layers.contains { layer in
      layer.table.conditionNames.contains {
        $0 == RouteCondition.Name.running || RouteCondition.target(ofName: $0) != nil
      }
    }
  }

  /// A Boolean value that indicates whether a route has a condition on the installation of the source, so that `CallerIdentity.source` must include it.
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
    return RouteConditionValues(applications: applications, handlers: handlers)
      .isInstalled(target, for: url, OpenRequest(urls: [url]))
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
