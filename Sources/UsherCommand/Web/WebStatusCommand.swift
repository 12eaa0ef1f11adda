// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces

/// The command `usher web status`, which shows whether web links are opened through Usher.
struct WebStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show whether each program of this desktop opens web links through Usher.",
    discussion: HelpText.discussion(
      """
      Asks gio and xdg-mime, reads the lists of every desktop that has one here, and the choices that the desktop portal has stored, and finds \
      the program that exo-open, sensible-browser and the variable BROWSER start. For each that bypasses Usher, prints the command that \
      changes it. Changes nothing.
      """,
      exit: [
        0: "all of them open web links through Usher",
        1: "Usher is not enabled for web links, or at least one of them bypasses it",
        64: "the arguments are wrong",
      ],
      examples: [
        "Show the state": "usher web status", "Print JSON for a program": "usher web status --json",
      ]))

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let status = WebStatus()
    if json { Console.emit(JSONText.line(status.entries)) } else { status.report() }
    guard status.isEnabled, status.openers.allSatisfy({ !$0.bypassesUsher }) else { throw ExitCode(1) }
  }
}
