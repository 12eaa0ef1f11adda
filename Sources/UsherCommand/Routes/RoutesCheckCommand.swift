import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// `usher routes check`: everything that is wrong with route files, all at once.
struct RoutesCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract:
      "Says what is wrong with route files, a line each: FILE:LINE:COLUMN: error: what, and what to do.",
    discussion: HelpText.discussion(
      """
      Errors leave a route, or a file, out: among them are routes that claim the same URLs, with a URL that both match. Warnings are proven: \
      a route that no URL can reach, a pattern that none matches or that no address matches which it seems to be for, a wins_over without a use. \
      The tests that stand in the files run, as in usher routes test.
      """,
      exit: [
        0: "nothing is wrong", 1: "something is", 64: "the command was called in a wrong way",
        66: "a file cannot be read",
      ],
      examples: [
        "Your own route files": "usher routes check",
        "Files before they are installed": "usher routes check --strict ./notes.toml",
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

  /// How many questions that could not be decided a person reads.
  private static let few = 10

  func run() throws {
    let named = NamedRouteFiles(paths)
    let files = named.files
    let complaints = files.complaints + files.runTests()
    let check = files.table.check(isStrict: strict)
    let applications = RouteApplicationCheck(catalog: ThisUser.catalog)
    let doubts =
      strict ? files.table.doubts + applications.doubts(of: files.table) : files.table.addressDoubts
    let code = max(named.exitCode(complaints), check.findings.isEmpty && doubts.isEmpty ? 0 : 1)
    if json {
      emit(files, complaints, check, doubts)
    } else {
      for complaint in complaints { say("error", complaint.location, complaint.message) }
      for finding in check.findings { say("warning", finding.route.location, "\(finding)") }
      for (location, sentence) in doubts { say("warning", location, sentence) }
    }
    tell(check.gaps)
    let count = complaints.count + check.findings.count + doubts.count
    Console.warn(
      "\(files.table.routes.count) routes, \(files.tests.count) tests, width \(files.table.width), \(count) complaints"
    )
    if code != 0 { throw ExitCode(code) }
  }

  /// `file:line:column: error: ` and the sentence, as compilers write it and editors read it.
  private func say(_ severity: String, _ location: SourceLocation, _ sentence: String) {
    Console.say(StyledText(at: location, "\(severity): \(sentence)"))
  }

  /// Says why there may be more, and of what.
  private func tell(_ gaps: ProofGaps) {
    for limit in gaps.limits { Console.warn("there may be more than this: \(limit)") }
    for question in gaps.undecided.prefix(Self.few) {
      Console.warn("\(question.route.location): \(question)")
    }
    let left = gaps.undecided.count - Self.few + gaps.furtherUndecided
    if left > 0 {
      Console.warn("\(left) more questions could not be decided; --json has the first \(ProofGaps.limit)")
    }
  }

  private func emit(
    _ files: RouteFileSet, _ complaints: [RouteFileComplaint], _ check: RouteCheck,
    _ doubts: [(location: SourceLocation, sentence: String)]
  ) {
    var entries: [String: Variant] = [
      "complaints": .array(of: "a{sv}", complaints.map { .dictionary($0.entries) }),
      "findings": .array(of: "a{sv}", check.findings.map { .dictionary($0.entries) }),
      "complete": .boolean(check.isComplete), "limits": .strings(check.gaps.limits.map(\.description)),
      "undecided": .array(of: "a{sv}", check.gaps.undecided.map { .dictionary($0.entries) }),
      "routes": .int64(Int64(files.table.routes.count)), "width": .int64(Int64(files.table.width)),
    ]
    if strict || !doubts.isEmpty {
      entries["doubts"] = .array(
        of: "a{sv}",
        doubts.map { location, sentence in
          .dictionary(location.entries.merging(["message": .string(sentence)]) { $1 })
        })
    }
    Console.emit(JSONText.line(entries))
  }
}

extension RouteFinding {
  /// `file` s, `line` x, `column` x, `kind` s, `route` s, `message` s, and what the kind has: `others` as, of a crossing
  /// `winner` s, `loser` s, `witness` s, `context` a{sv} and, where another wins that, `taker` s.
  fileprivate var entries: [String: Variant] {
    var entries = route.location.entries
    entries["route"] = .string(route.id)
    entries["message"] = .string(description)
    switch kind {
    case .matchesNothing: entries["kind"] = .string("matches-nothing")
    case .neverHolds: entries["kind"] = .string("never-holds")
    case .neverWins(let others):
      entries["kind"] = .string("never-wins")
      entries["others"] = .array(of: "s", others.map { .string($0.id) })
    case .nothingToWin(let other), .winsAnyway(let other), .layerDecides(let other):
      entries["kind"] = .string("pointless-wins-over")
      entries["others"] = .array(of: "s", [.string(other)])
    case .crossing(let decision):
      entries["kind"] = .string("crossing")
      entries["winner"] = .string(decision.winner.id)
      entries["loser"] = .string(decision.loser.id)
      entries["witness"] = .string(decision.witness.url)
      entries["context"] = .dictionary(decision.witness.context.mapValues { .string($0) })
      if let taker = decision.taker { entries["taker"] = .string(taker) }
    }
    return entries
  }
}

extension UndecidedQuestion {
  /// `file` s, `line` x, `column` x, `route` s, `others` as and `message` s.
  fileprivate var entries: [String: Variant] {
    var entries = route.location.entries
    entries["route"] = .string(route.id)
    switch kind {
    case .wins: break
    case .crosses(let other): entries["others"] = .strings([other.id])
    case .needsWinsOver(let id): entries["others"] = .strings([id])
    }
    entries["message"] = .string(description)
    return entries
  }
}
