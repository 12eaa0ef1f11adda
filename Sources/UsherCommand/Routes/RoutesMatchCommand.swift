// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// The command `usher routes match`, which shows the route that matches a URL, with its captures.
struct RoutesMatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Print the route that a URL matches, its captures and its action, and open nothing.",
    usage: "usher routes match [<options>] [<file> ...] <url>",
    discussion: HelpText.discussion(
      """
      A path without scheme and host matches routes whose pattern begins with /.
      """,
      exit: RouteQuestion.exits,
      examples: [
        "Use your own route files": "usher routes match notes://note/7",
        "Use a file before you install it": "usher routes match ./notes.toml notes://note/7",
        "Decide as for a source application":
          "usher routes match --source-application org.example.Chat notes://note/7",
      ]))

  @Argument(help: RouteQuestion.wordsHelp, completion: Completions.routeFiles)
  var words: [String] = []

  @OptionGroup var request: RouteContextOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard !words.isEmpty else {
      throw ValidationError("no URL is given; run: usher routes match [FILE…] URL")
    }
  }

  func run() throws {
    let question = try RouteQuestion(words, json: json)
    let url = question.url
    let match = try question.answer { table throws(RouteTableError) in
      try table.match(
        question.compared, when: request.context(for: table.conditionNames),
        verified: request.verifiedContext(for: table.conditionNames))
    }
    print(match.map { MatchReport($0, url: url, of: request) }, url)
    if let code = question.exitStatus(isMatched: match != nil) { throw code }
  }

  private func print(_ reported: MatchReport?, _ url: String) {
    if json { return Console.emit(JSONText.line(reported?.entries ?? ["url": .string(url)])) }
    guard let reported else { return Console.warn("no route matches") }
    for line in reported.lines { Console.print(line) }
  }
}
