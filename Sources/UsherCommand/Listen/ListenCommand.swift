import ArgumentParser
import BusInterfaces
import DBus
import Freedesktop
import Glibc
import Launching

/// The command `usher listen`, which passes links to any program.
struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "Makes any program, in any language, one that gets links and replies to them.",
    usage: "usher listen <id> [<url> ...] [<options>] [-- <command> ...]",
    discussion: HelpText.discussion(
      """
      Takes the application's name on the bus, and writes each request as one line of JSON to the command's standard input. The \
      command replies with one line, {"handled": true, "value": …}, {"handled": false} or {"error": "…"}, and may tell of its \
      progress before, {"progress": {"completed": 3, "total": 10, "message": "…"}}; other lines that it writes are left alone. It is \
      started for the first request and stays; where it ends, it is started again for the next one. With --each there is a new one \
      for each request, which reads the end of its input behind the line. A command that ends with 0 and without a reply has \
      handled its request; what ends otherwise, or does not reply in time, has failed, and whoever asked is told.

      Without a command, the requests are written to standard output, and are handled by that; with --replies each waits for a \
      reply on standard input, so that a program may run this as its child.

      URLs, as a desktop entry hands them over for %U, are the first request; where the application is running already, they go there. \
      In a desktop entry it is Exec=usher listen org.example.Shell %U -- /usr/bin/handle-links.

      This writes such an entry, and gives it links: \
      usher register --name Mine --scheme mine --exec "usher listen org.example.Shell -- /usr/bin/handle-links"
      """,
      exit: [
        0: "a signal ended it, or --idle did, or the application is running already", 1: "it failed",
        64: "the command was called in a wrong way",
      ],
      examples: [
        "Hand requests to a program": "usher listen org.example.Shell -- ./handle-links",
        "Start one for each request":
          "usher listen org.example.Shell --each -- jq -c '{handled:true,value:.urls}'",
        "Read the replies that you type": "usher listen org.example.Shell --replies",
      ]))

  @Argument(help: ArgumentHelp("The application, by its desktop-file ID.", valueName: "id"))
  var application: ApplicationID

  @Argument(
    help: ArgumentHelp(
      "URLs that it was started for; behind “--” the program that reads requests and writes replies, and its arguments.",
      valueName: "url … -- command"))
  var words: [String] = []

  @Flag(help: "Start a new command for each request.")
  var each = false

  @Flag(help: "Without a command: read a reply to each request from standard input.")
  var replies = false

  @Option(
    help: ArgumentHelp("How long a reply may take, 0.001 to 86400 (default: 20).", valueName: "seconds"))
  var timeout: Seconds?

  @Option(
    help: ArgumentHelp("End when nothing has come for so long (default: never).", valueName: "seconds"))
  var idle: Seconds?

  // The number of arguments after `--`, which ArgumentParser removes from its list.
  private var behindTerminator: Int {
    let arguments = CommandLine.arguments
    return arguments.firstIndex(of: "--").map { arguments.count - $0 - 1 } ?? 0
  }
  private var urls: [String] { words.dropLast(behindTerminator) }
  private var command: [String] { words.suffix(behindTerminator) }

  func validate() throws {
    guard application.busName != nil else {
      throw ValidationError(
        "\(application.rawValue) can be no name on the bus: it needs two parts at least, as org.example.Shell"
      )
    }
    if let word = urls.first(where: { URLScheme(of: $0) == nil }) {
      throw ValidationError("“\(word)” is no URL; did you forget the “--” before a command?")
    }
    guard !each || !command.isEmpty else {
      throw ValidationError("--each is for a command: usher listen \(application.rawValue) --each -- COMMAND")
    }
    guard !replies || command.isEmpty else {
      throw ValidationError("--replies is for a start without a command, whose replies are read anyway")
    }
  }

  func run() throws {
    var call = ["usher-listen"]
    if each { call.append("--each") }
    if replies { call.append("--replies") }
    for (name, seconds) in [("timeout", timeout), ("idle", idle)] {
      if let seconds { call.append("--\(name)=\(Int64(seconds.duration / .microseconds(1)))") }
    }
    call += [application.rawValue, String(urls.count)] + urls
    if let program = command.first { call += [try path(of: program)] + command }
    hint()
    // `execv` returns only on failure.
    if let place = Self.place { execv(place, call.map { strdup($0) } + [nil]) }
    Console.warn(
      "a part of Usher is missing, usher-listen (looked for as \(Self.place ?? "nothing: there is no /proc"))"
    )
    throw ExitCode.failure
  }

  private func path(of program: String) throws -> String {
    if let found = try? UserEnvironment.path(of: program) { return found }
    Console.warn(
      "there is no program \(program)\(program.contains("/") ? "" : " in PATH") that can be executed")
    throw ExitCode.failure
  }

  /// Warns a user at a terminal if no links, or not all parts of the request, can arrive.
  private func hint() {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let name = application.rawValue
    guard let entry = try? UserEnvironment.catalog.entry(application) else {
      return Console.warn(
        "no desktop entry has the ID \(name), so no link leads here yet: usher register --id \(name) --name \"My program\" "
          + "--exec \"usher listen \(name) %U -- COMMAND\" --scheme SCHEME")
    }
    guard !entry.isDBusActivatable, !entry.takesEnvelopes else {
      return
    }
    Console.warn(
      "\(entry.path ?? application.desktopFileName) lacks “Implements=\(Application1Interface.name.rawValue);”: what starts the application comes without its "
        + "source, and no reply goes back")
  }

  /// The path of `usher-listen`, which is installed beside this program.
  private static var place: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    let own = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let directory = own.prefix(upTo: own.lastIndex(of: "/") ?? own.startIndex)
    return "\(directory)/usher-listen"
  }
}
