// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop

/// The command `usher unregister`, which removes Usher's registration of a scheme.
struct UnregisterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unregister",
    abstract: "Revert a registration and restore the previous default.",
    usage: "usher unregister [<id>] [--scheme <scheme> ...] [<options>]",
    discussion: HelpText.discussion(
      """
      Removes only what Usher wrote. If another program has changed the default meanwhile, its choice is kept. Also removes the \
      leftovers of an interrupted registration.
      """,
      exit: [
        0: "success, or there was nothing to revert", 1: "a file cannot be read or written",
        64: "the arguments are wrong",
      ],
      examples: [
        "Unregister one scheme": "usher unregister --scheme notes",
        "Unregister all schemes of an application": "usher unregister org.example.Notes",
        "Unregister web links": "usher unregister --web",
        "Unregister for all users": "usher unregister --system org.example.Notes",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Unregister this application (default: the application that was registered last for the scheme).",
      valueName: "id"),
    completion: Completions.applications)
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Unregister this scheme (default: all schemes of the application).", valueName: "scheme"))
  var scheme: [URLScheme] = []

  @OptionGroup var web: WebArguments

  @Flag(help: "Unregister for all users what was registered with --system; needs root.")
  var system = false

  func validate() throws {
    guard name.map({ UserEnvironment.application($0) != nil }) ?? true else {
      throw ValidationError("“\(name ?? "")” is not a desktop-file ID")
    }
    guard name != nil || !scheme.isEmpty || !web.isEmpty else {
      throw ValidationError("nothing is selected; add --scheme notes, --web, or an application's ID")
    }
  }

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let invocation = UnregistrationInvocation(
      name: name, schemes: scheme + web.schemes, isForAllUsers: system)
    let outcome: UnregistrationInvocation.Outcome
    do throws(UnregistrationInvocation.Obstacle) { outcome = try invocation.carryOut() } catch {
      return try Failure.report([error.reason], json: json)
    }
    guard !json else { return Console.emit(JSONText.line(outcome.entries)) }
    for line in outcome.lines { Console.print(line) }
    for warning in outcome.warnings { Console.warn(warning) }
    Console.suggest(outcome.nextSteps)
  }
}
