// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BusInterfaces
import DBus

/// The command `usher history`, which shows the outcomes of earlier requests.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List opened links with source, application and outcome.",
    discussion: HelpText.discussion(
      """
      Prints one line per request, the newest last: time, duration, outcome, source application, target application, and the URLs \
      without query, fragment and user. With --json, the newest is first. The broker keeps the last 10,000 requests of this user. A denied \
      request has the outcome failed (Denied); the history does not store the rule that denied it, but usher explain shows the rule that applies now.
      """,
      exit: [
        0: "success", 1: "the history cannot be read", 64: "the arguments are wrong",
        69: "the broker cannot be reached",
      ],
      examples: [
        "List the last ten requests": "usher history --limit 10",
        "Print JSON for a program": "usher history --json",
        "Read another user's history, as root":
          "runuser -u USER -- env -i XDG_RUNTIME_DIR=/run/user/UID usher history",
      ]))

  @Option(help: ArgumentHelp("Print at most this many requests, 1 to 10000.", valueName: "number"))
  var limit: UInt32 = 100

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000") }
  }

  func run() throws {
    let entries = try BrokerConnection.answer(onFailure: "cannot read the history", json: json) {
      bus throws(BusError) in
      try bus.call(BrokerInterface.history, at: BrokerInterface.broker, ["limit": .uint32(limit)])
    }
    guard !json else {
      return Console.emit(JSONText.line(["entries": .array(of: "a{sv}", entries.map { .dictionary($0) })]))
    }
    if entries.isEmpty { Console.warn("the history is empty") }
    Console.say(entries.reversed().map { HistoryLine($0).text })
  }
}

/// One entry of the history or of the monitor, formatted for the user.
struct HistoryLine {
  /// The duration in milliseconds.
  let milliseconds: Int64
  /// The outcome.
  let outcome: StyledText
  /// The source, the target and the URL.
  let way: String
  /// The complete line, with the timestamp of arrival.
  let text: StyledText

  init(_ entry: [String: Variant]) {
    func word(_ key: String) -> String? { entry[key]?.string }
    milliseconds = (entry["duration"]?.integer ?? 0) / 1_000
    let error = word("error").map { " (\($0.replacing("org.usher.Error.", with: "")))" } ?? ""
    let emphasis: StyledText.Emphasis? =
      switch word("outcome") {
      case "handled", "delivered": .good
      case "failed": .bad
      case "unknown": .open
      default: nil
      }
    outcome = "\(word("outcome") ?? "?", as: emphasis)\(error)"
    let urls = (entry["urls"]?.strings ?? []).joined(separator: " ")
    let source =
      word("source-application").map { "\($0) (\(word("assurance") ?? "unknown"))" }
      ?? word("via").map { "unknown source via \($0)" } ?? "unknown source"
    way = "\(source) -> \(word("application") ?? "-")  \(urls)"
    let moment = Timestamp.text(of: Int((entry["time"]?.integer ?? 0) / 1_000_000))
    text = "\(moment)  \(milliseconds) ms  \(outcome)  \(way)"
  }
}
