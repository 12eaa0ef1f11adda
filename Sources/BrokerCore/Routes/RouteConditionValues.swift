// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// The values of a request and of the desktop with which the conditions of routes are compared.
struct RouteConditionValues: Sendable {
  let applications: InstalledApplications
  let handlers: DesktopHandlers

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
        normalized.compared, when: values(of: url, request, for: table),
        verified: verified.map { values(of: url, $0, for: table) })
    }
    var assumed = values(of: url, request, for: table, assumingInstalled: true)
    var known: [String: Bool] = [:]
    while true {
      let found = try table.match(normalized.compared, when: assumed, verified: nil)
      let missing = found?.route.conditions.first { condition in
        guard let target = InstalledTarget(conditionName: condition.name) else { return false }
        let isInstalled = known[condition.name] ?? isInstalled(target, for: url, request)
        known[condition.name] = isInstalled
        return !isInstalled
      }
      // Without the route that needs it, the next narrower route wins, as if the condition had been known from the start.
      guard let missing else { return found }
      assumed[missing.name] = nil
    }
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

  /// Returns the values of the conditions that the routes of `table` use, by condition name.
  ///
  /// - Parameter assumingInstalled: Whether everything counts as installed, so that no file is read.
  func values(
    of url: URLString, _ request: OpenRequest, for table: RouteTable<RouteAction>,
    assumingInstalled: Bool = false
  ) -> [String: String] {
    guard !table.conditionNames.isEmpty else { return [:] }
    var values = request.caller.conditionValues(ignoringClaims: request.state.ignoresClaims)
    for name in table.conditionNames {
      if let target = InstalledTarget(conditionName: name) {
        if assumingInstalled || isInstalled(target, for: url, request) {
          values[name] = InstalledTarget.value
        }
        continue
      }
      if name == RouteCondition.Name.running {
        values[name] = RunningApplications.value(of: request.system.running.map(\.rawValue))
      }
      guard let target = RouteCondition.target(ofName: name) else { continue }
      let id =
        target.isEmpty
        ? request.target ?? handlers.applicationWithoutRoutes(url, request)
        : applications.catalog.id(spelled: target)
      if let id, request.system.running.contains(id) { values[name] = "running" }
    }
    return values
  }
}
