// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Glibc

/// The output of the command: results to standard output, everything else to standard error.
enum Console {
  /// A Boolean value that is `true` if standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Prints a line of text to standard output.
  static func say(_ text: String) { write(visible(text) + "\n", to: STDOUT_FILENO) }

  /// Prints a styled line to standard output.
  static func say(_ text: StyledText) { say([text]) }

  /// Prints styled lines to standard output in one write, because there may be thousands.
  static func say(_ lines: [StyledText]) {
    let isColoured = Colours.areWanted(on: STDOUT_FILENO)
    write(lines.map { $0.written(isColoured: isColoured) + "\n" }.joined(), to: STDOUT_FILENO)
  }

  /// Prints a line for programs unchanged to standard output.
  static func emit(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  /// Prints `usher: ` and a message to standard error.
  static func warn(_ text: String) { warn(text, by: "usher") }

  /// Prints a message to standard error, after the name of the program if there is one.
  static func warn(_ text: String, by name: String?) {
    let line: StyledText = name.map { "\("\($0):", as: .heading) \(text)" } ?? "\(text)"
    write(line.written(isColoured: Colours.areWanted(on: STDERR_FILENO)) + "\n", to: STDERR_FILENO)
  }

  /// Prints suggested commands to standard error, one in each line.
  static func suggest(_ steps: [SuggestedCommand]) {
    let width = steps.map(\.command.count).max() ?? 0
    for step in steps {
      let gap = String(repeating: " ", count: width - step.command.count)
      let line: StyledText = "  try: \(step.command, as: .heading)\(gap)  # \(step.purpose)"
      write(line.written(isColoured: Colours.areWanted(on: STDERR_FILENO)) + "\n", to: STDERR_FILENO)
    }
  }

  /// Prints a part of a question to standard error.
  static func ask(_ text: String) { write(visible(text), to: STDERR_FILENO) }

  /// Returns the text with control characters and bidirectional controls replaced by U+FFFD.
  ///
  /// Names and messages from outside must neither control the terminal nor change the apparent order of the text.
  static func visible(_ text: String) -> String {
    // Most text is plain ASCII, and a scan of the bytes is cheaper than to rebuild the text.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == UInt8(ascii: "\n") }) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": scalars.append(scalar)
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{61C}", "\u{200E}"..."\u{200F}", "\u{202A}"..."\u{202E}",
        "\u{2066}"..."\u{2069}":
        scalars.append("\u{FFFD}")
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    // The command does not fail if the reader of its output has gone.
    _ = text.utf8.writeAll(to: descriptor)
  }
}
