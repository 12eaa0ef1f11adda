// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables

/// Finds schemes of final routes whose links do not reach the broker.
enum FinalRouteCheck {
  static func findings(_ snapshot: SystemSnapshot) -> [Finding] {
    // `file:` links are opened by the type of their file, whatever a list says of the scheme.
    let passing = snapshot.handlers.filter {
      // Nor does a link of Usher's own scheme, which only the command that waits for it accepts.
      !$0.isThroughUsher && $0.application != nil && $0.application != .usherCallback
        && $0.scheme.rawValue != "file"
    }
    let named = passing.compactMap { handler -> Finding? in
      let routes = snapshot.finalRoutes.filter {
        $0.patterns.contains { $0.schemeNames.contains(handler.scheme.rawValue) }
      }
      return routes.isEmpty ? nil : finding(handler, routes, in: snapshot)
    }
    return named + findings(ofEveryScheme: passing, snapshot)
  }

  /// A note about final routes for `file:` links, which no setting brings to the broker.
  static func notes(_ snapshot: SystemSnapshot) -> [Note] {
    let routes = snapshot.finalRoutes.filter { $0.patterns.contains { $0.schemeNames.contains("file") } }
    guard !routes.isEmpty else { return [] }
    return [
      Note(
        check: "final",
        message:
          "the final \(names(routes)) \(routes.count == 1 ? "does" : "do") not apply to the file: links that gio open and file "
          + "managers open, because these go to the application for the type of the file and not to the broker"
      )
    ]
  }

  private static func finding(
    _ handler: SchemeHandler, _ routes: [Route<RouteAction>], in snapshot: SystemSnapshot
  ) -> Finding {
    let application = handler.application?.desktopFileName ?? ""
    let message =
      "\(handler.scheme): desktop tools pass these links to the default application \(application) and not to the broker, so "
      + "the final \(names(routes)) \(routes.count == 1 ? "does" : "do") not apply to them"
    return Finding(
      check: "final", message: message + (advice(on: handler).map { "; \($0)" } ?? ""),
      file: handler.origin?.path, line: handler.origin?.line, command: command(handler, snapshot))
  }

  /// Indicates whether the command changes the application for a scheme; `false` for a scheme that no application registers.
  private static func isRegistrable(_ handler: SchemeHandler) -> Bool {
    ["http", "https"].contains(handler.scheme.rawValue) || handler.scheme.refusal == nil
  }

  /// Returns the line to write for a scheme that no application registers, and its effect; otherwise `nil`.
  private static func advice(on handler: SchemeHandler) -> String? {
    guard !isRegistrable(handler) else { return nil }
    let application = handler.application?.desktopFileName ?? ""
    let line = "\(handler.scheme.mimeType)=\(ApplicationID.usherHandler.desktopFileName);\(application);"
    let effect = handler.scheme.reservation.map {
      "; the broker then rejects all \(handler.scheme): links, because \($0)"
    }
    return "write “\(line)” below [Default Applications]\(effect ?? "")"
  }

  /// Returns the line of the user's own list that chose a handler, as such a list precedes the administrator's; otherwise `nil`.
  private static func ownList(_ handler: SchemeHandler, _ snapshot: SystemSnapshot) -> Resolution.Origin? {
    handler.origin.flatMap { $0.path.hasPrefix(snapshot.directories.configHome + "/") ? $0 : nil }
  }

  /// The command for the user if the choice is in the user's own list, which precedes the administrator's; otherwise the one for all users.
  private static func command(_ handler: SchemeHandler, _ snapshot: SystemSnapshot) -> String {
    guard isRegistrable(handler) else {
      // The desktop reads only the directories of XDG_CONFIG_DIRS.
      return ownList(handler, snapshot).map { Shell.edit($0.path, at: $0.line) }
        ?? Shell.edit(snapshot.directories.forAllUsers.configHome + "/mimeapps.list", at: nil)
    }
    let isWeb = ["http", "https"].contains(handler.scheme.rawValue)
    let browsers = snapshot.handlers.filter { ["http", "https"].contains($0.scheme.rawValue) }
    // Two different browsers leave the choice to the user, who sees it in this command.
    let browser =
      Set(browsers.map(\.application)).count > 1
      ? browsers.first { $0.scheme.rawValue == "https" }?.application.map { [$0.rawValue] } ?? [] : []
    let what =
      isWeb
      ? browser + ["--web"] : [handler.application?.rawValue ?? "", "--scheme", handler.scheme.rawValue]
    let words =
      ownList(handler, snapshot) != nil
      ? ["usher", "register"] + what : ["sudo", "usher", "register", "--system"] + what + ["--default"]
    return words.map(Shell.word).joined(separator: " ")
  }

  /// Returns a finding for the routes of every scheme, and another for the schemes that no application registers.
  private static func findings(ofEveryScheme passing: [SchemeHandler], _ snapshot: SystemSnapshot)
    -> [Finding]
  {
    let general = snapshot.finalRoutes.filter { $0.patterns.contains { $0.schemeNames.isEmpty } }
    func concerns(_ route: Route<RouteAction>, _ handler: SchemeHandler) -> Bool {
      route.patterns.contains { $0.schemeNames.isEmpty && $0.mayMatch(scheme: handler.scheme.rawValue) }
    }
    let concerned = passing.filter { handler in general.contains { concerns($0, handler) } }
    return [concerned.filter(isRegistrable), concerned.filter { !isRegistrable($0) }].compactMap { passing in
      guard let first = passing.first else { return nil }
      let routes = general.filter { route in passing.contains { concerns(route, $0) } }
      let schemes = passing.prefix(8).map(\.scheme.rawValue).joined(separator: ", ")
      let more = passing.count > 8 ? " and \(passing.count - 8) more" : ""
      let advice =
        advice(on: first).map { "for \(first.scheme), \($0)" }
        ?? "for \(first.scheme), run the command below"
      return Finding(
        check: "final",
        message:
          "desktop tools do not pass links of the \(passing.count == 1 ? "scheme" : "schemes") \(schemes)\(more) to the broker, so the "
          + "final \(names(routes)) \(routes.count == 1 ? "does" : "do") not apply to them; \(advice)"
          + (passing.count == 1 ? "" : ", and then do the same for the others"),
        command: command(first, snapshot))
    }
  }

  private static func names(_ routes: [Route<RouteAction>]) -> String {
    (routes.count == 1 ? "route " : "routes ") + routes.map { "“\($0.id)”" }.joined(separator: ", ")
  }
}
