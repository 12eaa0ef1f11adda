// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Glibc
import OpenSocket

/// The commands with which `xdg-open` opens links where no application of the desktop can: `$BROWSER`, or known browsers.
///
/// They run in the foreground and share the terminal, because a text browser needs it. The first one that exits with 0
/// has opened the link. A command is used as xdg-open(1) of xdg-utils 1.1.3 does: the list is separated by colons and a
/// command by blanks; `%s` in an argument is the URL, which is otherwise the last argument.
struct BrowserCommands {
  /// The words of each command.
  let commands: [[String]]
  /// A Boolean value that is `true` if the user chose the commands.
  let areChosen: Bool
  /// A Boolean value that is `true` if the caller has a display.
  let hasDisplay: Bool

  private static let text = ["www-browser", "links2", "elinks", "links", "lynx", "w3m"]
  private static let graphical = [
    "x-www-browser", "firefox", "iceweasel", "seamonkey", "mozilla", "epiphany", "konqueror", "chromium",
    "chromium-browser", "google-chrome",
  ]

  /// Reads the commands from the environment of the caller.
  init(environment: [String: String]) {
    hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    let chosen = (environment["BROWSER"] ?? "").split(separator: ":").map { command in
      command.split { " \t\n".contains($0) }.map(String.init)
    }
    // Without this check the command would call itself.
    .filter { !$0.isEmpty && $0 != ["xdg-open"] }
    areChosen = !chosen.isEmpty
    commands =
      areChosen ? chosen : ((hasDisplay ? Self.graphical : []) + Self.text).map { [$0] }
  }

  /// Indicates whether such a command already opens a URL, and has called the opener again.
  static func isOpening(_ url: String) -> Bool {
    getenv(RequestVariable.browser).map { String(cString: $0) } == digest(of: url)
  }

  private static func digest(of url: String) -> String {
    var digest = KeyedDigest(key: [])
    digest.add(text: url)
    return digest.hexadecimal()
  }

  /// Runs the commands for a URL until one exits with 0; returns whether one did.
  ///
  /// - Parameter hops: the number of hops of the request, which stops browsers that call the opener with other URLs.
  func open(_ url: String, hops: UInt32) -> Bool {
    setenv(RequestVariable.hops, String(hops), 1)
    setenv(RequestVariable.browser, Self.digest(of: url), 1)
    return commands.contains { Self.run(Self.arguments($0, url)) }
  }

  /// Returns the arguments of a command for a URL.
  static func arguments(_ command: [String], _ url: String) -> [String] {
    guard command.contains(where: { $0.contains("%s") }) else { return command + [url] }
    return command.map { word in
      var filled = ""
      var rest = word[...]
      var isURLUsed = false
      // The format of printf(1), of which commands use `%s` and `%%`; a second `%s` is empty.
      while let character = rest.popFirst() {
        guard character == "%", let code = rest.first, code == "s" || code == "%" else {
          filled.append(character)
          continue
        }
        rest.removeFirst()
        filled += code == "%" ? "%" : isURLUsed ? "" : url
        isURLUsed = isURLUsed || code == "s"
      }
      return filled
    }
  }

  /// Runs a program in the foreground; returns whether it exits with 0.
  private static func run(_ arguments: [String]) -> Bool {
    guard let program = arguments.first else { return false }
    let words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, program, nil, nil, words, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { return false }
    }
    return status == 0
  }
}
