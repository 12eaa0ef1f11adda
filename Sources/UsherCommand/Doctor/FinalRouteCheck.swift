// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// Finds schemes of final routes whose links do not reach the broker.
enum FinalRouteCheck {
  static func findings(_ facts: SystemSnapshot) -> [Finding] {
    // `file:` links are opened by the type of their file, whatever a list says of the scheme.
    let passing = facts.handlers.filter {
      !$0.isThroughUsher && $0.application != nil && $0.scheme.rawValue != "file"
    }
    let named = passing.compactMap { handler -> Finding? in
      let routes = facts.finalRoutes.filter {
        $0.patterns.contains { $0.schemeNames.contains(handler.scheme.rawValue) }
      }
      return routes.isEmpty ? nil : finding(handler, routes)
    }
    return named + findings(ofEveryScheme: passing, facts)
  }

  private static func finding(_ handler: SchemeHandler, _ routes: [Route<RouteAction>]) -> Finding {
    let application = handler.application?.desktopFileName ?? ""
    let message =
      "\(handler.scheme): desktop tools pass these links to the default application \(application) and not to the broker, so "
      + "the final \(names(routes)) \(routes.count == 1 ? "does" : "do") not apply to them"
    guard ["http", "https"].contains(handler.scheme.rawValue) || handler.scheme.refusal == nil else {
      // No application registers for such a scheme, so the administrator writes the line.
      let line = "\(handler.scheme.mimeType)=\(ApplicationID.usherHandler.desktopFileName);\(application);"
      return Finding(
        check: "final", message: "\(message); write “\(line)” below [Default Applications]",
        file: handler.origin?.path,
        line: handler.origin?.line, command: Shell.edit("/etc/xdg/mimeapps.list", at: nil))
    }
    return Finding(
      check: "final", message: message, file: handler.origin?.path, line: handler.origin?.line,
      command: command(handler))
  }

  private static func command(_ handler: SchemeHandler) -> String {
    if ["http", "https"].contains(handler.scheme.rawValue) {
      return Shell.command("usher", "register", "--web")
    }
    return Shell.command(
      "usher", "register", handler.application?.rawValue ?? "", "--scheme", handler.scheme.rawValue)
  }

  /// One finding for the routes of every scheme.
  private static func findings(ofEveryScheme passing: [SchemeHandler], _ facts: SystemSnapshot) -> [Finding] {
    let routes = facts.finalRoutes.filter { $0.patterns.contains { $0.schemeNames.isEmpty } }
    guard let first = passing.first, !routes.isEmpty else { return [] }
    let schemes = passing.prefix(8).map(\.scheme.rawValue).joined(separator: ", ")
    let more = passing.count > 8 ? " and \(passing.count - 8) more" : ""
    return [
      Finding(
        check: "final",
        message:
          "desktop tools do not pass links of the schemes \(schemes)\(more) to the broker, so the final \(names(routes)) "
          + "\(routes.count == 1 ? "does" : "do") not apply to them; begin with \(first.scheme)",
        command: finding(first, routes).command)
    ]
  }

  private static func names(_ routes: [Route<RouteAction>]) -> String {
    (routes.count == 1 ? "route " : "routes ") + routes.map { "“\($0.id)”" }.joined(separator: ", ")
  }
}
