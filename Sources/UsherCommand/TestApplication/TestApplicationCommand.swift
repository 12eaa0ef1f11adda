// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching

/// The command `usher test-application`, for developers of an application that serves `org.usher.Application1`.
struct TestApplicationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test-application",
    abstract: "Check that an application implements org.usher.Application1 correctly.",
    usage: "usher test-application [<options>] <id> <url>",
    discussion: HelpText.discussion(
      """
      This command is for developers of applications that implement org.usher.Application1 themselves. It starts the application on a private \
      bus with a separate runtime directory and acts as the broker there. It repeats and cancels requests; sends many, large and invalid ones; sends a \
      request at the moment at which the application acquires its bus name, and several requests while a slow one is handled; replaces the \
      broker; and kills the application several times. For each check that fails, it says what \
      is wrong and which clause of org.usher.Application1.xml is violated; the clause [exit] is not checked. The application handles more \
      than a thousand requests during the test. It has your home directory and your files, which the requests \
      may change, such as a thousand new notes; --home DIRECTORY gives it another home directory. An instance in your session keeps running. If the application \
      needs more than 2 ms per link, the check “many” sends as many requests as it handles in two seconds (at least 32). If it needs more \
      than 10 ms, the command sends fewer concurrent requests (at least 32) and fewer URLs per request (at least 16), so that each check \
      takes about five seconds.

      Give a link that the application handles, with --slow a link whose handling takes two to ten seconds, and with --failing a link for \
      which the application reports an error; without them, the checks of requests in progress and of errors are skipped. The command can \
      detect a request that was handled twice only if the reply to the link contains something that changes each time, such as a counter.

      For a program behind usher listen, the checks of crashes kill usher listen, and with it the program. A crash of the program \
      alone is not checked: its request ends with the outcome “unknown”, and is not handled again.
      """,
      exit: [
        0: "all checks passed or were skipped", 1: "a check failed, or the application cannot be tested",
        64: "the arguments are wrong", 69: "there is no bus for the test",
      ],
      examples: [
        "Check an application": "usher test-application org.example.Notes notes:7",
        "Also check requests in progress":
          "usher test-application --slow notes:import org.example.Notes notes:7",
        "Also check errors": "usher test-application --failing notes:x org.example.Notes notes:7",
      ]))

  @Argument(
    help: ArgumentHelp("Name the application by its desktop-file ID.", valueName: "id"),
    completion: Completions.applications)
  var application: ApplicationID

  @Argument(help: ArgumentHelp("Deliver this link, which the application must handle.", valueName: "url"))
  var link: String

  @Option(
    help: ArgumentHelp(
      "Also check requests in progress, with this link, whose handling must take two to ten seconds.",
      valueName: "url"))
  var slow: String?

  @Option(
    help: ArgumentHelp(
      "Also check errors, with this link, for which the application must report an error.", valueName: "url"))
  var failing: String?

  @Option(
    help: ArgumentHelp("Wait at most this long for a reply, 1 to 86400 (default: 30).", valueName: "seconds"))
  var timeout: Seconds?

  @Option(
    help: ArgumentHelp(
      "Give the application this home directory, with its data, configuration, state and cache (default: yours).",
      valueName: "directory"),
    completion: .directory)
  var home: String?

  @Option(help: ArgumentHelp("Run only this check; can be repeated.", valueName: "check"))
  var only: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    for url in [link, slow, failing].compactMap(\.self) where URLScheme(of: url) == nil {
      throw ValidationError("“\(url)” is not a URL")
    }
    if let home, (try? homeDirectory()) == nil {
      throw ValidationError("\(home) is not a directory; run: mkdir \(Shell.word(home))")
    }
  }

  func run() throws {
    // The reader of the report may exit first (`| head`), but the bus and the application have to be ended.
    signal(SIGPIPE, SIG_IGN)
    let entry: DesktopEntry
    let tested: ApplicationUnderTest
    do throws(CheckFailure) {
      entry = try installedEntry()
      tested = try ApplicationUnderTest(
        application, try launch(entry), home: try homeDirectory(), timeout: timeout?.duration ?? .seconds(30))
    } catch {
      throw end(error)
    }
    defer { tested.end() }
    let all = ApplicationChecks(
      application: tested, link: link, slowLink: slow, failingLink: failing,
      isDeclared: entry.takesEnvelopes
    ).all
    let checks = only.isEmpty ? all : all.filter { only.contains($0.name) }
    if let word = only.first(where: { word in !all.contains { $0.name == word } }) {
      throw end(
        .cannotRun("there is no check “\(word)”; the checks are \(all.map(\.name).joined(separator: ", "))"))
    }
    var results: [CheckResult] = []
    do throws(CheckFailure) {
      try tested.start()
      for check in checks {
        let result = try outcome(of: check, on: tested)
        if !json { Console.print(result.line) }
        results.append(result)
      }
    } catch {
      tested.end()
      throw end(error)
    }
    report(results, of: all.count, hasConstantReply: tested.hasConstantReply)
    if results.contains(where: { $0.outcome == .failed }) { throw ExitCode.failure }
  }

  /// Prints the results as one JSON object, or a summary of them, because each was printed after its check.
  private func report(_ results: [CheckResult], of total: Int, hasConstantReply: Bool) {
    guard !json else {
      return Console.emit(
        JSONText.line([
          "application": .string(application.rawValue),
          "checks": .dictionaries(results.map(\.entries)),
        ]))
    }
    if hasConstantReply {
      Console.print(
        "\(link) always gets the same reply, so the checks cannot detect that a request is handled twice")
    }
    let failed = results.filter { $0.outcome == .failed }.count
    let passed = results.filter { $0.outcome == .passed }.count
    let summary =
      switch (failed, passed) {
      case (1..., _): "\(failed) of \(results.count) checks failed"
      case (_, total): "\(application) passes all \(total) checks"
      default: "\(application) passes \(passed) of \(total) checks; the others were skipped"
      }
    Console.print(summary)
  }

  /// Runs a check; after a failure the application is started again, because it may still have requests.
  private func outcome(
    of check: ApplicationChecks.Check, on tested: ApplicationUnderTest
  ) throws(CheckFailure) -> CheckResult {
    do throws(CheckFailure) {
      try check.run()
      return CheckResult(name: check.name, outcome: .passed)
    } catch {
      switch error {
      case .notChecked(let reason):
        return CheckResult(name: check.name, outcome: .notChecked, message: reason)
      case .broken(let clause, let message):
        try restart(tested)
        return CheckResult(name: check.name, outcome: .failed, message: message, clause: clause)
      case .exited(let request):
        try restart(tested)
        return CheckResult(
          name: check.name, outcome: .failed, message: "the application exited while it had \(request)",
          clause: .answer)
      case .cannotRun, .noBus: throw error
      }
    }
  }

  private func restart(_ tested: ApplicationUnderTest) throws(CheckFailure) {
    if try tested.processID() == nil { try tested.start() } else { try tested.crashAndRestart() }
  }

  /// The absolute path of the application's home directory; `nil` for that of the user.
  private func homeDirectory() throws(CheckFailure) -> String? {
    guard let home else { return nil }
    var status = stat()
    guard stat(home, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, let path = realpath(home, nil) else {
      throw .cannotRun("\(home) is not a directory")
    }
    defer { free(path) }
    return String(cString: path)
  }

  private func installedEntry() throws(CheckFailure) -> DesktopEntry {
    guard let entry = try? UserEnvironment.catalog.entry(application) else {
      throw .cannotRun(
        "no desktop entry has the ID \(application); run: usher register FILE.desktop --scheme SCHEME")
    }
    return entry
  }

  private func launch(_ entry: DesktopEntry) throws(CheckFailure) -> Launch {
    let launches: [Launch]
    do throws(LaunchError) {
      launches = try EntryLaunch.launches(
        of: entry, id: application, opening: [],
        programs: LaunchPrograms(
          ProgramSearch(path: LaunchEnvironment.current()["PATH"]), catalog: UserEnvironment.catalog,
          directories: UserEnvironment.directories))
    } catch {
      throw .cannotRun("\(error)")
    }
    guard let launch = launches.first else {
      throw .cannotRun("the Exec line of \(application) starts no program")
    }
    return launch
  }

  /// Prints the reason why the test cannot run, and returns the exit status.
  private func end(_ failure: CheckFailure) -> ExitCode {
    let (sentence, code): (String, Int32) =
      switch failure {
      case .noBus(let sentence): (sentence, EX_UNAVAILABLE)
      case .cannotRun(let sentence), .notChecked(let sentence), .broken(_, let sentence): (sentence, 1)
      case .exited(let request): ("the application exited while it had \(request)", 1)
      }
    if json {
      Console.emit(
        JSONText.line([
          "application": .string(application.rawValue),
          "error": .string(code == EX_UNAVAILABLE ? "no-bus" : "cannot-run"), "message": .string(sentence),
        ]))
    } else {
      Console.warn(sentence)
    }
    return ExitCode(code)
  }
}

/// The result of a check.
private struct CheckResult {
  enum Outcome: String {
    case passed, failed
    case notChecked = "not-checked"
  }

  let name: String
  let outcome: Outcome
  var message: String?
  var clause: Clause?

  var line: String {
    let word =
      switch outcome {
      case .passed: "ok      "
      case .failed: "FAILED  "
      case .notChecked: "–       "
      }
    let reason = message.map { ": \($0)" } ?? ""
    return word + name + reason + (clause.map { " [\($0.rawValue)]" } ?? "")
  }

  var entries: [String: Variant] {
    var entries: [String: Variant] = ["check": .string(name), "outcome": .string(outcome.rawValue)]
    entries["message"] = message.map(Variant.string)
    entries["clause"] = clause.map { .string($0.rawValue) }
    return entries
  }
}
