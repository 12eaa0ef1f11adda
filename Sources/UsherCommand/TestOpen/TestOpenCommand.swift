// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrokerCore
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching
import RouteFiles
import RouteTables
import Systemd

/// The command `usher test-open`, for developers of an application that opens URLs.
struct TestOpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test-open",
    abstract:
      "Open links in an application that is not running, running or suspended, and report each step.",
    usage: "usher test-open [<options>] <id> <url> ...",
    discussion: HelpText.discussion(
      """
      This command is for developers of applications that receive links. It brings the application into the given state, opens the links through the broker \
      as any other program would, and reports each step: whether this application is the one that the broker would choose, what ran \
      before, the outcome, the duration and the answer of the application.

      cold: the application does not run and is started for the links. warm: the application runs; if necessary, it is first started \
      without a link. suspended: the application runs but is stopped by SIGSTOP, and the broker resumes it for the links. With --watch, \
      whenever the route file is written, the tests in that file are run and then the links are opened again.

      The command waits for the strongest outcome that the application can report: handled, if it implements org.usher.Application1; delivered, if \
      its entry has DBusActivatable=true. Any other program reports by its exit status: handled, if it is 0. If the program has not exited \
      within --timeout, the outcome is delivered.
      """,
      exit: [
        0: "the links reached the application, with the strongest outcome that it can report",
        1: "the test cannot run, and nothing was opened",
        2: "no application opens the links", 3: "a route, a policy or the user denied the request",
        4: "the application cannot be started", 5: "no answer in time, or the outcome is unknown",
        6: "the application failed or did not handle the request", 9: "the request was cancelled",
        64: "the arguments are wrong", 65: "an argument is neither a URL nor a file, or the URL is ambiguous",
        69: "the broker cannot be reached",
      ],
      examples: [
        "Start it for a link": "usher test-open --simulate cold org.example.Notes notes://note/7",
        "Suspend it, and resume it for two links":
          "usher test-open --simulate suspended org.example.Notes notes:7 notes:8",
        "Repeat whenever a route file is written":
          "usher test-open --restart --watch notes.toml org.example.Notes notes:7",
      ]))

  @Option(
    help: ArgumentHelp(
      "Bring the application into this state first: cold, warm or suspended.", valueName: "state"))
  var simulate = Simulation.cold

  @Argument(help: ArgumentHelp("Name the application by its desktop-file ID.", valueName: "id"))
  var application: ApplicationID

  @Argument(help: ArgumentHelp("Open these links in one request.", valueName: "url"))
  var urls: [OpenArgument]

  @Flag(help: "Terminate a running instance with SIGTERM first.")
  var restart = false

  @Option(
    help: ArgumentHelp(
      "Run the tests of this route file and open the links again whenever it is written.", valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var watch: String?

  @Option(
    help: ArgumentHelp(
      "Claim to be this application; the claim never overrides a verified identity.", valueName: "id"))
  var sourceApplication: ApplicationID?

  @Option(
    help: ArgumentHelp("Pass this value to the application: any JSON, at most 64 KiB.", valueName: "json"))
  var annotation: JSONArgument?

  @Option(
    help: ArgumentHelp(
      "Wait at most this long, 0.001 to 86400 (default: 20, or 5 if the program reports by its exit status).",
      valueName: "seconds"))
  var timeout: Seconds?

  @Flag(help: "Print one JSON object per run.")
  var json = false

  func validate() throws { try annotation?.validate(as: "--annotation") }

  func run() throws {
    let links = try checkedURLs()
    guard let watch else { return try rehearse(links) }
    // The directory is watched, because editors replace the file by a new one.
    let directory = watch.unicodeScalars.lastIndex(of: "/").map { String(watch.unicodeScalars[...$0]) } ?? "."
    let changes: DirectoryMonitor
    do throws(SystemdError) { changes = try DirectoryMonitor(directory) } catch {
      throw ValidationError("--watch: \(error)")
    }
    repeat {
      testRoutes(in: watch)
      do { try rehearse(links) } catch let code as ExitCode
        where code.rawValue != BrokerErrorName.cancelled.exitStatus
      {
        // A failure may be fixed by the next version of the file; only Ctrl-C ends the loop.
      }
      Console.warn("waiting for changes of \(watch); press Ctrl-C to stop")
    } while changes.waitForChange(of: String(watch.split(separator: "/").last ?? ""))
  }

  private func checkedURLs() throws -> [URLString] {
    try OpenArgument.originals(of: urls).map { argument in
      do throws(URLString.Invalid) {
        return try argument.url(allowsAnyPath: true)
      } catch {
        throw reported(
          OpenSimulation.Obstacle(
            sentence: argument.diagnostic(error), exitStatus: BrokerErrorName.invalidURL.exitStatus))
      }
    }
  }

  private func testRoutes(in file: String) {
    let files = NamedRouteFiles([file]).files
    let diagnostics = files.diagnostics + files.runTests()
    let count = diagnostics.count
    let verdict = count == 1 ? "1 diagnostic" : "\(count) diagnostics"
    let summary: StyledText = "\(file): tests: \(files.tests.count), \(verdict)"
    // With --json, standard output is for the objects.
    for line in diagnostics.map(\.line) + [summary] {
      if json { Console.warn(line.text) } else { Console.print(line) }
    }
  }

  private var story: OpenSimulationReport { OpenSimulationReport(application, simulate, isJSON: json) }

  /// Prints the reason why the test cannot run, and returns the exit status as an error.
  private func reported(_ obstacle: OpenSimulation.Obstacle) -> ExitCode {
    story.print(obstacle)
    return ExitCode(obstacle.exitStatus)
  }

  private func rehearse(_ links: [URLString]) throws {
    let entry = try installedEntry()
    if let obstacle = OpenSimulation.obstacle(to: simulate, of: application, entry, mayRestart: restart) {
      throw reported(obstacle)
    }
    story.begin()
    story.print("entry", entry.path ?? application.desktopFileName)
    for link in links { story.print("link", comingByItself(link)) }
    var rehearsal = OpenSimulation(
      id: application, entry: entry, simulation: simulate, mayRestart: restart,
      opening: opening(links, entry),
      report: story.print)
    var isGivenUp = false
    rehearsal.opening.givenUp = { isGivenUp = true }
    var code: Int32
    do throws(OpenSimulation.Obstacle) {
      let outcome = try rehearsal.carryOut()
      story.print(outcome)
      code = outcome.result.exitStatus
    } catch {
      story.print(error)
      code = error.exitStatus
    }
    // The request may have been answered nevertheless, but Ctrl-C is meant for the command.
    if isGivenUp { code = BrokerErrorName.cancelled.exitStatus }
    if code != 0 { throw ExitCode(code) }
  }

  private func installedEntry() throws -> DesktopEntry {
    guard let entry = try? UserEnvironment.catalog.entry(application) else {
      throw reported(
        OpenSimulation.Obstacle(
          sentence:
            "no desktop entry has the ID \(application); run: usher register FILE.desktop --scheme SCHEME"))
    }
    return entry
  }

  /// Returns a sentence about the application that would open a URL without `--app`.
  private func comingByItself(_ link: URLString) -> String {
    var options = OpenOptions()
    options.sourceApplication = sourceApplication?.rawValue
    let reported = ExplanationReport(CorrectedURL(link), options)
    guard reported.application != application.rawValue else {
      return "the broker would choose this application for \(link.text)"
    }
    let other = reported.application.map { "would choose \($0)" } ?? "would choose no application"
    return
      "the broker \(other) for \(link.text) (run usher explain for the reasons); this test passes it to \(application)"
  }

  private func opening(_ links: [URLString], _ entry: DesktopEntry) -> OpenOperation {
    var options = OpenOptions()
    options.requestID = RequestID.random()
    options.target = application.rawValue
    options.sourceApplication = sourceApplication?.rawValue
    options.annotation = try? annotation?.value(of: "annotation")
    options.wait = entry.isDBusActivatable && !entry.takesEnvelopes ? .delivered : .handled
    options.timeout =
      timeout?.duration ?? (entry.reportsByExitStatus ? Self.exitTimeout : OpenOptions.defaultTimeout)
    let source = LocalPolicy.source(claimed: options.sourceApplication)
    return OpenOperation(
      request: OpenRequest(urls: links, source: source, target: application), fallback: nil, options: options,
      id: options.requestID ?? "", goal: entry.reportsByExitStatus ? .delivered : nil)
  }

  /// The longest wait for the exit of a program, which may run until the user closes it.
  private static let exitTimeout = Duration.seconds(5)
}
