import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// The command `usher routes diff`, which shows the URLs for which other route files decide differently.
struct RoutesDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Says which URLs go elsewhere when route files change, with an example of each class.",
    discussion: HelpText.discussion(
      """
      Nothing is compared line by line: a class of URLs changes if something else is done with it, or the same with other texts from \
      the URL. Routes that are only renamed, moved or written in another way change nothing. What is wrong with the files is told, \
      and compared are the routes that are right.
      """,
      exit: [
        0: "it is proven that nothing changes",
        1: "something changes, or that could not be told, or a new file is wrong",
        64: "the command was called in a wrong way", 66: "a file cannot be read",
      ],
      examples: [
        "What a new file changes": "usher routes diff ~/.config/usher/routes/notes.toml ./notes.toml",
        "For a pull request, folders": "usher routes diff --markdown ../main/routes ./routes",
      ]))

  @Argument(
    help: ArgumentHelp("The file, or the folder of files, as it was.", valueName: "old"),
    completion: Completions.routeFiles)
  var old: String

  @Argument(
    help: ArgumentHelp("The file, or the folder of files, as it is now.", valueName: "new"),
    completion: Completions.routeFiles)
  var new: String

  @Flag(help: "Print a table in Markdown.")
  var markdown = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard !markdown || !json else { throw ValidationError("give one of --markdown and --json") }
  }

  func run() throws {
    let (before, after) = (NamedRouteFiles([old]), NamedRouteFiles([new]))
    let diagnostics = before.files.diagnostics + after.files.diagnostics
    before.tellDiagnostics()
    after.tellDiagnostics()
    guard NamedRouteFiles.exitCode(diagnostics) != 66 else {
      // A missing file would make its routes look removed.
      if json {
        let message = diagnostics.map(\.line.text).joined(separator: "; ")
        Console.emit(JSONText.line(["error": .string("unreadable"), "message": .string(message)]))
      }
      throw ExitCode(66)
    }
    let reported = DiffReport(from: before.files.table, to: after.files.table)
    if json {
      Console.emit(JSONText.line(reported.entries))
    } else if markdown {
      Console.emit(reported.markdown)
    } else {
      for line in reported.lines { Console.say(line) }
    }
    let (diff, groups) = (reported.diff, reported.groups)
    for limit in diff.limits { Console.warn("more may change: \(limit)") }
    Console.warn(
      "\(diff.changes.count) classes of URLs change, by \(groups.count) routes; \(diff.undecided.count) undecided"
    )
    // A route with a diagnostic is not compared, because nothing is proven about it.
    if !diff.isEmpty || !after.files.diagnostics.isEmpty { throw ExitCode(1) }
  }
}
