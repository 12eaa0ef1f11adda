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
      "Says what is wrong with route files, a line each: FILE:LINE:COLUMN: error: what, and what to do.",
    discussion: HelpText.discussion(
      """
      Errors leave a route, or a file, out: among them are routes that claim the same URLs, with a URL that both match. Warnings are proven: \
      a route that no URL can reach, a pattern that none matches or that no address matches which it seems to be for, a wins_over without a use. \
      The tests that stand in the files run, as in usher routes test. Without a file, the folder that was read and the routes of each file \
      in it are told. With --system they are those of all layers in the order in which they decide, as the broker reads them, with the final routes, \
      and with the version of each file that is in force since when.
      """,
      exit: [
        0: "nothing is wrong", 1: "something is", 64: "the command was called in a wrong way",
        66: "a file cannot be read",
      ],
      examples: [
        "Your own route files": "usher routes check",
        "Files before they are installed": "usher routes check --strict ./notes.toml",
        "What is in force for this user on this machine": "usher routes check --system",
      ]))

  @Argument(
    help: ArgumentHelp("Files and folders; without any, the user's own folder.", valueName: "file"),
    completion: Completions.routeFiles)
  var paths: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Warn also where two routes cross and the first difference from the left decides, with a URL each, of what is seldom meant, and of application IDs that are not installed."
    ))
  var strict = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(
    help:
      "Check what is in force for this user: the route files of all layers, of a file with errors its last version without any."
  )
  var system = false

  /// The maximum number of undecided questions that are printed.
  private static let few = 10

  func validate() throws {
    guard !system || paths.isEmpty else {
      throw ValidationError("--system reads the folders of all layers: name no file")
    }
  }

  func run() throws {
    let (report, sets, diagnostics) = read()
    let locks = Locks()
    let check = RouteFilesCheck(of: sets, diagnostics, isStrict: strict)
    if json {
      var entries = check.entries(withDoubts: strict)
      entries["layers"] = report.map { .array(of: "a{sv}", $0.entries.map { .dictionary($0) }) }
      if report != nil { entries["locks"] = .array(of: "a{sv}", locks.entries.map { .dictionary($0) }) }
      Console.emit(JSONText.line(entries))
    } else {
      if system { Console.say(locks.lines + (report?.lines ?? [])) }
      for diagnostic in check.diagnostics { say("error", diagnostic.location, diagnostic.message) }
      for finding in check.findings { say("warning", finding.route.location, "\(finding)") }
      for (location, sentence) in check.doubts { say("warning", location, sentence) }
    }
    tell(check)
    if !system, let report {
      for sentence in report.sentences { Console.warn(sentence) }
      if let file = locks.file(of: .userRoutes) {
        Console.warn("these routes are not in force: users' routes are switched off by \(file)")
      }
      if report.isEmpty { Console.suggest([.checkSystem]) }
    }
    let counts =
      "\(check.routes.counted("route")), \(check.tests.counted("test")), width \(check.width), \(check.count.counted("complaint"))"
    Console.warn(counts)
    let code = max(NamedRouteFiles.exitCode(check.diagnostics), check.count == 0 ? 0 : 1)
    if code != 0 { throw ExitCode(code) }
  }

  /// Reads the files to check, and returns the report of the layers if no file is named, the files, and their diagnostics.
  private func read() -> (RouteLayerReport?, [RouteFileSet], [RouteFileDiagnostic]) {
    if system {
      let local = LocalPolicy()
      return (RouteLayerReport(layers: local.layers), local.layers.map(\.files), local.diagnostics)
    }
    let named = NamedRouteFiles(paths)
    return (named.layer.map { RouteLayerReport(layers: [$0]) }, [named.files], named.files.diagnostics)
  }

  /// Prints `file:line:column: error: ` and a sentence, in the form that editors parse.
  private func say(_ severity: String, _ location: SourceLocation, _ sentence: String) {
    Console.say(StyledText(at: location, "\(severity): \(sentence)"))
  }

  /// Prints the reasons why the check may be incomplete.
  private func tell(_ check: RouteFilesCheck) {
    for limit in check.limits { Console.warn("there may be more than this: \(limit)") }
    for question in check.undecided.prefix(Self.few) {
      Console.warn("\(question.route.location): \(question)")
    }
    let left = check.undecided.count - Self.few + check.furtherUndecided
    if left > 0 {
      Console.warn("\(left) more questions could not be decided; --json has the first \(AnalysisGaps.limit)")
    }
  }
}

extension Int {
  /// The number with a noun, in the plural unless it is 1.
  fileprivate func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
