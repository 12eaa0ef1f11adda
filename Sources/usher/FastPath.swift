// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Glibc
import OpenSocket
import RemoteProtocol

/// The fast path of the command: sends a plain URL to the broker's socket, and executes `usher-command` for everything else.
///
/// Half of the cost of opening a URL is the start of the command: libraries, Swift's runtime, the connection to the
/// bus. A plain URL needs one packet to a socket, and no library.
@main
enum FastPath {
  static func main() {
    StandardDescriptors.occupy()
    if let help = ClientHelp(CommandLine.arguments), !hasCompleteCommand { help.leave() }
    if let registration = RegistrationArguments(CommandLine.arguments), !hasCompleteCommand {
      register(registration)
    }
    if let call = RemoteCall(CommandLine.arguments, variable: variable) {
      switch call.carryOut() {
      case .finished(let status): exit(status)
      // This machine opens the link, if it has more of Usher than this program, and the user has chosen no desktop.
      case .unreachable(let reason):
        if !hasCompleteCommand { leave(call, reason) }
        if call.isOfChosenSocket { exit(call.reportUnreachable(reason)) }
      }
    }
    // Without the complete command, this program is the client of another desktop, in a container that may share the runtime directory:
    // the broker's own socket would bypass the container's relay.
    guard hasCompleteCommand,
      let call = FastPathArguments(
        CommandLine.arguments, isAtTerminal: isatty(STDERR_FILENO) == 1, variable: variable),
      let path = socketPath
    else {
      become(nil)
    }
    let id = call.packet.requestID
    switch OpenSocketClient(call.packet).carryOut(at: path, tellPrompting: tellPrompting) {
    case .done:
      // A user at a terminal gets the outcome printed.
      if call.isXDGOpen || isatty(STDOUT_FILENO) == 0 { _exit(0) }
      become(HandedOffRequest(id, .opened))
    case .uncertain: become(HandedOffRequest(id, .uncertain))
    case .unanswered: become(HandedOffRequest(id, .sent))
    case .notSent: become(nil)
    }
  }

  /// Prints that the user is asked in another window, where the complete command would print it.
  private static func tellPrompting() {
    RemoteCall.print("usher: waiting for your choice in another window\n", to: STDERR_FILENO)
  }

  /// Receives links of the desktop that has connected this machine.
  private static func register(_ arguments: RegistrationArguments) -> Never {
    switch arguments {
    case .valid(let call): exit(call.carryOut(variable))
    case .invalid(let reason):
      RemoteCall.print("usher: \(reason)\n", to: STDERR_FILENO)
      exit(64)
    }
  }

  private static var socketPath: String? {
    OpenSocket.path(
      runtimeDirectory: variable("XDG_RUNTIME_DIR"), busAddress: variable("DBUS_SESSION_BUS_ADDRESS"))
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Executes the complete command with the same arguments; exits with an error if it is missing.
  ///
  /// - Parameter sent: the work done so far, which precedes argument zero, where a user cannot pass it.
  private static func become(_ sent: HandedOffRequest?) -> Never {
    let places = places
    // `execv` returns only on failure.
    for place in places { execv(place, (sent.map { [strdup($0.word)] } ?? []) + words) }
    // A link that was sent must not be opened twice.
    if sent == nil {
      if let call = RemoteCall(CommandLine.arguments, isAlone: true, variable: variable) {
        switch call.carryOut() {
        case .finished(let status): exit(status)
        case .unreachable(let reason): leave(call, reason)
        }
      }
    }
    var message =
      "usher: usher-command is missing (expected at \(places.joined(separator: ", "))): Usher is not installed completely, or "
      + "\(ClientHelp.limits)\n"
    _ = message.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    exit(1)
  }

  /// Leaves a link that no desktop receives to another opener of this machine, or to the user.
  ///
  /// - Parameter reason: The reason for each socket that was tried.
  private static func leave(_ call: RemoteCall, _ reason: String) -> Never {
    if FastPathArguments.hasDisplay(variable), call.isXDGOpen { NextOpener.execute(words) }
    exit(call.reportUnreachable(reason))
  }

  /// The raw arguments, because they need not be UTF-8, and `nil`.
  private static var words: [UnsafeMutablePointer<CChar>?] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)) + [nil]
  }

  private static var hasCompleteCommand: Bool { places.contains { access($0, X_OK) == 0 } }

  /// The paths of the installed complete command, and of the one that was built beside this program.
  private static var places: [String] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { return [] }
    let own = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let directory = own.prefix(upTo: own.unicodeScalars.lastIndex(of: "/") ?? own.startIndex)
    return ["\(directory)/../libexec/usher/usher-command", "\(directory)/usher-command"]
  }
}

/// The arguments of a call that the front performs itself: one plain URL, opened with default options.
struct FastPathArguments: Equatable {
  /// The packet for the broker.
  let packet: OpenPacket
  /// A Boolean value that is `true` if the command was called as `xdg-open`, which prints nothing on success.
  let isXDGOpen: Bool

  /// Parses `words`, the program's name first; `nil` for anything that is left to the complete command, such as a file path.
  ///
  /// - Parameters:
  ///   - isAtTerminal: indicates whether standard error is a terminal.
  ///   - variable: returns the value of an environment variable.
  init?(_ words: [String], isAtTerminal: Bool = false, variable: (String) -> String?) {
    guard let program = words.first else { return nil }
    isXDGOpen = XDGOpenCall.isName(ofProgram: program)
    guard let (url, wait, prompt) = isXDGOpen ? Self.xdgOpen(words) : Self.open(words), Self.isPlainURL(url)
    else {
      return nil
    }
    // The complete command decides whether a web link is opened with `$BROWSER`.
    guard
      !isXDGOpen || Self.hasDisplay(variable)
        || !url.utf8.prefix(4).map({ $0 | 0x20 }).elementsEqual("http".utf8)
    else {
      return nil
    }
    // The complete command waits for the application.
    guard !ForwardedDisplay.mayEndWithProcess(variable) else { return nil }
    // The launcher passes the tokens for the application's window in these variables.
    let tokens = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"].compactMap(variable).filter { !$0.isEmpty }
    // A forwarded request must have its hops counted, which the complete command does.
    guard tokens.allSatisfy(Self.isPlainToken),
      !RequestVariable.all.contains(where: { variable($0) != nil })
    else { return nil }
    var others: [String: String] = [:]
    for (name, value) in SessionVariables.values(variable) {
      others["\(SessionVariables.option)/\(name)"] = value
    }
    if let startupID = tokens.last, startupID != tokens.first { others["startup-id"] = startupID }
    // A desktop's opener has no user who reads its output.
    if let prompt = prompt ?? (isAtTerminal && !words.contains("--from-desktop") ? "announce" : nil) {
      others["prompt"] = prompt
    }
    packet = OpenPacket(
      url: url, requestID: Self.randomID(), wait: wait, activationToken: tokens.first, others: others)
  }

  /// Returns whether the environment names a display.
  static func hasDisplay(_ variable: (String) -> String?) -> Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { variable($0).map { !$0.isEmpty } ?? false }
  }

  private static func xdgOpen(_ words: [String]) -> (url: String, wait: String?, prompt: String?)? {
    guard case .open(let url) = XDGOpenCall(Array(words.dropFirst())) else { return nil }
    return (url, nil, "leave")
  }

  /// Returns the argument, the outcome to wait for in the notation of the packet, and the behaviour while the user is asked.
  private static func open(_ words: [String]) -> (url: String, wait: String?, prompt: String?)? {
    // The socket has one answer without text, so that several URLs and the answer of an application need the complete command.
    guard let call = PlainCall(words.dropFirst()), call.command == .open, call.arguments.count == 1,
      !call.has(.json), call.wait != "handled"
    else { return nil }
    // A launcher waits until the opener exits, so the opener must not wait for the application.
    let wait = call.wait ?? (call.has(.fromDesktop) ? "accepted" : nil)
    let leaves = call.has(.fromDesktop) && wait == "accepted"
    return (call.arguments[0], wait == "delivered" ? nil : wait, leaves ? "leave" : nil)
  }

  /// Returns `true` if `word` is a URL that needs no escaping and does not name a local file.
  private static func isPlainURL(_ word: String) -> Bool {
    guard word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let scheme = word.scheme,
      // The complete command checks whether the file exists before it opens it.
      !scheme.map({ $0 | 0x20 }).elementsEqual("file".utf8)
    else { return false }
    var status = stat()
    return lstat(word, &status) != 0
  }

  /// Returns `true` if the token can be sent unchanged.
  private static func isPlainToken(_ token: String) -> Bool {
    token.utf8.count <= 4_096 && token.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  /// Returns 128 random bits in hexadecimal, so that other callers cannot guess the ID.
  static func randomID() -> String {
    [UInt64.random(in: .min ... .max), .random(in: .min ... .max)].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
