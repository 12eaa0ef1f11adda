// SPDX-License-Identifier: Apache-2.0
import RouteAnalysis
import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// The command `usher routes check`, which reports all problems of route files at once.
struct RoutesCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract:
      "Check route files and print one line per diagnostic: FILE:LINE:COLUMN: error: PROBLEM, and how to fix it.",
    discussion: HelpText.discussion(
      """
      If a file has errors, the broker uses its last version without errors; if there is none, it uses the routes without errors. Of \
      conflicting routes, it uses those that deny; if none denies, those that ask. Two routes of one owner conflict if they match the same \
      URLs, or overlap within one component and neither is narrower there, unless one of them wins_over the other; the diagnostic \
      contains such a URL. Warnings about routes that never win, patterns that match nothing, overlaps and superfluous wins_over are \
      proven; other warnings name probable mistakes. Also runs the tests in the files, as usher routes test does. Without a file argument, prints the \
      directory that was read and the number of routes in each file. With --system, reads the files of all layers as the broker does \
      and prints the layers in their order of precedence, their final routes, and which version of each file is in force since when. \
      For a named file in a directory of the administrator it also reports who else can write it, as --system does.
      """,
      exit: [
        0: "no diagnostics", 1: "at least one error", 2: "warnings, but no error",
        64: "the arguments are wrong",
        66: "a file cannot be read",
      ],
      examples: [
        "Check your own route files": "usher routes check",
        "Check files before you install them": "usher routes check --strict ./notes.toml",
        "Show what is in force for this user on this machine": "usher routes check --system",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Read these route files or directories (default: the user's directory).", valueName: "file"),
    completion: Completions.routeFiles)
  var paths: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Also warn about overlapping routes that are ordered only by their first difference (with a URL for each), about constructs that are rarely intended, and about application IDs that are not installed."
    ))
  var strict = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(
    help:
      "Check the route files of all layers that are in force for this user; of a file with errors, its last version without errors."
  )
  var system = false

  /// The maximum number of undecided questions that are printed.
  private static let few = 10

  func validate() throws {
    guard !system || paths.isEmpty else {
      throw ValidationError("--system reads the directories of all layers; leave out the files")
    }
  }

  func run() throws {
    let (report, sets, diagnostics, directories) = read()
    let locks = Locks()
    let check = RouteFilesCheck(of: sets, diagnostics, isStrict: strict)
    if json {
      var entries = check.entries(withDoubts: strict)
      entries.merge(NamedRouteFiles.failure(check.diagnostics)) { $1 }
      entries["layers"] = report.map { .dictionaries($0.entries) }
      if report != nil { entries["locks"] = .dictionaries(locks.entries) }
      Console.emit(JSONText.line(entries))
    } else {
      if system { Console.print(locks.lines + (report?.lines ?? [])) }
      for diagnostic in check.diagnostics {
        printFinding("error", at: diagnostic.location, diagnostic.message)
      }
      for warning in check.permissionWarnings {
        printFinding("warning", at: warning.location, warning.message)
      }
      for finding in check.findings { printFinding("warning", at: finding.route.location, "\(finding)") }
      for (location, sentence) in check.warnings { printFinding("warning", at: location, sentence) }
    }
    printGaps(of: check)
    printProtection(of: directories, check)
    if !system, let report {
      for sentence in report.sentences { Console.warn(sentence) }
      if let file = locks.file(of: .userRoutes) {
        Console.warn("these routes are not in force, because users' routes are disabled by \(file)")
      }
      if report.isEmpty { Console.suggest([.checkSystem]) }
    }
    let counts =
      "\(check.routes.counted("route")), \(check.tests.counted("test")), width \(check.width), \(check.count.counted("diagnostic"))"
    Console.warn(counts)
    let code =
      check.diagnostics.isEmpty && check.count > 0 ? 2 : NamedRouteFiles.exitStatus(check.diagnostics)
    if code != 0 { throw ExitCode(code) }
  }

  /// Reads the files to check, and returns the report of the layers if no file is named, the files, their diagnostics, and the directories.
  private func read() -> (RouteLayerReport?, [RouteFileSet], [RouteFileDiagnostic], [RouteDirectory]) {
    if system {
      let local = LocalPolicy()
      return (
        RouteLayerReport(layers: local.layers), local.layers.map(\.files), local.diagnostics,
        local.layers.flatMap(\.routeDirectories)
      )
    }
    let named = NamedRouteFiles(paths)
    return (
      named.layer.map { RouteLayerReport(layers: [$0]) }, [named.files], named.files.diagnostics,
      named.directories
    )
  }

  /// Prints which of the directories and files only root can change, and which files in them are not read.
  private func printProtection(of directories: [RouteDirectory], _ check: RouteFilesCheck) {
    let mistrusted = (check.permissionWarnings + check.diagnostics).filter { $0.kind == .ownership }.map(
      \.location.file)
    for directory in directories where directory.isProtected && !mistrusted.contains(directory.path) {
      Console.warn("only root can change \(directory.path)")
    }
    for path in RouteFileSource.skippedPaths(in: directories.map(\.path)) {
      Console.warn("not read: \(path): only files whose name ends in .toml are read, and no subdirectories")
    }
  }

  /// Prints `file:line:column: error: ` and a sentence, in the form that editors parse.
  private func printFinding(_ severity: String, at location: SourceLocation, _ sentence: String) {
    Console.print(StyledText(at: location, "\(severity): \(sentence)"))
  }

  /// Prints the reasons why the check may be incomplete.
  private func printGaps(of check: RouteFilesCheck) {
    for limit in check.limits { Console.warn("the check is incomplete: \(limit)") }
    for question in check.undecided.prefix(Self.few) {
      Console.warn("\(question.route.location): \(question)")
    }
    let left = check.undecided.count - Self.few + check.furtherUndecided
    if left > 0 {
      Console.warn(
        "\(left) more questions could not be decided; --json lists the first \(AnalysisGaps.limit)")
    }
  }
}
