// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrokerCore
import BusInterfaces
import Freedesktop
import RouteTables

/// The options for the context of a simulated request, for commands that only predict the effect of routes.
struct RouteContextOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Decide as for this source application.", valueName: "id"),
    completion: Completions.applications)
  var sourceApplication: String?

  @Option(
    help: ArgumentHelp(
      "Set the assurance of the source: sandbox, unit, executable, claimed or unknown (default: claimed with a source, otherwise unknown).",
      valueName: "level"), completion: .list(["sandbox", "unit", "executable", "claimed", "unknown"]))
  var assurance: String?

  @Option(
    help: ArgumentHelp(
      "Set who can modify the installed files of the source: system (only root) or user (default).",
      valueName: "owner"),
    completion: .list(["system", "user"]))
  var installed: String?

  @Option(
    help: ArgumentHelp(
      "Set the machine from which the link comes, such as build.example.org.", valueName: "machine"))
  var remote: String?

  @Option(
    help: ArgumentHelp("Set the web origin of the request, such as https://example.org.", valueName: "origin")
  )
  var origin: String?

  @Option(
    help: ArgumentHelp("Set the user activation: clicked or allowed.", valueName: "kind"),
    completion: .list(["clicked", "allowed"]))
  var userActivation: String?

  @Flag(help: "Treat the source as sandboxed.")
  var sandboxed = false

  @Option(
    help: ArgumentHelp("Treat this application as running; may be repeated.", valueName: "id"),
    completion: Completions.applications)
  var running: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Treat the applications and programs that routes start as installed, as target = \"installed\" demands."
    ))
  var installedTargets = false

  func validate() throws {
    let levels = ["sandbox", "unit", "executable", "claimed", "unknown"]
    guard assurance.map(levels.contains) ?? true else {
      throw ValidationError("--assurance must be one of \(levels.joined(separator: ", "))")
    }
    guard installed.map({ InstalledBy(rawValue: $0) != nil && sourceApplication != nil }) ?? true else {
      throw ValidationError("--installed must be system or user, and needs --source-application")
    }
    guard remote == nil || sourceApplication == nil else {
      throw ValidationError("--remote cannot be combined with --source-application")
    }
    guard userActivation.map({ UserActivation(rawValue: $0) != nil }) ?? true else {
      throw ValidationError("--user-activation must be clicked or allowed")
    }
  }

  /// A Boolean value that indicates whether the request comes from a sandboxed caller.
  var isSandboxed: Bool { sandboxed || assurance == "sandbox" || remote != nil }

  /// A Boolean value that indicates whether the sandbox or the unit of the caller confirms its name.
  var isNameVerified: Bool { ["unit", "sandbox"].contains(assurance) }

  /// A Boolean value that indicates whether only the caller states the source application.
  private var isClaimed: Bool { sourceApplication != nil && ["claimed", nil].contains(assurance) }

  /// The source application that routes insert into arguments and URLs; `nil` if the broker would insert none.
  var placeholderSource: String? { isSandboxed && isClaimed ? nil : sourceApplication }

  /// Returns the context for conditions of these names, without the unverified claims of a sandboxed caller; `nil` if there are none.
  func verifiedContext(for names: [String]) -> [String: String]? {
    guard isSandboxed, origin != nil || isClaimed else { return nil }
    var context = context(for: names)
    context[RouteCondition.Name.origin] = nil
    if isClaimed {
      context[RouteCondition.Name.source] = nil
      context[RouteCondition.Name.installed] = nil
      context[RouteCondition.Name.assurance] = "unknown"
    }
    return context
  }

  /// Returns the context of the request, with the keys of the broker, for conditions of these names.
  func context(for names: [String]) -> [String: String] {
    var context: [String: String] = [:]
    if installedTargets {
      for name in names where InstalledTarget(conditionName: name) != nil {
        context[name] = InstalledTarget.value
      }
    }
    context[RouteCondition.Name.source] = sourceApplication.flatMap(UserEnvironment.application)?.rawValue
    context[RouteCondition.Name.assurance] = assurance ?? (sourceApplication == nil ? "unknown" : "claimed")
    context[RouteCondition.Name.installed] = installed ?? (sourceApplication == nil ? nil : "user")
    context[RouteCondition.Name.origin] = origin.map(WebOrigin.compared)
    // What a sandboxed caller says of a click is its own word.
    context[RouteCondition.Name.userActivation] =
      isSandboxed && userActivation == "clicked" ? nil : userActivation
    context[RouteCondition.Name.sandboxed] = isSandboxed ? "yes" : nil
    context[RouteCondition.Name.remote] = remote
    var ids: Set<String> = []
    for application in running {
      // A route may name the application by its desktop file.
      let names =
        UserEnvironment.application(application).map { [$0.rawValue, $0.desktopFileName] } ?? [application]
      ids.insert(names[0])
      for name in names { context[RouteCondition.Name.target(name)] = "running" }
      context[RouteCondition.Name.target(nil)] = "running"
    }
    context[RouteCondition.Name.running] = RunningApplications.value(of: ids)
    return context
  }
}
