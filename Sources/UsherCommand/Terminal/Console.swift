import Glibc

/// Where the command's words go: results to standard output, all else to standard error.
enum Console {
  /// Whether a person reads standard output.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes a line for a person to standard output.
  static func say(_ text: String) { write(visible(text) + "\n", to: STDOUT_FILENO) }

  /// Writes a line for a person to standard output, with what is set off in it.
  static func say(_ text: StyledText) { say([text]) }

  /// Writes lines for a person to standard output, all at once: there may be thousands.
  static func say(_ lines: [StyledText]) {
    let isColoured = Colours.areWanted(on: STDOUT_FILENO)
    write(lines.map { $0.written(isColoured: isColoured) + "\n" }.joined(), to: STDOUT_FILENO)
  }

  /// Writes a line that is for programs, as it is, to standard output.
  static func emit(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

  /// Writes `usher: ` and what a person should know to standard error.
  static func warn(_ text: String) { warn(text, by: "usher") }

  /// Writes what a person should know to standard error, after the name of the program if there is one.
  static func warn(_ text: String, by name: String?) {
    let line: StyledText = name.map { "\("\($0):", as: .heading) \(text)" } ?? StyledText(text)
    write(line.written(isColoured: Colours.areWanted(on: STDERR_FILENO)) + "\n", to: STDERR_FILENO)
  }

  /// Writes what a person may type next to standard error, a line each.
  static func suggest(_ steps: [SuggestedCommand]) {
    let width = steps.map(\.command.count).max() ?? 0
    for step in steps {
      let gap = String(repeating: " ", count: width - step.command.count)
      let line: StyledText = "  try: \(step.command, as: .heading)\(gap)  # \(step.purpose)"
      write(line.written(isColoured: Colours.areWanted(on: STDERR_FILENO)) + "\n", to: STDERR_FILENO)
    }
  }

  /// Writes a part of a question to standard error.
  static func ask(_ text: String) { write(visible(text), to: STDERR_FILENO) }

  /// The text with control characters, and those that turn its direction round, as U+FFFD: names and messages of others
  /// must not steer a terminal or what is read there.
  static func visible(_ text: String) -> String {
    // Nearly all is: a look at the bytes is cheaper than to put it together again.
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
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
