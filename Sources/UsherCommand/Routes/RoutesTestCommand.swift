import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles

/// The command `usher routes test`, which runs the tests in route files.
struct RoutesTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs the tests that stand beside the routes: tests.yes, tests.no and tests.decide.",
    discussion: HelpText.discussion(
      """
      Each runs against all files together. What is wrong with the files is told, too.
      """,
      exit: [
        0: "all hold", 1: "one failed, or a file is wrong", 64: "the command was called in a wrong way",
        66: "a file cannot be read",
      ],
      examples: [
        "Your own route files": "usher routes test",
        "A file before it is installed": "usher routes test ./notes.toml",
      ]))

  @Argument(
    help: ArgumentHelp("Files and folders; without any, the user's own folder.", valueName: "file"),
    completion: Completions.routeFiles)
  var paths: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let named = NamedRouteFiles(paths)
    let failed = named.files.runTests()
    let diagnostics = named.files.diagnostics + failed
    if json {
      Console.emit(
        JSONText.line([
          "tests": .int64(Int64(named.files.tests.count)),
          "complaints": .array(of: "a{sv}", diagnostics.map { .dictionary($0.entries) }),
        ]))
    } else {
      for diagnostic in diagnostics { Console.say(diagnostic.line) }
    }
    Console.warn("\(named.files.tests.count) tests, \(failed.count) failed")
    let code = NamedRouteFiles.exitCode(diagnostics)
    if code != 0 { throw ExitCode(code) }
  }
}
