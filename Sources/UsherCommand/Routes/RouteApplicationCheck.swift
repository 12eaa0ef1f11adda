// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Freedesktop
import RouteTables

/// A check for application IDs in route files that no installed application has, or that two have.
///
/// An ID is resolved when a URL is opened, so that an unresolved one is only a warning of `usher routes check --strict`.
struct RouteApplicationCheck {
  let catalog: ApplicationCatalog
  /// The installed browsers with their profiles, which are read for the first route that names one.
  let browsers: BrowserList

  /// Returns a sentence for each ID of each route that cannot be resolved, with the route's location.
  ///
  /// The owner of a file need not be installed, because its routes are checked before its installation.
  func warnings(of table: RouteTable<RouteAction>) -> [(location: SourceLocation, sentence: String)] {
    table.routes.flatMap { route in
      let sources = route.conditions.filter { $0.name == RouteCondition.Name.source }.flatMap(\.written)
      let running = route.conditions.compactMap { RunningApplications($0) }.flatMap { $0.oneOf + $0.noneOf }
      let written = (sources + running + Self.targets(of: route)).filter { $0 != route.owner }
      let doubts = written.compactMap(doubt) + Self.browsers(of: route).compactMap(doubt)
      return doubts.map { (route.location, "in the route `\(route.id)`, \($0)") }
    }
  }

  /// Returns the application without which the links of a route fail, if it is not installed; otherwise `nil`.
  func missingTarget(of route: Route<RouteAction>) -> String? {
    let (targets, named) = (Self.targets(of: route), Self.browsers(of: route))
    let isMissing =
      targets.allSatisfy { target in
        ApplicationID.readings(of: target).allSatisfy { catalog.locations(of: programID(of: $0)).isEmpty }
      }
      && named.allSatisfy { search.find(BrowserTarget($0.browser)).isFailure }
    return isMissing ? targets.first ?? named.first?.browser : nil
  }

  /// Returns the applications that a route lets open its links.
  static func targets(of route: Route<RouteAction>) -> [String] {
    switch route.action {
    case .open(let application), .perform(let application, _): [application]
    case .ask(let choices, _):
      choices.compactMap { if case .application(let application) = $0 { application } else { nil } }
    case .browse, .exec, .rewrite, .allow, .deny, .handler: []
    }
  }

  /// Returns the browsers that a route lets open its links.
  private static func browsers(of route: Route<RouteAction>) -> [BrowserTarget] {
    switch route.action {
    case .browse(let target): [target]
    case .ask(let choices, _):
      choices.compactMap { if case .browser(let target) = $0 { target } else { nil } }
    case .open, .perform, .exec, .rewrite, .allow, .deny, .handler: []
    }
  }

  private var search: BrowserSearch {
    BrowserSearch(browsers.browsers) { [catalog] in catalog.id(spelled: $0) }
  }

  /// Returns the ID of the browser for an ID that also names a profile or a window.
  private func programID(of id: ApplicationID) -> ApplicationID {
    guard catalog.locations(of: id).isEmpty else { return id }
    return BrowserTargetID(id.rawValue)?.browser ?? id
  }

  private func doubt(about target: BrowserTarget) -> String? {
    guard case .failure(let refusal) = search.find(target) else { return nil }
    return "\(refusal)"
      + (target.mayMeanPrivateWindow
        ? "; for a private window, write `private = true` instead of `profile`" : "")
  }

  private func doubt(about text: String) -> String? {
    guard !text.hasSuffix("*") else {
      let stem = text.dropLast()
      guard !stem.isEmpty, !catalog.ids.contains(where: { $0.rawValue.hasPrefix(stem) }) else { return nil }
      return "`\(text)` is not the ID of an installed application"
    }
    let readings = ApplicationID.readings(of: text)
    let installed = readings.filter { !catalog.locations(of: $0).isEmpty }
    switch installed.count {
    case 0:
      if let id = readings.first, let target = BrowserTargetID(id.rawValue), programID(of: id) != id {
        let written = BrowserTarget(target.browser.rawValue, profile: target.profile)
        return doubt(about: written)
      }
      let files = readings.reversed().map(\.desktopFileName).joined(separator: " and ")
      return "`\(text)` is not an installed application; looked for \(files)"
    case 1: return nil
    default:
      return """
        `\(text)` matches two installed applications; write `\(installed[0])` for \(installed[0].desktopFileName), or \
        `\(installed[1].desktopFileName)` for the other
        """
    }
  }
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
