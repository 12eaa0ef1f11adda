import ArgumentParser
import BusInterfaces
import RouteTables

/// The command `usher routes explain`, which shows why a route matches a URL, or why none does.
struct RoutesExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Says which route a URL goes to and over which others, by which rule, and which nearly match.",
    usage: "usher routes explain [<options>] [<file> ...] <url>",
    discussion: HelpText.discussion(
      """
      Of a route that nearly matches it says what fails, at which bytes of the URL, and what is expected there; where one edit mends it, \
      the URL that was probably meant. Of a URL that may be meant for a route with secret captures only what patterns write out is \
      shown; "usher routes match" prints what is captured. "usher explain" says what becomes of a link on this desktop.
      """,
      exit: RouteQuestion.exits,
      examples: [
        "By your own route files": "usher routes explain notes://note/seven",
        "By a file before it is installed": "usher routes explain ./notes.toml notes://note/7",
        "As if an application had asked":
          "usher routes explain --source-application org.example.Chat notes://note/7",
      ]))

  @Argument(help: RouteQuestion.wordsHelp, completion: Completions.routeFiles)
  var words: [String]

  @OptionGroup var request: RouteContextOptions

  @Option(help: ArgumentHelp("How many routes that nearly match are told.", valueName: "number"))
  var limit = 5

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard !words.isEmpty else { throw ValidationError("give a URL: usher routes explain [FILE…] URL") }
    guard limit >= 0 else { throw ValidationError("--limit is a number from 0") }
  }

  func run() throws {
    let question = try RouteQuestion(words, json: json)
    let reported = try question.answer { table throws(RouteTableError) in
      try table.explain(question.mappedURL, when: request.context, limit: limit)
    }
    if json {
      Console.emit(JSONText.line(reported.entries))
    } else {
      for (number, line) in reported.lines.enumerated() {
        Console.say(StyledText(line, as: number == 0 ? .heading : nil).inOneLine)
      }
    }
    if let code = question.exitCode(isMatched: reported.winner != nil) { throw code }
  }
}
