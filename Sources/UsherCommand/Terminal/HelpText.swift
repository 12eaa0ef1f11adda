// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The help of a command below its abstract: prose, exit statuses, and examples.
///
/// The man pages are generated from the same text, so that its sections have one form: a heading on its own line, then
/// rows that are indented by two.
enum HelpText {
  /// Returns the text of `discussion`.
  ///
  /// - Parameters:
  ///   - exit: each exit status with its meaning.
  ///   - examples: the purpose of a command, and the complete command.
  static func discussion(
    _ prose: String, exit: KeyValuePairs<Int32, String>, examples: KeyValuePairs<String, String>
  ) -> String {
    guard !isUnread else { return "" }
    let statuses = exit.flatMap { status, meaning in
      wrap(meaning, first: pad("  \(status)", to: indent), next: pad("", to: indent))
    }
    let commands = examples.flatMap { purpose, command in ["  \(purpose):", "    \(command)"] }
    return ([prose, "", "EXIT STATUS:"] + statuses + ["", "EXAMPLES:"] + commands).joined(separator: "\n")
  }

  /// A Boolean value that is `true` if no help was requested, so that the texts need not be built.
  ///
  /// The parser reads the configuration of every command, and building all texts takes half a millisecond. A single
  /// argument may be a group of commands, which prints its help.
  private static let isUnread: Bool = {
    let words = CommandLine.arguments.dropFirst()
    return words.count > 1 && words.first != "help"
      && !words.contains { ["-h", "--help", "--experimental"].contains(where: $0.hasPrefix) }
  }()

  /// The width that no line reaches, so that the lines stay unchanged when the help is wrapped.
  static let width = 80
  private static let indent = 6

  /// The smallest width of the help, in which the names of options take 26 columns.
  private static let smallestWidth = 40

  /// The width for the parser if the terminal is too narrow for texts beside the names of options; otherwise `nil`, which is that of the
  /// terminal.
  ///
  /// The parser traps in a debug build, and leaves the texts out in others.
  static var columns: Int? {
    var size = winsize()
    let width =
      UserEnvironment.variable("COLUMNS").flatMap { Int($0) }
      ?? (ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil)
    return width.flatMap { $0 < smallestWidth ? smallestWidth : nil }
  }

  private static func wrap(_ text: String, first: String, next: String) -> [String] {
    var lines: [String] = []
    var line = first
    for word in text.split(separator: " ") {
      if line.utf8.count + word.utf8.count >= width, line.utf8.count > indent {
        lines.append(String(line.dropLast()))
        line = next
      }
      line += word + " "
    }
    return lines + [String(line.dropLast())]
  }

  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }
}
