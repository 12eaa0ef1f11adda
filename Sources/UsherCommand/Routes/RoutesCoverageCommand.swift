// SPDX-License-Identifier: Apache-2.0
import RouteAnalysis
import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// The command `usher routes coverage`, which shows the routes that a set of URLs reaches.
struct RoutesCoverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract:
      "Show which routes the URLs of a file reach, which routes they never reach, and which URLs match no route.",
    usage: "usher routes coverage [<file> ...] <urls-file> [--json]",
    discussion: HelpText.discussion(
      """
      The last argument is a file with one URL per line, such as a log or a list of links; - is standard input. Blank lines and lines \
      that begin with # are ignored. A URL counts for each route that wins for at least one request with it: a route with conditions is \
      reported as never reached only if no request with these URLs can select it. URLs without a route are printed without user, query \
      and fragment.
      """,
      exit: [
        0: "every route is reached", 1: "a route is not reached, or a route file has errors",
        64: "the arguments are wrong", 66: "a file cannot be read",
      ],
      examples: [
        "Use your own route files": "usher routes coverage links.txt",
        "Use a file before you install it": "usher routes coverage ./notes.toml links.txt",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Name the route files or directories (default: the user's directory), then the file of URLs.",
      valueName: "file… urls-file"), completion: .file())
  var words: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard !words.isEmpty else {
      throw ValidationError("no file of URLs is given; run: usher routes coverage [FILE…] URLS-FILE")
    }
  }

  func run() throws {
    let named = NamedRouteFiles(words.dropLast())
    named.printDiagnostics()
    if json { try named.requireReadable() }
    let lines: URLLines
    do {
      lines = try URLLines(words.last ?? "")
    } catch {
      if json {
        Console.emit(JSONText.line(["error": .string("unreadable"), "message": .string("\(error)")]))
      } else {
        Console.warn("\(error)")
      }
      throw ExitCode(66)
    }
    let reported = CoverageReport(named.files.table, lines)
    if json {
      Console.emit(JSONText.line(reported.entries))
    } else {
      for line in reported.lines { Console.print(line) }
    }
    for diagnostic in reported.diagnostics { Console.warn(diagnostic) }
    Console.warn(reported.summary)
    let code = max(NamedRouteFiles.exitStatus(named.files.diagnostics), reported.isComplete ? 0 : 1)
    if code != 0 { throw ExitCode(code) }
  }
}
