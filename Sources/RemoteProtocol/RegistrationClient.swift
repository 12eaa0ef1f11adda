// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Glibc
import OpenSocket

/// A client that receives the links of a scheme from the desktop: it prints each URL on a line, or runs a program with it.
public struct RegistrationClient: Sendable {
  /// The reason why no more links arrive.
  public enum Outcome: Equatable, Sendable {
    /// The first links have arrived, and the client was to receive no more, or the reader of its output has exited; with the exit status.
    case finished(status: Int32)
    /// The desktop has refused or ended the registration, with a message of the kind ``RemoteMessage/Kind/result``.
    case result(RemoteMessage)
    /// No relay can be reached; the text says which sockets were tried.
    case unreachable(String)
    /// The relay has rejected the connection, or is of a version without registrations; the reason.
    case rejected(String)
    /// The connection has ended.
    case lost(String)
  }

  /// The reason why a link was not passed on, and how the client ends.
  private struct Failure {
    let reason: String
    /// The exit status of a client that ends with it.
    var status: Int32 = 1
    /// A Boolean value that indicates whether the reader of the output has exited, which ends the client with success.
    var isReaderGone = false
  }

  /// The exit status of a client that cannot write its output.
  private static let outputError: Int32 = 73

  /// The time in seconds that the user has to answer the desktop's question, if the client states none.
  public static let defaultTimeout = 120.0
  /// The time in milliseconds in which a relay must introduce itself.
  private static let contactTimeout = 10_000
  /// The time in milliseconds in which the relay must answer beyond that of the user.
  private static let grace = 10_000.0

  private let scheme: String
  private let timeout: Double
  private let isForOneLink: Bool
  private let command: [String]
  private let firstURL: String?
  private let report: @Sendable (String) -> Void

  /// Creates a client for a scheme.
  ///
  /// - Parameters:
  ///   - timeout: The time in seconds that the user has to answer the desktop's question.
  ///   - isForOneLink: Whether the client ends after the first delivery.
  ///   - command: The program and its arguments, to which the URL is added; empty if the URLs are printed.
  ///   - firstURL: A URL that the desktop opens as soon as links are sent, such as a sign-in page; `nil` for none.
  ///   - report: Called with each line about the progress, and with the reason why a link was not passed on.
  public init(
    for scheme: String, timeout: Double, isForOneLink: Bool, command: [String],
    opening firstURL: String?, report: @escaping @Sendable (String) -> Void
  ) {
    self.scheme = scheme
    self.timeout = timeout
    self.isForOneLink = isForOneLink
    self.command = command
    self.firstURL = firstURL
    self.report = report
  }

  /// Registers the scheme at the first relay that can be reached at one of the paths, and receives links until it ends.
  public func carryOut(at paths: [String]) -> Outcome {
    let limit = Int32(min(timeout * 1_000, 86_400_000) + Self.grace)
    var search = RelaySearch(interruption: -1)
    switch search.find(at: paths, timeout: Self.contactTimeout) {
    case .rejected(let reason): return .rejected(reason)
    case .unreachable(let reason): return .unreachable(reason)
    case .interrupted: return .lost(RelayConnection.lost)
    case .found(let connection, let ready):
      guard ready.values(of: "accepts").contains(RemoteMessage.Kind.register.rawValue) else {
        let version = ready["version"].map { " \($0)" } ?? ""
        return .rejected("Usher\(version) there cannot register schemes; install a newer version there")
      }
      return receive(over: connection, limit)
    }
  }

  private func receive(over connection: RelayConnection, _ limit: Int32) -> Outcome {
    let id = "register"
    let request = RemoteMessage(
      .register, ["id": id, "scheme": scheme, "timeout": "\(Int(timeout * 1_000_000))"])
    guard connection.send(request) else { return .lost(RelayConnection.lost) }
    // The broker repeats no request of an earlier ID.
    let opening = RemoteMessage(
      .open,
      ["id": "register-\(UInt64.random(in: .min ... .max))", "url": firstURL, "timeout": request["timeout"]])
    var limit = limit
    while true {
      switch connection.next(timeout: limit) {
      case .ended(let reason): return .lost(reason)
      case .interrupted: continue
      case .message(let message):
        switch message.kind {
        case .rejection: return .rejected(message.rejection)
        case .progress: if let text = message["text"] { report(text) }
        case .result where message["id"] == id: return .result(message)
        case .result where message["id"] == opening["id"] && message["status"] != "0": return .result(message)
        case .registered where message["id"] == id:
          limit = -1
          report("links of the desktop with the scheme \(message["scheme"] ?? scheme) arrive here")
          if firstURL != nil, !connection.send(opening) { return .lost(RelayConnection.lost) }
        case .link where message["id"] == id:
          let failure = handle(message)
          let isReaderGone = failure?.isReaderGone ?? false
          if let failure, !isReaderGone { report(failure.reason) }
          let answer = RemoteMessage(
            .handled, ["id": id, "delivery": message["delivery"], "error": failure?.reason])
          guard connection.send(answer) else { return .lost(RelayConnection.lost) }
          if isForOneLink || isReaderGone { return .finished(status: failure?.status ?? 0) }
        default: break
        }
      }
    }
  }

  /// Prints or passes on the links of a message; returns why one was not passed on, or `nil`.
  private func handle(_ message: RemoteMessage) -> Failure? {
    for url in message.values(of: "url") {
      // A line is one URL.
      guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
        return Failure(reason: "the link contains a control character")
      }
      let failure =
        command.isEmpty ? print(url) : run(url, hops: message["hops"]).map { Failure(reason: $0) }
      if let failure { return failure }
    }
    return nil
  }

  private func print(_ url: String) -> Failure? {
    // The link must not control a terminal; another program receives the link unchanged.
    let line = isatty(STDOUT_FILENO) != 0 ? url.visibleInOneLine : url
    guard let code = "\(line)\n".utf8.writeAll(to: STDOUT_FILENO) else { return nil }
    let isReaderGone = code == EPIPE
    return Failure(
      reason: "the link cannot be printed: \(String(cString: strerror(code)))",
      status: isReaderGone ? 0 : Self.outputError, isReaderGone: isReaderGone)
  }

  /// Runs the program with a URL, and waits for its end.
  private func run(_ url: String, hops: String?) -> String? {
    // The links that the program opens have one more hop.
    if let hops { setenv(RequestVariable.hops, hops, 1) }
    var arguments = (command + [url]).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // The client itself ignores SIGPIPE, which a program inherits.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    let code = posix_spawnp(&process, command[0], nil, &attributes, &arguments, environ)
    guard code == 0 else { return "\(command[0]) cannot be started: \(String(cString: strerror(code)))" }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return "the end of \(command[0]) is unknown" }
    }
    // The macros of wait(2) are not imported.
    if status & 0x7F != 0 { return "\(command[0]) was ended by the signal \(status & 0x7F)" }
    let exit = status >> 8 & 0xFF
    return exit == 0 ? nil : "\(command[0]) exited with status \(exit)"
  }
}
