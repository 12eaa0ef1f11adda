// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import RouteFiles
import RouteTables

/// The command `usher report`, which writes handlers, history and routes as one page for a browser.
struct ReportCommand: ParsableCommand {
  /// The file that is written if none is named, in the working directory.
  static let defaultFile = "usher-report.html"

  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write one HTML file to look at: handlers, findings, the history with charts, and routes.",
    usage: "usher report [<options>] [<file>]",
    discussion: HelpText.discussion(
      """
      The page shows what handlers, doctor, history and routes check print, and why the newest links went where they went: with search, \
      filters, charts and a graph of the routes. It needs no server and no network, and contains no query, fragment or user of a URL. Only you \
      can read the file. An existing file is replaced only if it is a report. Without a broker, the page has no history. Prints the path of the file.
      """,
      exit: [
        0: "the file was written", 2: "--open: no application opens it",
        3: "--open: a route or the policy denies it",
        4: "--open: the application could not be started; further statuses are those of usher open",
        64: "the arguments are wrong", 66: "a file with routes or URLs cannot be read",
        73: "the file cannot be written, or exists and is not a report",
      ],
      examples: [
        "Write usher-report.html, and open it": "usher report --open",
        "Show the last week": "usher report week.html --since 7d",
        "Show a route file, and which of its routes some links reach":
          "usher report --routes ./notes.toml --urls links.txt",
      ]))

  @Argument(
    help: ArgumentHelp("Write this file.", valueName: "file"), completion: .file())
  var file = defaultFile

  @Option(help: ArgumentHelp("Show only requests that arrived at this time or later.", valueName: "time"))
  var since: PointInTime?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Show these route files or directories (default: those of all layers that are in force).",
      valueName: "file"), completion: Completions.routeFiles)
  var routes: [String] = []

  @Option(
    help: ArgumentHelp(
      "Explain the URLs of this file, one per line; - is standard input (default: the newest of the history).",
      valueName: "file"), completion: .file())
  var urls: String?

  @Flag(help: "Open the page, as usher open does.")
  var open = false

  func validate() throws {
    guard !file.isEmpty else { throw ValidationError("the name of the file is empty") }
  }

  func run() throws {
    var lines: URLLines?
    do throws(URLLines.Unreadable) {
      lines = try urls.map { path throws(URLLines.Unreadable) in try URLLines(path) }
    } catch {
      Console.warn(error.description)
      throw ExitCode(66)
    }
    let tables = try tables()
    let path = UserEnvironment.absolute(file)
    do throws(ReportFile.Failure) {
      var report = try ReportFile(replacing: path)
      let content = ReportContent(since: since, tables: tables, urls: lines)
      if let message = content.historyFailure { Console.warn("the report has no history: \(message)") }
      content.write(to: &report)
      try report.finish()
    } catch {
      Console.warn(error.description)
      throw ExitCode(EX_CANTCREAT)
    }
    Console.print(path)
    guard open else { return }
    guard let url = try? OpenArgument(bytes: Array(path.utf8)).url(allowsAnyPath: true) else { return }
    let invocation = OpenInvocation([])
    let status = invocation.report(invocation.open([url], id: RequestID.random()))
    if status != 0 { throw ExitCode(status) }
  }

  /// Returns the tables of the named files, or those of all layers.
  private func tables() throws -> [ReportedTable] {
    guard !routes.isEmpty else {
      let layers = LocalPolicy().layers.filter { !$0.files.table.routes.isEmpty || !$0.diagnostics.isEmpty }
      return layers.map {
        ReportedTable($0.files, $0.diagnostics, layer: RouteLayerReport.word(for: $0.rank))
      }
    }
    // The page names the files, and is opened in any directory.
    let named = NamedRouteFiles(routes.map { $0.isEmpty ? $0 : UserEnvironment.absolute($0) })
    if NamedRouteFiles.exitStatus(named.files.diagnostics) == 66 {
      named.printDiagnostics()
      throw ExitCode(66)
    }
    return [ReportedTable(named.files, named.files.diagnostics, layer: "files")]
  }
}
