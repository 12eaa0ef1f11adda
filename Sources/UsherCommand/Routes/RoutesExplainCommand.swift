// SPDX-License-Identifier: Apache-2.0
import RouteExplanations
import ArgumentParser
import BusInterfaces
import DBus
import RouteTables

/// The command `usher routes explain`, which shows why a route matches a URL, or why none does.
struct RoutesExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract:
      "Show which route a URL selects, by which rules it wins over others, and which routes nearly match.",
    usage: "usher routes explain [<options>] [<file> ...] <url>",
    discussion: HelpText.discussion(
      """
      For a route that nearly matches, prints which component fails, at which bytes of the URL, and what was expected there; if a single \
      edit makes it match, also the edited URL. For a URL that may be intended for a route with secret captures, only the literal parts \
      of patterns are printed; "usher routes match" prints the captured values. "usher explain" shows the decision of this desktop.
      """,
      exit: RouteQuestion.exits,
      examples: [
        "Use your own route files": "usher routes explain notes://note/seven",
        "Use a file before you install it": "usher routes explain ./notes.toml notes://note/7",
        "Decide as for a source application":
          "usher routes explain --source-application org.example.Chat notes://note/7",
      ]))

  @Argument(help: RouteQuestion.wordsHelp, completion: Completions.routeFiles)
  var words: [String] = []

  @OptionGroup var request: RouteContextOptions

  @Option(help: ArgumentHelp("Print at most this many routes that nearly match.", valueName: "number"))
  var limit = 5

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard !words.isEmpty else {
      throw ValidationError("no URL is given; run: usher routes explain [FILE…] URL")
    }
    guard limit >= 0 else { throw ValidationError("--limit must be 0 or more") }
  }

  func run() throws {
    let question = try RouteQuestion(words, json: json)
    let (reported, ineffective) = try question.answer { table throws(RouteTableError) in
      let context = request.context(for: table.conditionNames)
      // The URL of the match has the mapped host if a route that denies or asks wins that host.
      let verified = request.verifiedContext(for: table.conditionNames)
      let match = try table.match(question.compared, when: context, verified: verified)
      let url = match?.url ?? question.compared.text
      // An unverified claim that would only grant something has no effect.
      let isWonByClaim = try table.match(url, when: context)?.route.location == match?.route.location
      return try table.explain(
        url, decidedBy: match, when: isWonByClaim ? context : verified ?? context, limit: limit)
    }
    let note = ineffective.map { route in
      "\(route) has no effect, because it does not win every reading of the URL"
        + (question.compared.otherReadings.first.map { ": " + $0.reader } ?? "")
    }
    if json {
      var entries = reported.entries
      entries["notes"] = .strings(reported.notes.map(\.description) + [note].compactMap(\.self))
      Console.emit(JSONText.line(entries))
    } else {
      for (number, line) in (reported.lines + [note].compactMap { $0.map { "  note: \($0)" } }).enumerated() {
        Console.print(StyledText(line, as: number == 0 ? .heading : nil).inOneLine)
      }
    }
    if let code = question.exitStatus(isMatched: reported.winner != nil) { throw code }
  }
}
