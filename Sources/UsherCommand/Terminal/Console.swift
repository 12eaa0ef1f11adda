// SPDX-License-Identifier: Apache-2.0
import FileOutput
import Glibc
import RemoteProtocol
import Synchronization

/// The output of the command: results to standard output, everything else to standard error.
enum Console {
  /// A Boolean value that is `true` if standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Prints one line of text to standard output.
  ///
  /// A line feed is replaced, because a value in the text may come from a link and must not begin a line.
  static func print(_ line: String) { write(line.visibleInOneLine + "\n", to: STDOUT_FILENO) }

  /// Prints text of the command itself, which may have several lines, to standard output.
  static func print(paragraph text: String) { write(text.visible + "\n", to: STDOUT_FILENO) }

  /// Prints a styled line to standard output.
  static func print(_ text: StyledText) { print([text]) }

  /// Prints styled lines to standard output in one write, because there may be thousands.
  static func print(_ lines: [StyledText]) {
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
    for (step, gap) in zip(steps, steps.map(\.command).columnGaps) {
      let line: StyledText = "  try: \(step.command, as: .heading)\(gap)  # \(step.purpose)"
      write(line.written(isColoured: Colours.areWanted(on: STDERR_FILENO)) + "\n", to: STDERR_FILENO)
    }
  }

  /// Prints a part of a question to standard error.
  static func ask(_ text: String) { write(text.visible, to: STDERR_FILENO) }

  /// The error number of the first failed write to standard output; `nil` if all output was written.
  static var outputError: Int32? {
    let error = firstError.load(ordering: .relaxed)
    return error == 0 ? nil : error
  }

  private static let firstError = Atomic<Int32>(0)

  /// Returns the exit status of a command that would exit with `status`, which is not 0 if a part of its output was lost.
  ///
  /// A reader that has exited, such as `head`, wants no more output.
  static func exitStatus(_ status: Int32 = 0) -> Int32 {
    guard let outputError, outputError != EPIPE, status == 0 else { return status }
    return EX_CANTCREAT
  }

  private static func write(_ text: String, to descriptor: Int32) {
    guard let error = text.utf8.writeAll(to: descriptor), descriptor == STDOUT_FILENO,
      firstError.compareExchange(expected: 0, desired: error, ordering: .relaxed).exchanged, error != EPIPE
    else { return }
    warn("cannot write the output: \(String(cString: strerror(error)))")
  }
}
