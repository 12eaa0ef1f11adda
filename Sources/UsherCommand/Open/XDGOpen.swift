import BrokerCore
import BusInterfaces
import Freedesktop
import Glibc
import RouteTables

/// The command under the name `xdg-open`: its arguments and its exit codes, where Usher is the system's opener.
///
/// Nothing is handed on to another opener. A display is not asked for: what the program needs, the program says.
struct XDGOpen {
  /// What it was called for.
  enum Call: Equatable {
    case open(String)
    case help
    case version
    /// Not as it may be called, and why.
    case syntax(String)

    /// Reads the arguments after the program's name.
    init(_ arguments: [String]) {
      switch arguments.first {
      case "--help", "--manual": self = .help
      case "--version": self = .version
      case let argument? where argument.hasPrefix("-"): self = .syntax("unexpected option '\(argument)'")
      case let argument? where arguments.count == 1 && !argument.isEmpty: self = .open(argument)
      case _? where arguments.count > 1: self = .syntax("unexpected argument '\(arguments[1])'")
      default: self = .syntax("file or URL argument missing")
      }
    }
  }

  /// The exit codes of xdg-open(1).
  enum Status: Int32 {
    case success = 0
    case syntax = 1
    case fileMissing = 2
    case nothingToOpenWith = 3
    case failed = 4

    /// That of a request that ended with an error.
    init(_ error: BrokerErrorName?) {
      switch error {
      case .invalidURL, .invalidRequest: self = .syntax
      case .noHandler, .needsBus: self = .nothingToOpenWith
      default: self = .failed
      }
    }
  }

  /// Whether the command was called by this name.
  static func isName(ofProgram path: String) -> Bool { path.split(separator: "/").last == "xdg-open" }

  /// Does what it was called for.
  static func carryOut(_ call: Call, _ sent: HandedOffRequest? = nil) -> Status {
    switch call {
    case .open(let argument): return open(argument, sent)
    case .help:
      Console.say(help)
      return .success
    case .version:
      Console.say("xdg-open of usher \(UsherVersion.text)")
      return .success
    case .syntax(let reason):
      Console.warn(reason, by: "xdg-open")
      Console.warn("Try 'xdg-open --help' for more information.", by: nil)
      return .syntax
    }
  }

  private static func open(_ text: String, _ sent: HandedOffRequest?) -> Status {
    let argument = OpenArgument(argument: text)
    let url: URLString
    do throws(URLString.Invalid) {
      url = try argument.url(allowsAnyPath: true)
    } catch {
      // What is no URL was meant as a file.
      Console.warn(error == .noScheme ? "file '\(text)' does not exist" : "\(error)", by: "xdg-open")
      return error == .noScheme ? .fileMissing : .syntax
    }
    if let path = FileURL.path(of: url.text), isMissing(path) {
      Console.warn("file '\(String(decoding: path, as: UTF8.self))' does not exist", by: "xdg-open")
      return .fileMissing
    }
    var call = OpenInvocation([argument])
    call.sent = sent
    let result = call.open([url], nil, sent?.id ?? RequestID.random())
    if let failure = result.failure {
      Console.warn(failure.message, by: "xdg-open")
      if result.isLost, isatty(STDERR_FILENO) == 0 {
        FailureNotice(links: [url.redacted], reason: failure.message).show()
      }
    }
    return status(of: result)
  }

  /// What the caller is told of a request.
  static func status(of result: OpenResult) -> Status {
    guard let failure = result.failure else { return .success }
    // The broker has it and goes on: another opener would open it twice.
    let isKept = !result.deliveries.isEmpty && result.deliveries.allSatisfy { $0.outcome >= .accepted }
    return isKept ? .success : Status(BrokerErrorName(failure.name))
  }

  private static func isMissing(_ path: [UInt8]) -> Bool {
    let path = path.map { CChar(bitPattern: $0) } + [0]
    return access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  private static let help = """
    xdg-open - opens a file or URL in the user's preferred application

    Synopsis

    xdg-open { file | URL }

    xdg-open { --help | --manual | --version }

    This is Usher's: 'usher explain URL' says which application opens what, and why.

    Exit codes: 0 it was handed over, 1 error in the command line or no URL, 2 the file does not exist, 3 nothing opens
    it, 4 it failed or was refused.
    """
}
