// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// A check for application IDs in route files that no installed application has, or that two have.
///
/// An ID is resolved when a URL is opened, so that an unresolved one is only a warning of `usher routes check --strict`.
struct RouteApplicationCheck {
  let catalog: ApplicationCatalog

  /// Returns a sentence for each ID of each route that cannot be resolved, with the route's location.
  ///
  /// The owner of a file need not be installed, because its routes are checked before its installation.
  func warnings(of table: RouteTable<RouteAction>) -> [(location: SourceLocation, sentence: String)] {
    table.routes.flatMap { route in
      let sources = route.conditions.filter { $0.name == RouteCondition.Name.source }.flatMap(\.written)
      let written = (sources + Self.targets(of: route)).filter { $0 != route.owner }
      return written.compactMap(doubt).map { (route.location, "in the route `\(route.id)`, \($0)") }
    }
  }

  /// Returns the application without which the links of a route fail, if it is not installed; otherwise `nil`.
  func missingTarget(of route: Route<RouteAction>) -> String? {
    let targets = Self.targets(of: route)
    let isMissing = targets.allSatisfy { target in
      ApplicationID.readings(of: target).allSatisfy { catalog.locations(of: $0).isEmpty }
    }
    return isMissing ? targets.first : nil
  }

  /// Returns the applications that a route lets open its links.
  private static func targets(of route: Route<RouteAction>) -> [String] {
    switch route.action {
    case .open(let application), .perform(let application, _): [application]
    case .ask(let applications, _): applications
    case .exec, .rewrite, .allow, .deny, .handler: []
    }
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
