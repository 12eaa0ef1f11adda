// SPDX-License-Identifier: Apache-2.0
import Glibc
import OpenSocket

/// The answers of this program on a machine that has nothing else of Usher: the help, the version, and what is not here.
///
/// The portable client, `desktop/remote/usher-open`, gives the same.
struct ClientHelp {
  /// The version of this program.
  private static let version = "0.1.0"

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

  /// Creates the answer to a call, the program's name first; `nil` if the call opens links, registers a scheme, or is one of `xdg-open`.
  init?(_ words: [String]) {
    guard let program = words.first, !XDGOpenCall.isName(ofProgram: program) else { return nil }
    // Words after -- belong to another program.
    let words = words.dropFirst().prefix { $0 != "--" }
    if words.contains(where: { $0 == "--help" || $0 == "-h" }) || words.first == "help" {
      (text, status) = (Self.usage, 0)
    } else if words.first == "--version" {
      (text, status) = ("usher \(Self.version)", 0)
    } else if let word = words.first,
      Self.isOfCompleteCommand(word, followedBy: words.dropFirst().first, as: program)
    {
      (text, status) = ("usher: \(Self.limits)", 64)
    } else {
      return nil
    }
  }

  /// Returns whether the first words name a subcommand that is not here; under the names of browsers, they are links.
  private static func isOfCompleteCommand(
    _ word: String, followedBy next: String?, as program: String
  ) -> Bool {
    let name = program.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    return name == "usher" && word != "open" && !(word == "remote" && next == "register")
  }

  /// Prints the text, and exits.
  func leave() -> Never {
    RemoteCall.print("\(text)\n", to: status == 0 ? STDOUT_FILENO : STDERR_FILENO)
    exit(status)
  }
}
