import ArgumentParser
import BusInterfaces
import DBus
import RouteFiles
import RouteTables

/// `usher routes match`: which route a URL matches, and with what.
struct RoutesMatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Says which route a URL matches, what it captures, and what would be done; does nothing.",
    usage: "usher routes match [<options>] [<file> ...] <url>",
    discussion: HelpText.discussion(
      """
      The path of a URL alone matches routes that begin with /.
      """,
      exit: [
        0: "a route matches", 1: "none does, or a file is wrong", 64: "the command was called in a wrong way",
        65: "what was given is no URL", 66: "a file cannot be read",
      ],
      examples: [
        "By your own route files": "usher routes match notes://note/7",
        "By a file before it is installed": "usher routes match ./notes.toml notes://note/7",
        "As if an application had asked":
          "usher routes match --source-application org.example.Chat notes://note/7",
      ]))

  @Argument(
    help: ArgumentHelp(
      "Files and folders, and last the URL; without any file, the user's own folder.", valueName: "file… url"),
    completion: Completions.routeFiles)
  var words: [String]

  @Option(
    help: ArgumentHelp("Match as if this application had asked.", valueName: "id"),
    completion: Completions.applications)
  var sourceApplication: String?

  @Option(
    help: ArgumentHelp(
      "How sure that is: sandbox, unit, executable, claimed or unknown; if not told, claimed or unknown.",
      valueName: "level"), completion: .list(["sandbox", "unit", "executable", "claimed", "unknown"]))
  var assurance: String?

  @Option(help: ArgumentHelp("The web origin that asks, as https://example.org.", valueName: "origin"))
  var origin: String?

  @Option(
    help: ArgumentHelp("What a person did: clicked or allowed.", valueName: "part"),
    completion: .list(["clicked", "allowed"]))
  var person: String?

  @Flag(help: "Match as if a sandboxed application had asked.")
  var sandboxed = false

  @Option(
    help: ArgumentHelp("An application that runs; may be given more than once.", valueName: "id"),
    completion: Completions.applications)
  var running: [String] = []

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard !words.isEmpty else { throw ValidationError("give a URL: usher routes match [FILE…] URL") }
    let levels = ["sandbox", "unit", "executable", "claimed", "unknown"]
    guard assurance.map(levels.contains) ?? true else {
      throw ValidationError("an assurance is one of \(levels.joined(separator: ", ")).")
    }
    guard person.map({ PersonsPart(rawValue: $0) != nil }) ?? true else {
      throw ValidationError("A person's part is clicked or allowed")
    }
  }

  func run() throws {
    let url = words.last ?? ""
    let named = NamedRouteFiles(words.dropLast())
    for complaint in named.files.complaints { Console.warn(complaint.line.text) }
    guard String(validating: OpenArgument.original(of: url), as: UTF8.self) != nil else {
      return try refuse("\(URLString.Invalid.notUTF8)")
    }
    let match: RouteMatch<RouteAction>?
    do {
      match = try named.files.table.match(url, when: context)
    } catch {
      return try refuse(error.description)
    }
    tell(match.map { ToldMatch($0, url: url, source: sourceApplication) }, url)
    let code = named.exitCode(named.files.complaints)
    if code != 0 || match == nil { throw ExitCode(max(code, 1)) }
  }

  private func refuse(_ message: String) throws {
    if json {
      Console.emit(JSONText.line(["error": .string("invalid-url"), "message": .string(message)]))
    } else {
      Console.warn(message)
    }
    throw ExitCode(65)
  }

  private func tell(_ told: ToldMatch?, _ url: String) {
    if json { return Console.emit(JSONText.line(told?.entries ?? ["url": .string(url)])) }
    guard let told else { return Console.warn("no route matches") }
    for line in told.lines { Console.say(line) }
  }

  /// What the request says of itself, as the broker puts it.
  private var context: [String: String] {
    var context: [String: String] = [:]
    context[RouteCondition.Name.source] = sourceApplication
    context[RouteCondition.Name.assurance] = assurance ?? (sourceApplication == nil ? "unknown" : "claimed")
    context[RouteCondition.Name.origin] = origin
    context[RouteCondition.Name.person] = person
    context[RouteCondition.Name.sandboxed] = sandboxed ? "yes" : nil
    for application in running {
      context[RouteCondition.Name.target(application)] = "running"
      context[RouteCondition.Name.target(nil)] = "running"
    }
    return context
  }
}
