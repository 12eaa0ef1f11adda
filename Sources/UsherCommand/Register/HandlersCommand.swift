// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import OpenSocket

/// The command `usher handlers`, which lists every scheme with its application.
struct HandlersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handlers",
    abstract:
      "List the schemes of this desktop with the application that opens each, since when, and the alternatives.",
    discussion: HelpText.discussion(
      """
      “since” is the time of the registration; for other defaults, the time of the last change of the file that names the application. \
      “by” shows this file and the line, unless it is your own mimeapps.list. “portal” shows an application that the desktop portal opens instead, for sandboxed applications and other \
      programs that use it, because you chose it in the portal's chooser. “usher explain URL” shows the reasons; “usher doctor” finds problems.
      """,
      exit: [0: "success", 64: "the arguments are wrong"],
      examples: ["List all schemes": "usher handlers", "Print JSON for a program": "usher handlers --json"]))

  @Flag(name: .plain(.json), help: "Print one JSON object.")
  var json = false

  func run() {
    HandlersInvocation(json: json).carryOut()
  }
}
