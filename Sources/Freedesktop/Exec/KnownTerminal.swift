// SPDX-License-Identifier: Apache-2.0
/// A terminal emulator, and the argument that precedes the program to run in it.
///
/// All of them pass the program and its arguments on unchanged; terminal emulators that join the arguments and parse them
/// again are not listed, because a link could then run a program.
struct KnownTerminal: Sendable {
  let program: String
  /// The argument before the program; `nil` if none is needed.
  let argument: String?
  /// The desktop that the terminal emulator is made for, as in `XDG_CURRENT_DESKTOP` in lower case.
  var desktop: String?

  /// The terminal emulators that GIO knows, and others that are common, the best ones first.
  static let all = [
    KnownTerminal(program: "ptyxis", argument: "--", desktop: "gnome"),
    KnownTerminal(program: "kgx", argument: "-e", desktop: "gnome"),
    KnownTerminal(program: "gnome-terminal", argument: "--", desktop: "gnome"),
    KnownTerminal(program: "mate-terminal", argument: "-x", desktop: "mate"),
    KnownTerminal(program: "xfce4-terminal", argument: "-x", desktop: "xfce"),
    KnownTerminal(program: "konsole", argument: "-e", desktop: "kde"),
    KnownTerminal(program: "qterminal", argument: "-e", desktop: "lxqt"),
    KnownTerminal(program: "lxterminal", argument: "-e", desktop: "lxde"),
    KnownTerminal(program: "foot", argument: "--"),
    KnownTerminal(program: "alacritty", argument: "-e"),
    KnownTerminal(program: "kitty", argument: "--"),
    KnownTerminal(program: "ghostty", argument: "-e"),
    KnownTerminal(program: "terminator", argument: "-x"),
    KnownTerminal(program: "urxvt", argument: "-e"),
    KnownTerminal(program: "x-terminal-emulator", argument: "-e"),
    KnownTerminal(program: "xterm", argument: "-e"),
  ]

  /// Returns the argument of a terminal emulator by the name of its program; `-e` for an unknown one.
  static func argument(of program: String) -> String? {
    let name = program.split(separator: "/").last.map(String.init) ?? program
    guard let known = all.first(where: { $0.program == name }) else { return "-e" }
    return known.argument
  }

  /// Returns the command line of the first installed one; `nil` if none is installed.
  static func find(_ programs: ProgramSearch, on desktops: [String]) -> [ProgramArgument]? {
    let own = all.filter { $0.desktop.map(desktops.contains) ?? false }
    for terminal in own + all {
      guard let path = programs.find(terminal.program) else { continue }
      return ([path] + [terminal.argument].compactMap(\.self)).map { ProgramArgument($0) }
    }
    return nil
  }
}
