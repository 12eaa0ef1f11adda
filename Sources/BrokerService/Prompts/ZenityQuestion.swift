// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import Freedesktop
import Glibc
import Launching
import Systemd

/// A question in a window of zenity.
struct ZenityQuestion: Sendable {
  let program: String
  let launcher: ProgramLauncher
  let loop: EventLoop

  /// The application ID in the unit names of such windows.
  ///
  /// No application has it, so the unit identifies no source.
  private static let unit = "org.usher.Question"

  /// Shows the window and waits for a button.
  func ask(_ query: PromptService.Query, timeout: Duration) async -> PromptResult {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .impossible }
    let output = UnixFD(owning: ends[0])
    guard let zenity = await start(query, timeout: timeout, output: UnixFD(owning: ends[1])) else {
      return .impossible
    }
    // zenity has its own timeout; the broker terminates it if it does not exit by then.
    let timer = loop.start { [loop] in
      if (try? await loop.sleep(for: timeout + .seconds(5))) != nil { await zenity.terminate() }
    }
    let status = await zenity.exitStatus()
    timer.cancel()
    return Self.end(status, output: Self.read(output.rawValue), query.text.options)
  }

  private func start(_ query: PromptService.Query, timeout: Duration, output: UnixFD) async
    -> LaunchedProgram?
  {
    var launch = Launch(
      application: Self.unit, title: "Question from Usher",
      arguments: ([program] + Self.arguments(query.text, timeout: timeout)).map { ProgramArgument($0) },
      variables: Ending.variables)
    launch.session = query.session
    launch.pass(activationToken: query.activationToken, startupID: query.startupID)
    launch.output = output
    return try? await launcher.start(launch)
  }

  /// The exit statuses that zenity is configured to use (zenity(1), "ENVIRONMENT").
  enum Ending: Int32, CaseIterable {
    case chosen = 70
    case refused
    case closed
    case late

    /// The environment variable that sets the status.
    private var variable: String {
      switch self {
      case .chosen: "ZENITY_OK"
      case .refused: "ZENITY_CANCEL"
      case .closed: "ZENITY_ESC"
      case .late: "ZENITY_TIMEOUT"
      }
    }

    static let variables = Dictionary(
      uniqueKeysWithValues: allCases.map { ($0.variable, String($0.rawValue)) })
  }

  /// Returns the arguments of zenity, in which no text is interpreted as an option or as markup.
  static func arguments(_ text: QuestionText, timeout: Duration) -> [String] {
    let common = [
      "--title=Usher", "--width=480", "--timeout=\(timeout.components.seconds)",
    ]
    let body = escaped("\(text.summary)\n\n\(text.body)")
    let choices = text.options.dropLast()
    if choices.count == 1 {
      return ["--question", "--no-markup", "--text=\(body)"] + common + [
        "--ok-label=\(choices[0].label)", "--cancel-label=\(text.options[1].label)", "--default-cancel",
      ]
    }
    let rows = choices.enumerated().flatMap { number, option in
      ["\(number)", option.label.hasPrefix("-") ? " \(option.label)" : option.label]
    }
    return ["--list", "--text=\(marked(body))"] + common + [
      "--column=number", "--column=Application", "--hide-column=1", "--print-column=1", "--hide-header",
      "--cancel-label=\(text.options[choices.count].label)",
    ] + rows
  }

  /// Returns the text with backslashes escaped, because zenity interprets C escapes.
  private static func escaped(_ text: String) -> String { text.replacing("\\", with: "\\\\") }

  /// Returns the text with markup escaped, because the text above a list is always markup.
  private static func marked(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// Returns the result for an exit status and the output.
  static func end(_ status: ExitStatus?, output: String, _ options: [QuestionText.Option]) -> PromptResult {
    let choices = options.dropLast()
    switch status {
    case .exited(Ending.chosen.rawValue):
      if choices.count == 1 { return .answered(choices[0].answer) }
      // Programs that zenity starts may write to the same output before it.
      let row = output.split(separator: "\n").compactMap { Int($0) }.last
      return row.flatMap { choices.indices.contains($0) ? .answered(choices[$0].answer) : nil } ?? .closed
    case .exited(Ending.refused.rawValue): return .answered(.no)
    case .exited(Ending.closed.rawValue): return .closed
    // Some versions of zenity ignore the variable for the timeout and exit with status 5.
    case .exited(Ending.late.rawValue), .exited(5): return .late
    // Without a display zenity exits with status 1, so the configured statuses distinguish this from a negative answer.
    default: return .impossible
    }
  }

  /// Returns the output of zenity, which is a few bytes that fit in the pipe.
  private static func read(_ descriptor: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
