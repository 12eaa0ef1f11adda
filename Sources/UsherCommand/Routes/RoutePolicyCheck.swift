// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteFiles
import RouteTables

/// A check for rules that allow less or more than they seem to, although each of them is valid.
struct RoutePolicyCheck {
  private let files: RouteFileSet

  init(_ files: RouteFileSet) { self.files = files }

  /// Sentences about routes, each with a location in its file.
  var warnings: [(location: SourceLocation, sentence: String)] {
    files.table.partialSchemeWarnings(unless: isIntended)
      + files.table.routes.flatMap { route in
        (unopenedSchemes(of: route) + [claimedSource(of: route), ownEntry(of: route)].compactMap(\.self)).map
        {
          (route.location, $0)
        }
      }
  }

  /// Returns whether a test of the route says that it does not match a URL of the scheme.
  private func isIntended(_ route: Route<RouteAction>, _ scheme: String) -> Bool {
    files.tests.contains { test in
      test.route == route.id && test.owner == route.owner && test.mustNotMatch
        && URLScheme(of: test.url)?.rawValue == scheme
    }
  }

  /// Returns a sentence for each scheme of a route of which the broker opens no URL.
  private func unopenedSchemes(of route: Route<RouteAction>) -> [String] {
    if case .deny = route.action { return [] }
    return Set(route.patterns.flatMap(\.schemeNames)).sorted().compactMap { name in
      guard name != "file", let reason = URLScheme(name)?.reservation else { return nil }
      return
        "the route `\(route.id)` has no effect on `\(name):` links, which are never opened, because \(reason): remove the scheme"
    }
  }

  /// Returns a sentence for a route that lets Usher itself open links, so that they are rejected.
  private func ownEntry(of route: Route<RouteAction>) -> String? {
    let isOwn = RouteApplicationCheck.targets(of: route).contains {
      ApplicationID.readings(of: $0).contains(.usherHandler)
    }
    guard isOwn else { return nil }
    return
      "the route `\(route.id)` names `\(ApplicationID.usherHandler)`, which is Usher itself and cannot open links: name the application"
  }

  /// Returns a sentence for a final route that allows links of a source whose name any program can claim.
  private func claimedSource(of route: Route<RouteAction>) -> String? {
    let names = Set(route.conditions.map(\.name))
    guard route.rank == .finalAdministrator, case .allow = route.action,
      names.contains(RouteCondition.Name.source), !names.contains(RouteCondition.Name.assurance)
    else { return nil }
    return
      "the final route `\(route.id)` allows links of every program that claims the name of the source: add `assurance = \">= unit\"` "
      + "to `source`, or `assurance = \">= claimed\"` if a claim is enough"
  }
}
