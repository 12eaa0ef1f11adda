// SPDX-License-Identifier: Apache-2.0
import Glibc
import OpenSocket

/// The answers of this program on a machine that has nothing else of Usher: the help, the version, and what is not here.
///
/// The portable client, `desktop/remote/usher-open`, gives the same.
struct ClientHelp {
  /// The version of this program.
  private static let version = "0.2.0"

  /// The sentence about calls that need the complete command.
  static let limits =
    "this is the client of another desktop, where the links of this machine open; it has the commands usher open and usher remote register"

  private static let usage = """
    usage: usher open [OPTION ...] URL ...
           usher remote register [--once] [--open URL] [--timeout SECONDS] SCHEME [-- COMMAND ...]
           xdg-open URL

    Opens links of this machine on the desktop from which it is connected (usher remote connect, usher ssh), and receives links from there.
    Options of usher open, as there: --wait STATE, --timeout SECONDS, --app ID, --annotation JSON, --fallback URL, --origin ORIGIN,
    --target-content-id TEXT, --universal-links-only, --json. Everything else of Usher is on the desktop.
    """

  /// The text.
  let text: String
  /// The exit status.
  let status: Int32

  /// Creates the answer to a call, the program's name first; `nil` if the call opens links or registers a scheme.
  init?(_ words: [String]) {
    guard let program = words.first else { return nil }
    let isXDGOpen = XDGOpenCall.isName(ofProgram: program)
    let isUsher = RemoteCall.name(ofProgram: program) == "usher"
    let own = Self.ownWords(words)
    if Self.contains(["--help", "-h"], in: own) || isUsher && own.first == "help"
      || isXDGOpen && own.first == "--manual"
    {
      (text, status) = (Self.usage, 0)
    } else if own.first == "--version" {
      (text, status) = ("\(isXDGOpen ? "xdg-open of " : "")usher \(Self.version)", 0)
    } else if isXDGOpen, case .syntax(let reason) = RemoteCall.xdgOpen(words) {
      (text, status) = ("xdg-open: \(reason)", 1)
    } else if isUsher, Self.isOfCompleteCommand(own.first, followedBy: own.dropFirst().first) {
      (text, status) = ("usher: \(Self.limits)", 64)
    } else {
      return nil
    }
  }

  /// Returns whether a call, the program's name first, asks for the help or the version of `usher open`.
  static func isRequested(by words: [String]) -> Bool {
    contains(["--help", "-h", "--version"], in: ownWords(words))
  }

  /// Returns the arguments of a call; words after `--` belong to another program.
  private static func ownWords(_ words: [String]) -> [String] {
    Array(words.dropFirst().prefix { $0 != "--" })
  }

  /// Returns whether one of the words is one of `options`, and not the value of an option.
  private static func contains(_ options: [String], in words: [String]) -> Bool {
    let withValue = (RemoteCall.optionsWithValue + ["open"]).map { "--\($0)" }
    return zip([""] + words, words).contains { previous, word in
      options.contains(word) && !withValue.contains(previous)
    }
  }

  /// Returns whether the first words name no subcommand that is here.
  private static func isOfCompleteCommand(_ word: String?, followedBy next: String?) -> Bool {
    word != "open" && !(word == "remote" && next == "register")
  }

  /// Prints the text, and exits.
  func leave() -> Never {
    RemoteCall.print("\(text)\n", to: status == 0 ? STDOUT_FILENO : STDERR_FILENO)
    exit(status)
  }
}
