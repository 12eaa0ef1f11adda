// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles

/// The command `usher routes test`, which runs the tests in route files.
struct RoutesTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run the tests in route files: tests.yes, tests.no and tests.decide.",
    discussion: HelpText.discussion(
      """
      Each test runs against all files together. Also prints the diagnostics of the files.
      """,
      exit: [
        0: "all tests pass", 1: "a test failed, or a file has errors", 64: "the arguments are wrong",
        66: "a file cannot be read",
      ],
      examples: [
        "Test your own route files": "usher routes test",
        "Test a file before you install it": "usher routes test ./notes.toml",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Read these route files or directories (default: the user's directory).", valueName: "file"),
    completion: Completions.routeFiles)
  var paths: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let named = NamedRouteFiles(paths)
    let failed = named.files.runTests()
    let diagnostics = named.files.diagnostics + failed
    if json {
      let entries: [String: Variant] = [
        "tests": .int64(Int64(named.files.tests.count)),
        "diagnostics": .dictionaries(diagnostics.map(\.entries)),
      ]
      Console.emit(JSONText.line(entries.merging(NamedRouteFiles.failure(diagnostics)) { $1 }))
    } else {
      for diagnostic in diagnostics { Console.print(diagnostic.line) }
    }
    Console.warn("\(named.files.tests.count.counted("test")), \(failed.count) failed")
    let code = NamedRouteFiles.exitStatus(diagnostics)
    if code != 0 { throw ExitCode(code) }
  }
}
