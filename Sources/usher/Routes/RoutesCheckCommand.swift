import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// `usher routes check`: everything that is wrong with route files, all at once.
struct RoutesCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Says what is wrong with route files, a line each: FILE:LINE:COLUMN: what, and what to do.",
    discussion: HelpText.discussion(
      """
      Among it are routes that claim the same URLs, with a URL that both match.
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
      "Complain also where two routes cross and the first difference from the left decides, and of what is seldom meant."
    ))
  var strict = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let named = NamedRouteFiles(paths)
    let files = named.files
    let (crossings, isComplete) = strict ? files.table.leftmostDecisions() : ([], true)
    let doubts = strict ? files.table.doubts : []
    let code = max(named.exitCode(files.complaints), crossings.isEmpty && doubts.isEmpty ? 0 : 1)
    if json {
      emit(files, crossings, doubts)
    } else {
      for complaint in files.complaints { Console.say(complaint.line) }
      for crossing in crossings {
        Console.say(StyledText(at: crossing.loser.location, "\(crossing)"))
      }
      for (location, sentence) in doubts {
        Console.say(StyledText(at: location, sentence))
      }
    }
    if !isComplete {
      Console.warn("there are too many routes to compare all pairs: some crossings may be missing")
    }
    let count = files.complaints.count + crossings.count + doubts.count
    Console.warn("\(files.table.routes.count) routes, width \(files.table.width), \(count) complaints")
    if code != 0 { throw ExitCode(code) }
  }

  private func emit(
    _ files: RouteFileSet, _ crossings: [LeftmostDecision],
    _ doubts: [(location: SourceLocation, sentence: String)]
  ) {
    var entries: [String: Variant] = [
      "complaints": .array(of: "a{sv}", files.complaints.map { .dictionary($0.entries) }),
      "routes": .int64(Int64(files.table.routes.count)), "width": .int64(Int64(files.table.width)),
    ]
    if strict {
      let list = crossings.map { crossing in
        var entries = crossing.loser.location.entries
        entries["winner"] = .string(crossing.winner.id)
        entries["loser"] = .string(crossing.loser.id)
        entries["witness"] = .string(crossing.witness.url)
        return Variant.dictionary(entries)
      }
      entries["crossings"] = .array(of: "a{sv}", list)
      entries["doubts"] = .array(
        of: "a{sv}",
        doubts.map { location, sentence in
          .dictionary(location.entries.merging(["message": .string(sentence)]) { $1 })
        })
    }
    Console.emit(JSONText.line(entries))
  }
}
