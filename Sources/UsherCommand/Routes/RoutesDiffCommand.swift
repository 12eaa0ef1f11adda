// SPDX-License-Identifier: Apache-2.0
import RouteAnalysis
import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// The command `usher routes diff`, which shows the URLs for which other route files decide differently.
struct RoutesDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract:
      "Compare two versions of route files, and show an example of each class of URLs that they route differently.",
    discussion: HelpText.discussion(
      """
      Compares the effect of the files, not their text: a class of URLs changes if its action or the values captured from the URL \
      change. Renaming, moving or rewriting a route without another effect does not count as a change. Prints the diagnostics of the files and \
      compares the routes without errors.
      """,
      exit: [
        0: "proven: no URL changes",
        1: "a URL changes, the comparison is incomplete, or a new file has errors",
        64: "the arguments are wrong", 66: "a file cannot be read",
      ],
      examples: [
        "Show what a new file changes": "usher routes diff ~/.config/usher/routes/notes.toml ./notes.toml",
        "Compare directories for a pull request": "usher routes diff --markdown ../main/routes ./routes",
      ]))

  @Argument(
    help: ArgumentHelp("Read this file or directory as the old version.", valueName: "old"),
    completion: Completions.routeFiles)
  var old: String

  @Argument(
    help: ArgumentHelp("Read this file or directory as the new version.", valueName: "new"),
    completion: Completions.routeFiles)
  var new: String

  @Flag(help: "Print a table in Markdown.")
  var markdown = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard !markdown || !json else { throw ValidationError("--markdown and --json cannot be combined") }
  }

  func run() throws {
    let (before, after) = (NamedRouteFiles([old]), NamedRouteFiles([new]))
    let diagnostics = before.files.diagnostics + after.files.diagnostics
    before.printDiagnostics()
    after.printDiagnostics()
    guard NamedRouteFiles.exitStatus(diagnostics) != 66 else {
      // A missing file would make its routes look removed.
      if json { Console.emit(JSONText.line(NamedRouteFiles.failure(diagnostics))) }
      throw ExitCode(66)
    }
    let reported = DiffReport(from: before.files.table, to: after.files.table)
    if json {
      Console.emit(JSONText.line(reported.entries))
    } else if markdown {
      Console.emit(reported.markdown)
    } else {
      for line in reported.lines { Console.print(line) }
    }
    let (diff, groups) = (reported.diff, reported.groups)
    for limit in diff.limits { Console.warn("the comparison is incomplete: \(limit)") }
    Console.warn(
      diff.changes.count.counted("class of URLs changes", plural: "classes of URLs change")
        + ", by \(groups.count.counted("route")); \(diff.undecided.count) undecided"
    )
    // A route with a diagnostic is not compared, because nothing is proven about it.
    if !diff.isEmpty || !after.files.diagnostics.isEmpty { throw ExitCode(1) }
  }
}
