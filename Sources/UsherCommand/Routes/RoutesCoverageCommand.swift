import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// The command `usher routes coverage`, which shows the routes that a set of URLs reaches.
struct RoutesCoverageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Says which routes the URLs of a file reach, which never, and which URLs reach none.",
    usage: "usher routes coverage [<file> ...] <urls-file> [--json]",
    discussion: HelpText.discussion(
      """
      The last file has one URL a line, as a log or a list of links; blank lines and those that begin with # are passed over, and - is \
      standard input. A URL reaches each route that gets it if the request says the right things: a route with conditions is told \
      as never reached only where no request with these URLs would get there. Of URLs without a route, user, query and fragment \
      are not shown.
      """,
      exit: [
        0: "every route is reached", 1: "one is not, or a route file is wrong",
        64: "the command was called in a wrong way", 66: "a file cannot be read",
      ],
      examples: [
        "By your own route files": "usher routes coverage links.txt",
        "By a file before it is installed": "usher routes coverage ./notes.toml links.txt",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Files and folders, and last the file of URLs; without any other, the user's own folder.",
      valueName: "file… urls-file"), completion: .file())
  var words: [String]

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard !words.isEmpty else {
      throw ValidationError("give a file of URLs: usher routes coverage [FILE…] URLS-FILE")
    }
  }

  func run() throws {
    let named = NamedRouteFiles(words.dropLast())
    named.tellDiagnostics()
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
      for line in reported.lines { Console.say(line) }
    }
    for diagnostic in reported.diagnostics { Console.warn(diagnostic) }
    Console.warn(reported.summary)
    let code = max(NamedRouteFiles.exitCode(named.files.diagnostics), reported.isComplete ? 0 : 1)
    if code != 0 { throw ExitCode(code) }
  }
}
