// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
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

  /// The number of times that the window appears again after the user pressed the button for opening without having selected a row.
  private static let maximumRepeats = 10

  /// Shows the window and waits for a button.
  ///
  /// - Parameters:
  ///   - activationToken: The token with which the window comes to the front; `nil` if there is none.
  ///   - startupID: The ID of the startup sequence, if it differs from the token.
  ///   - closing: Fulfilled when the window is to be closed without an answer, and at the latest when the question has ended.
  func ask(
    _ query: PromptService.Query, activationToken: String?, startupID: String?, timeout: Duration,
    until closing: Promise<Void>
  ) async -> PromptResult {
    let deadline = ContinuousClock.now + timeout
    for number in 0...Self.maximumRepeats {
      let rest = deadline - .now
      guard rest >= .seconds(1), !closing.isFulfilled else { return .late }
      // A token brings only one window to the front.
      let token = number == 0 ? activationToken : nil
      let result = await show(
        query, activationToken: token, startupID: startupID, timeout: rest, until: closing)
      // zenity has no status of its own after a signal.
      if closing.isFulfilled { return .late }
      if let result { return result }
    }
    return .closed
  }

  /// Shows the window once; returns `nil` if the user chose nothing.
  private func show(
    _ query: PromptService.Query, activationToken: String?, startupID: String?, timeout: Duration,
    until closing: Promise<Void>
  ) async -> PromptResult? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .impossible }
    let output = UnixFD(owning: ends[0])
    var launch = launch(query, timeout: timeout, output: UnixFD(owning: ends[1]))
    launch.pass(activationToken: activationToken, startupID: startupID)
    guard let zenity = try? await launcher.start(launch) else { return .impossible }
    // zenity has its own timeout; the broker terminates it if it does not exit by then.
    let timer = loop.start { [loop] in
      if (try? await loop.sleep(for: timeout + .seconds(5))) != nil { await zenity.terminate() }
    }
    let closer = loop.start {
      await closing.value
      if !Task.isCancelled { await zenity.terminate() }
    }
    let status = await zenity.exitStatus()
    timer.cancel()
    closer.cancel()
    return Self.end(status, output: Self.read(output.rawValue), query.text.options)
  }

  private func launch(_ query: PromptService.Query, timeout: Duration, output: UnixFD) -> Launch {
    var launch = Launch(
      application: Self.unit, title: "Question from Usher",
      arguments: ([program] + Self.arguments(query.text, timeout: timeout)).map { ProgramArgument($0) },
      variables: Ending.variables)
    launch.session = query.session
    launch.output = output
    return launch
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
      "--title=\(text.windowTitle)", "--width=480", "--timeout=\(timeout.components.seconds)",
    ]
    let lines = wrapped("\(text.summary)\n\n\(text.body)")
    let body = escaped(lines.joined(separator: "\n"))
    let choices = text.options.dropLast()
    if choices.count == 1 {
      return ["--question", "--no-markup", "--text=\(body)"] + common + [
        "--ok-label=\(choices[0].label)", "--cancel-label=\(text.options[1].label)", "--default-cancel",
      ]
    }
    let rows = choices.enumerated().flatMap { number, option in
      [option.label.hasPrefix("-") ? " \(option.label)" : option.label, "\(number)"]
    }
    return ["--list", "--text=\(body.escapedAsMarkup)"] + common + [
      "--height=\(height(lines: lines.count, rows: choices.count))",
      // The first column is the one that zenity searches for the letters that the user types.
      "--column=Application", "--column=number", "--hide-column=2", "--print-column=2", "--hide-header",
      "--ok-label=Open", "--cancel-label=\(text.options[choices.count].label)",
    ] + rows
  }

  /// Returns the height of a list's window in pixels, because zenity's own default shows three rows.
  private static func height(lines: Int, rows: Int) -> Int {
    // A list that is higher than a small screen of 600 pixels gets a scroll bar.
    min(560, 120 + 20 * lines + 26 * rows)
  }

  /// The length of the longest line in characters.
  private static let lineLimit = 72

  /// Returns the lines of a text, with longer lines broken, because zenity breaks neither the text above a list nor a long word.
  ///
  /// A URL is broken after a slash, so that its host, which is shorter than a line, stays in one piece.
  static func wrapped(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      var lines: [String] = []
      var current = ""
      for word: Substring in line.split(separator: " ") {
        if !current.isEmpty, current.count + 1 + word.count <= lineLimit {
          current += " \(word)"
          continue
        }
        if !current.isEmpty { lines.append(current) }
        var rest = word
        while rest.count > lineLimit {
          let start = rest.prefix(lineLimit)
          let piece =
            start.unicodeScalars.lastIndex(of: "/").map { start[..<start.unicodeScalars.index(after: $0)] }
            ?? start
          lines.append(String(piece))
          rest = rest[piece.endIndex...]
        }
        current = String(rest)
      }
      return lines + [current]
    }
  }

  /// Returns the text with backslashes escaped, because zenity interprets C escapes.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { $0 == "\\" ? #"\\"# : String($0) }.joined()
  }

  /// Returns the result for an exit status and the output; `nil` if the user pressed the button without a selected row.
  static func end(_ status: ExitStatus?, output: String, _ options: [QuestionText.Option]) -> PromptResult? {
    let choices = options.dropLast()
    switch status {
    case .exited(Ending.chosen.rawValue):
      if choices.count == 1 { return .answered(choices[0].answer) }
      // Programs that zenity starts may write to the same output before it.
      guard let row = output.split(separator: "\n").compactMap({ Int($0) }).last else { return nil }
      return choices.indices.contains(row) ? .answered(choices[row].answer) : .closed
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
