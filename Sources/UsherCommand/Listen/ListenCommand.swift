// SPDX-License-Identifier: Apache-2.0
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
    abstract: "Receive links for a program in any language, and pass its replies to the callers.",
    usage: "usher listen <id> [<url> ...] [<options>] [-- <command> ...]",
    discussion: HelpText.discussion(
      """
      This command owns the application's bus name, and writes each request as one line of JSON to the standard input of a program. The \
      program replies with one line that names the request: {"request-id": "…", "handled": true, "value": …}, {"request-id": "…", \
      "handled": false} or {"request-id": "…", "error": "…"}. Before the reply, it can report \
      progress: {"request-id": "…", "progress": {"completed": 3, "total": 10, "message": "…"}}. Lines that do not begin with “{” are \
      ignored. If a line begins with “{” but has no request-id or is not valid JSON, the outcome of all pending requests is unknown, and \
      the program is restarted for the next request. The program is \
      started for the first request and keeps running; if it exits, it is restarted for the next request. With --each, a new \
      process of the program is started for each request, its input ends after the line, and its reply need not name the request. A program that exits \
      with 0 without a reply has \
      handled its request. If it exits with another status, is killed or does not reply in time, the outcome is unknown, because the \
      request may have had its effect; the caller gets the error. If it exits while it has several requests, each is passed to a new process \
      once more. With --each, an exit status of 1 to 128 means that the request failed.

      If this command is killed, even by SIGKILL, the program and its process group are killed, too.

      Without --concurrent, the program handles one request at a time. With --concurrent N, it gets up to N requests at a time, and \
      must read its input while it works. If a \
      caller cancels a request, the program then receives the line {"request-id": "…", "withdrawn": true}. If it has stopped handling \
      the request, it replies with the same line.

      Without a program, each request is written to standard output, and counts as handled. With --replies, each request waits for a \
      reply on standard input, so that a program can run usher listen as its child.

      URLs among the arguments, as a desktop entry passes them for %U, form the first request; if the application already runs, its \
      running instance receives them. usher register with --name and --exec writes a desktop entry whose Exec line runs usher listen.
      """,
      exit: [
        0: "ended by a signal or by --idle, or the application already runs", 1: "failure",
        64: "the arguments are wrong", 69: "there is no user bus",
      ],
      examples: [
        "Pass requests to a program": "usher listen org.example.Shell -- ./handle-links",
        "Start a new program for each request":
          "usher listen org.example.Shell --each -- jq -c '{handled:true,value:.urls}'",
        "Print requests in the terminal": "usher listen org.example.Shell",
      ]))

  @Argument(help: ArgumentHelp("Name the application by its desktop-file ID.", valueName: "id"))
  var application: ApplicationID

  @Argument(
    help: ArgumentHelp(
      "Name the URLs of the first request; after “--”, the program that reads requests and writes replies, and its arguments.",
      valueName: "url … -- command"))
  var words: [String] = []

  @Flag(help: "Start a new process of the program for each request.")
  var each = false

  @Flag(help: "Without a program: read a reply to each request from standard input.")
  var replies = false

  @Option(
    help: ArgumentHelp(
      "Pass up to this many requests at a time, 1 to 64, and report cancelled requests (default: one, without reports).",
      valueName: "number"))
  var concurrent: Int?

  @Option(
    help: ArgumentHelp(
      "Wait at most this long for a reply or for progress, 0.001 to 86400 (default: 20).",
      valueName: "seconds"))
  var timeout: Seconds?

  @Option(
    help: ArgumentHelp("Exit after this long without a request (default: never).", valueName: "seconds"))
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
        "\(application.rawValue) is not a valid bus name; it needs at least two parts, such as org.example.Shell"
      )
    }
    if let word = urls.first(where: { URLScheme(of: $0) == nil }) {
      throw ValidationError("“\(word)” is not a URL; write “--” before a command")
    }
    guard !each || !command.isEmpty else {
      throw ValidationError(
        "--each needs a command; run: usher listen \(Shell.word(application.rawValue)) --each -- COMMAND")
    }
    guard concurrent.map((1...64).contains) ?? true else {
      throw ValidationError("--concurrent must be 1 to 64")
    }
    guard concurrent == nil || !command.isEmpty || replies else {
      throw ValidationError("--concurrent needs a command or --replies, because printed requests do not wait")
    }
    guard !replies || command.isEmpty else {
      throw ValidationError("--replies excludes a command, because the replies of a command are always read")
    }
  }

  func run() throws {
    var call = ["usher-listen"]
    if each { call.append("--each") }
    if replies { call.append("--replies") }
    for (name, seconds) in [("timeout", timeout), ("idle", idle)] {
      if let seconds { call.append("--\(name)=\(Int64(seconds.duration / .microseconds(1)))") }
    }
    if let concurrent { call.append("--concurrent=\(concurrent)") }
    call += [application.rawValue, String(urls.count)] + urls
    if let program = command.first { call += [try path(of: program)] + command }
    hint()
    let program = UserEnvironment.program(besideThis: "usher-listen")
    // `execv` returns only on failure.
    if let program { execv(program, call.map { strdup($0) } + [nil]) }
    Console.warn(
      program.map { "\($0) is missing or not executable; install Usher again" }
        ?? "cannot find usher-listen, because /proc is not mounted; run: mount -t proc proc /proc")
    throw ExitCode.failure
  }

  private func path(of program: String) throws -> String {
    if let found = try? UserEnvironment.path(of: program) { return found }
    Console.warn(
      "no executable program \(program)\(program.contains("/") ? "" : " in PATH")")
    throw ExitCode.failure
  }

  /// Warns a user at a terminal if no links, or not all parts of the request, can arrive.
  private func hint() {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let name = application.rawValue
    guard let entry = try? UserEnvironment.catalog.entry(application) else {
      return Console.warn(
        "no desktop entry has the ID \(name), so the application receives no links yet; run: usher register --id \(name) --name \"My program\" "
          + "--exec \"usher listen \(name) %U -- COMMAND\" --scheme SCHEME")
    }
    guard !entry.isDBusActivatable, !entry.takesEnvelopes else {
      return
    }
    Console.warn(
      "\(entry.path ?? application.desktopFileName) lacks “Implements=\(Application1Interface.name.rawValue);”: the request that starts the application arrives without its "
        + "source, and its reply is lost")
  }
}
