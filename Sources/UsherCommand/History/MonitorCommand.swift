import ArgumentParser
import BusInterfaces
import DBus
import Glibc

/// The command `usher monitor`, which shows the steps of requests while they happen.
struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Tells what is opened while it happens, until you stop it with Ctrl-C.",
    discussion: HelpText.discussion(
      """
      A line for each step of a link on its way: when, how long since it came, how far it is, from whom, to whom, and the URLs \
      without their query, fragment and user. When the broker ends, the next one is watched.
      """,
      exit: [
        1: "it cannot be watched", 64: "the command was called in a wrong way",
        69: "the broker cannot be reached",
      ],
      examples: [
        "Watch until Ctrl-C": "usher monitor",
        "For a program, an object a line": "usher monitor --json",
      ]))

  @Flag(help: "Print one JSON object a line.")
  var json = false

  func run() throws {
    while true {
      let stream = try open()
      var lines = LineReader(stream)
      while let line = lines.next() {
        guard !json else {
          Console.emit(line)
          continue
        }
        if let text = (try? [String: Variant](json: line)).flatMap(MonitorLine.text) { Console.say(text) }
      }
      Console.warn("the broker has ended; watching the next one")
      // Without this delay, a broker that exits at once would be restarted in a tight loop.
      usleep(100_000)
    }
  }

  private func open() throws -> UnixFD {
    try BrokerConnection.answer(about: "only the broker can tell what happens", json: json) {
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
        "\(moment)  watching usherd \(entry["version"]?.string ?? "?"), \(entry["pending"]?.integer ?? 0) under way"
    case "missed": return "\(moment)  missed \(entry["count"]?.integer ?? 0) lines: they came too fast"
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
  private var buffer: [UInt8] = []

  init(_ descriptor: UnixFD) { self.descriptor = descriptor }

  /// Returns the next line without its terminator; `nil` if no complete line is left.
  mutating func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let count = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { bytes in
        let count = read(descriptor.rawValue, bytes.baseAddress, bytes.count)
        if count > 0 { buffer.append(contentsOf: bytes[..<count]) }
        return count
      }
      guard count > 0 || (count < 0 && errno == EINTR) else { return nil }
    }
  }
}
