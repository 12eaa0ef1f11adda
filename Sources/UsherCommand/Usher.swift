// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import FileOutput
import Glibc
import OpenSocket

/// The program `usher-command`.
package enum UsherProgram {
  /// Runs the command with the arguments of this process.
  package static func main() {
    StandardDescriptors.occupy()
    Usher.main()
  }
}

/// The command `usher`, for users who open URLs, manage handlers and diagnose them.
struct Usher: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "usher",
    abstract: "Open URLs, and show which application opens them and why.",
    discussion: HelpText.discussion(
      """
      The broker chooses the application for a link: by the routes of the administrator and your own, then by the desktop's defaults. A \
      running application receives the link in its running instance; otherwise it is started. The caller gets the outcome.
      """,
      exit: [
        0: "success", 1: "failure, or a problem was found",
        64: "the arguments are wrong (“usher help open” lists further statuses)",
      ],
      examples: [
        "Open a link": "usher open notes://note/7",
        "Show which application opens it, and why": "usher explain notes://note/7",
        "Make an application the default for a scheme":
          "usher register org.example.Notes --scheme notes",
        "Find problems": "usher doctor",
      ]),
    version: "usher \(UsherVersion.text)",
    groupedSubcommands: [
      CommandGroup(
        name: "Links",
        subcommands: [
          OpenCommand.self, RevealCommand.self, ExplainCommand.self, HistoryCommand.self, MonitorCommand.self,
          ReportCommand.self, AnswerCommand.self,
        ]),
      CommandGroup(
        name: "Schemes",
        subcommands: [
          HandlersCommand.self, RegisterCommand.self, UnregisterCommand.self, DoctorCommand.self,
        ]),
      CommandGroup(name: "Web links", subcommands: [WebCommand.self]),
      CommandGroup(
        name: "Applications",
        subcommands: [
          NotifyCommand.self, PushCommand.self, DownloadCommand.self, RegionCommand.self,
          BluetoothCommand.self, ListenCommand.self, TestOpenCommand.self,
          TestApplicationCommand.self,
        ]),
      CommandGroup(name: "Other machines", subcommands: [RemoteCommand.self, SSHCommand.self]),
      CommandGroup(name: "Rules", subcommands: [RoutesCommand.self, GrantsCommand.self]),
    ])

  static func main() {
    let arguments = CommandLine.arguments
    takeOver(arguments)
    if let program = arguments.first, XDGOpenCall.isName(ofProgram: program) {
      Glibc.exit(XDGOpen.carryOut(XDGOpenCall(Array(arguments.dropFirst()))).rawValue)
    }
    if let status = carryOutPlain(arguments.dropFirst()) {
      // All output is written, and the kernel releases the other resources with the process.
      _exit(status)
    }
    do {
      var command = try parseAsRoot(Array(arguments.dropFirst()))
      try command.run()
      if Console.outputError != nil, !(command is OpenCommand) { Glibc.exit(Console.exitStatus()) }
    } catch {
      end(error, of: Array(arguments.dropFirst()))
    }
  }

  /// Takes over a request that the front has sent, and exits; does nothing for any other arguments.
  private static func takeOver(_ arguments: [String]) {
    guard arguments.count > 2, let sent = HandedOffRequest(arguments[0]) else { return }
    if XDGOpenCall.isName(ofProgram: arguments[1]) {
      Glibc.exit(XDGOpen.carryOut(.open(arguments[2]), sent).rawValue)
    }
    if let call = PlainCall(arguments.dropFirst(2)), let open = OpenInvocation(call, sent) {
      _exit(open.carryOut())
    }
  }

  /// Performs an invocation that can be parsed without ArgumentParser, and returns its exit status; otherwise `nil`.
  private static func carryOutPlain(_ words: ArraySlice<String>) -> Int32? {
    guard let call = PlainCall(words) else { return nil }
    if let open = OpenInvocation(call) { return open.carryOut() }
    if let explain = ExplainInvocation(call) { return Console.exitStatus(explain.carryOut()) }
    HandlersInvocation(json: call.has(.json)).carryOut()
    return Console.exitStatus()
  }

  /// Exits with the requested help, the exit status of the error, or a message about invalid arguments.
  private static func end(_ error: any Error, of words: [String]) -> Never {
    // The command has printed its error; the parser would otherwise build its help for nothing.
    if let code = error as? ExitCode { Glibc.exit(code.rawValue) }
    // The parser builds the help for the exit status, too.
    if let columns = HelpText.columns { setenv("COLUMNS", "\(columns)", 1) }
    let message = fullMessage(for: error)
    if words.first == "help", let diagnostic = UsageError.unknownCommand(Array(words.dropFirst())) {
      Console.warn(diagnostic)
      Glibc.exit(ExitCode.validationFailure.rawValue)
    }
    if words.first == "--generate-completion-script", exitCode(for: error) == .success {
      Console.emit(Completions.suggestion(message))
      Glibc.exit(Console.exitStatus())
    }
    if exitCode(for: error) == .success, !message.isEmpty {
      Console.emit(message)
      Glibc.exit(Console.exitStatus())
    }
    guard exitCode(for: error) == .validationFailure, !message.isEmpty else { exit(withError: error) }
    // During completion the shell displays an incomplete command line, which an error message would disturb.
    if words.first != "---completion" {
      let lines = UsageError(message, of: words).text.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() { Console.warn(String(line), by: number == 0 ? "usher" : nil) }
    }
    Glibc.exit(ExitCode.validationFailure.rawValue)
  }

  /// The prefix is empty, because `Console` prints the name of the program.
  static var _errorPrefix: String { "" }
}
