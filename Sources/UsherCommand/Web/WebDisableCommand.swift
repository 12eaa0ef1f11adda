// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop

/// The command `usher web disable`, which restores the desktop's own default for web links.
struct WebDisableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable",
    abstract: "Open web links with your browser directly, as before.",
    discussion: HelpText.discussion(
      """
      Restores the defaults and Xfce's helper that “usher web enable” has replaced, and removes only what Usher wrote. If another program has \
      changed a default meanwhile, its choice is kept. Your routes, and what you have enabled for web links, stay as they are and have no \
      effect on web links until you enable them again.
      """,
      exit: [
        0: "success, or there was nothing to restore", 1: "a file cannot be read or written",
        64: "the arguments are wrong",
      ],
      examples: [
        "Restore the previous state": "usher web disable",
        "Print JSON for a program": "usher web disable --json",
      ]))

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    var outcome: UnregistrationInvocation.Outcome
    do throws(UnregistrationInvocation.Obstacle) {
      outcome = try UnregistrationInvocation(schemes: URLScheme.web, restoresHelper: true).carryOut()
    } catch {
      return try Failure.report([error.reason], json: json)
    }
    if outcome.schemes.isEmpty { outcome.warnings = ["web links were not opened through Usher"] }
    guard !json else {
      var entries = outcome.entries
      entries["application"] = nil
      entries["browser"] = outcome.application.map { .string($0.rawValue) }
      entries["helper-restored"] = .boolean(outcome.hasRestoredHelper)
      return Console.emit(JSONText.line(entries))
    }
    for line in outcome.lines { Console.print(line) }
    if outcome.hasRestoredHelper { Console.print("Xfce: the previous helper for web links was restored") }
    for warning in outcome.warnings { Console.warn(warning) }
  }
}
