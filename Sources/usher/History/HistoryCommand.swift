import ArgumentParser
import BusInterfaces
import DBus

/// `usher history`: what became of earlier requests.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Tells what was opened, by whom and where, and what became of it.",
    discussion: """
      A line for each, the newest last: when, how long it took, what became of it, from whom, to whom, and the URLs without their \
      query, fragment and user. Exit status: 0, 1 it cannot be read, 69 needs the broker.
      """)

  @Option(help: ArgumentHelp("How many at most, 1 to 10000.", valueName: "number"))
  var limit: UInt32 = 100

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard (1...10_000).contains(limit) else { throw ValidationError("--limit: 1 to 10000") }
  }

  func run() throws {
    let entries = try BrokerLink.answer(about: "the history is the broker's") { bus throws(BusError) in
      try bus.call(BrokerInterface.history, at: BrokerInterface.broker, ["limit": .uint32(limit)])
    }
    guard !json else {
      return Console.emit(JSONText.line(["entries": .array(of: "a{sv}", entries.map { .dictionary($0) })]))
    }
    for entry in entries.reversed() { Console.say(HistoryLine(entry).text) }
  }
}

/// One entry of the history, or of the monitor, in a person's words.
struct HistoryLine {
  /// How long it took.
  let milliseconds: Int64
  /// What became of it.
  let outcome: String
  /// From whom, to whom, and what.
  let way: String
  /// All of it, with the moment at which it came.
  let text: String

  init(_ entry: [String: Variant]) {
    func word(_ key: String) -> String? { entry[key]?.string }
    milliseconds = (entry["duration"]?.integer ?? 0) / 1_000
    let error = word("error").map { " (\($0.replacing("org.usher.Error.", with: "")))" } ?? ""
    outcome = (word("outcome") ?? "?") + error
    let urls = (entry["urls"]?.strings ?? []).joined(separator: " ")
    let source = word("source-application").map { "\($0) (\(word("assurance") ?? "unknown"))" } ?? "somebody"
    way = "\(source) -> \(word("application") ?? "-")  \(urls)"
    let moment = Moment.text(of: Int((entry["time"]?.integer ?? 0) / 1_000_000))
    text = "\(moment)  \(milliseconds) ms  \(outcome)  \(way)"
  }
}
