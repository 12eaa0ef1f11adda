// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus
import Glibc

/// The command `usher monitor`, which shows the steps of requests while they happen.
struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Print or show requests as they happen, until Ctrl-C.",
    discussion: HelpText.discussion(
      """
      Prints one line per state change of a request: time, time since it arrived, state, source application, target application, and \
      the URLs without query, fragment and user. When the broker exits, the command continues with the next broker.

      With --watch, the whole terminal shows the last 1,000 requests, the newest first, with those of the history. Enter opens a \
      request: its caller and how it is known, the steps of the decision, the delivery with its times, and the receipt. \
      / filters by application, URL, source and outcome, p pauses, ? shows all keys, and q quits. A terminal of 30 rows shows the \
      selected request below the list.
      """,
      exit: [
        0: "the reader of the output has exited; --watch: the user has quit",
        1: "the broker cannot be monitored (Ctrl-C ends the command by SIGINT)",
        64: "the arguments are wrong, or --watch has no terminal",
        69: "the broker cannot be reached", 73: "the output cannot be written",
      ],
      examples: [
        "Print until Ctrl-C": "usher monitor",
        "Look at the requests, and open one": "usher monitor --watch",
        "Print JSON for a program, one object per line": "usher monitor --json",
      ]))

  @Flag(help: "Print one JSON object per line.")
  var json = false

  @Flag(help: "Show the requests on the whole terminal, to select and open them.")
  var watch = false

  func validate() throws {
    guard watch else { return }
    guard !json else { throw ValidationError("--watch and --json exclude each other") }
    let instead = "to print requests as lines, run: usher monitor"
    guard isatty(STDIN_FILENO) == 1, Console.isTerminal else {
      throw ValidationError("--watch needs a terminal as its input and output; \(instead)")
    }
    let terminal = UserEnvironment.variable("TERM") ?? ""
    guard !terminal.isEmpty, terminal != "dumb" else {
      throw ValidationError(
        "--watch needs a terminal that can position text, but TERM is \(terminal.isEmpty ? "not set" : terminal); \(instead)"
      )
    }
  }

  func run() throws {
    if watch {
      let session: WatchSession
      do throws(FullScreenTerminal.Failure) { session = try WatchSession() } catch {
        Console.warn(error.description)
        throw ExitCode.failure
      }
      return try session.run()
    }
    while true {
      let stream = try open()
      var lines = LineReader(stream, for: STDOUT_FILENO)
      while let line = lines.next() {
        if json {
          Console.emit(line)
        } else if let text = (try? [String: Variant](json: line)).flatMap(MonitorLine.text) {
          Console.print(text)
        }
        // Where SIGPIPE is ignored, as in services, the command would run without a reader for ever.
        if Console.outputError != nil { return }
      }
      if lines.isUnwanted { return }
      Console.warn("the broker exited; monitoring the next one")
      // Without this delay, a broker that exits at once would be restarted in a tight loop.
      usleep(100_000)
    }
  }

  private func open() throws -> UnixFD {
    try BrokerConnection.answer(onFailure: "cannot monitor requests", json: json) {
      bus throws(BusError) in
      try bus.call(BrokerInterface.monitor, at: BrokerInterface.broker, [:])
    }
  }
}

/// One line of the monitor, formatted for the user.
enum MonitorLine {
  /// Returns the line; `nil` for events that are not shown.
  static func text(_ entry: [String: Variant]) -> StyledText? {
    let moment = Timestamp.text(ofMicroseconds: entry["time"]?.integer ?? 0)
    switch entry["event"]?.string {
    case "watching":
      return
        "\(moment)  monitoring usherd \(entry["version"]?.string ?? "?"), \(entry["pending"]?.integer ?? 0) in progress"
    case "missed": return "\(moment)  missed \(entry["count"]?.integer ?? 0) lines: they arrived too fast"
    case "request":
      let state = entry["state"]?.string ?? "?"
      let words = HistoryLine(entry)
      let what = state == "ended" ? words.outcome : StyledText(state)
      return "\(moment)  +\(words.milliseconds) ms  \(what)  \(words.way)"
    default: return nil
    }
  }
}

/// A reader of lines from a file descriptor.
struct LineReader {
  private let descriptor: UnixFD
  private let output: Int32
  private var buffer: [UInt8] = []
  /// A Boolean value that is `true` after the reader of the output has exited.
  private(set) var isUnwanted = false

  /// Creates a reader of lines that are written to `output`, a pipe, socket, terminal or file.
  init(_ descriptor: UnixFD, for output: Int32) { (self.descriptor, self.output) = (descriptor, output) }

  /// Returns the next line without its terminator; `nil` if no complete line is left, or if the reader of the output has exited.
  mutating func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      guard waitForBytes() else { return nil }
      let count = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { bytes in
        let count = read(descriptor.rawValue, bytes.baseAddress, bytes.count)
        if count > 0 { buffer.append(contentsOf: bytes[..<count]) }
        return count
      }
      guard count > 0 || (count < 0 && errno == EINTR) else { return nil }
    }
  }

  /// Waits until there are bytes, or the end; returns `false` if the reader of the output has exited.
  private mutating func waitForBytes() -> Bool {
    var polled = [
      pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0),
      pollfd(fd: output, events: 0, revents: 0),
    ]
    _ = poll(&polled, 2, -1)
    isUnwanted = polled[1].revents & Int16(POLLERR | POLLHUP) != 0
    return !isUnwanted
  }
}
