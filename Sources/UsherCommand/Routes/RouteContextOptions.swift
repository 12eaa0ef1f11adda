import ArgumentParser
import BusInterfaces
import Freedesktop
import RouteTables

/// The options for the context of a simulated request, for commands that only predict the effect of routes.
struct RouteContextOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("As if this application had asked.", valueName: "id"),
    completion: Completions.applications)
  var sourceApplication: String?

  @Option(
    help: ArgumentHelp(
      "How sure that is: sandbox, unit, executable, claimed or unknown; if not told, claimed or unknown.",
      valueName: "level"), completion: .list(["sandbox", "unit", "executable", "claimed", "unknown"]))
  var assurance: String?

  @Option(
    help: ArgumentHelp(
      "Who can change what is installed of it: system (root alone) or user, which it is if absent.",
      valueName: "owner"),
    completion: .list(["system", "user"]))
  var installed: String?

  @Option(help: ArgumentHelp("The web origin that asks, as https://example.org.", valueName: "origin"))
  var origin: String?

  @Option(
    help: ArgumentHelp("What a person did: clicked or allowed.", valueName: "part"),
    completion: .list(["clicked", "allowed"]))
  var person: String?

  @Flag(help: "As if a sandboxed application had asked.")
  var sandboxed = false

  @Option(
    help: ArgumentHelp("An application that runs; may be given more than once.", valueName: "id"),
    completion: Completions.applications)
  var running: [String] = []

  func validate() throws {
    let levels = ["sandbox", "unit", "executable", "claimed", "unknown"]
    guard assurance.map(levels.contains) ?? true else {
      throw ValidationError("an assurance is one of \(levels.joined(separator: ", ")).")
    }
    guard installed.map({ InstalledBy(rawValue: $0) != nil && sourceApplication != nil }) ?? true else {
      throw ValidationError("--installed is system or user, and goes with --source-application.")
    }
    guard person.map({ UserActivation(rawValue: $0) != nil }) ?? true else {
      throw ValidationError("A person's part is clicked or allowed")
    }
  }

  /// The context of the request, with the keys of the broker.
  var context: [String: String] {
    var context: [String: String] = [:]
    context[RouteCondition.Name.source] = sourceApplication.flatMap(UserEnvironment.application)?.rawValue
    context[RouteCondition.Name.assurance] = assurance ?? (sourceApplication == nil ? "unknown" : "claimed")
    context[RouteCondition.Name.installed] = installed ?? (sourceApplication == nil ? nil : "user")
    context[RouteCondition.Name.origin] = origin
    context[RouteCondition.Name.person] = person
    context[RouteCondition.Name.sandboxed] = sandboxed ? "yes" : nil
    for application in running {
      // A route may name the application by its desktop file.
      let names =
        UserEnvironment.application(application).map { [$0.rawValue, $0.desktopFileName] } ?? [application]
      for name in names { context[RouteCondition.Name.target(name)] = "running" }
      context[RouteCondition.Name.target(nil)] = "running"
    }
    return context
  }
}
