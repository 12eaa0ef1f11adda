// SPDX-License-Identifier: Apache-2.0
import Freedesktop
public import RouteTables

extension Broker {
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
  func match(
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
      guard let id = applications.catalog.id(spelled: name) else { return false }
      return applications.entry(of: applications.programID(of: id), &trace).opens
    case .browser(let name):
      let verdict = applications.browser(BrowserTarget(name), of: request, &trace)
      // The route then decides, and the decision is repeated with the list of browsers.
      if case .refuse(.browsersNotListed) = verdict { return true }
      return verdict.opens
    case .handler(let scheme):
      guard let scheme = URLScheme(scheme) else { return false }
      return handlers.handler(of: scheme, &trace).opens
    case .program(let name): return applications.programs.find(name) != nil
    case .opener:
      if let target = request.target {
        return applications.entry(of: applications.programID(of: target), &trace).opens
      }
      return handlers.applicationWithoutRoutes(url, request) != nil
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
  func context(
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
        ? request.target ?? handlers.applicationWithoutRoutes(url, request)
        : applications.catalog.id(spelled: target)
      if let id, request.running.contains(id) { context[name] = "running" }
    }
    return context
  }
}
