// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrokerCore
import BusInterfaces
import DBus

/// The command `usher history`, which shows the outcomes of earlier requests.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List requests with source, application and outcome.",
    discussion: HelpText.discussion(
      """
      Prints one line per delivery, the newest last: time, duration, outcome, source application, target application, and the URLs \
      without query, fragment and user. With --json, the newest is first. The broker stores the last 10,000 deliveries of this user; a request has one for each target. The line of a \
      rejected request ends with the reason: the route that denied it, and its layer. A TIME is a date with or without a time of the local time zone, such as \
      2026-11-24 or "2026-11-24 09:30", a time in UTC, such as 2026-11-24T09:30:00Z, or a number of minutes, hours or days ago, such as 30m, 2h or 7d.
      """,
      exit: [
        0: "success", 1: "the history cannot be read", 64: "the arguments are wrong",
        69: "the broker cannot be reached",
      ],
      examples: [
        "List the last ten requests": "usher history --limit 10",
        "List what was opened in the last day": "usher history --since 1d --limit 10000",
        "Print JSON for a program": "usher history --json",
        "Read another user's history, as root":
          "runuser -u USER -- env -i XDG_RUNTIME_DIR=/run/user/UID usher history",
      ]))

  @Option(help: ArgumentHelp("Print at most this many deliveries, 1 to 10000.", valueName: "max"))
  var limit: UInt32 = 100

  @Option(help: ArgumentHelp("Print only requests that arrived at this time or later.", valueName: "time"))
  var since: PointInTime?

  @Option(help: ArgumentHelp("Print only requests that arrived before this time.", valueName: "time"))
  var until: PointInTime?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000") }
    if let since, let until, since.microseconds > until.microseconds {
      throw ValidationError("--since must not be after --until")
    }
  }

  func run() throws {
    let entries = try BrokerConnection.answer(onFailure: "cannot read the history", json: json) {
      bus throws(BusError) in
      try bus.history(limit: limit, since: since, until: until)
    }
    guard !json else {
      return Console.emit(JSONText.line(["entries": .dictionaries(entries)]))
    }
    if entries.isEmpty {
      Console.warn(since == nil && until == nil ? "the history is empty" : "there is no request of that time")
    }
    Console.print(entries.reversed().map { HistoryLine($0).text })
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
      ?? word("remote").map { RemoteMachine.title(ofMachineNamed: $0) }
      ?? word("via").map { "unknown source via \($0)" } ?? "unknown source"
    way = "\(source) -> \(word("application") ?? "-")  \(urls)"
    let moment = Timestamp.text(of: Int((entry["time"]?.integer ?? 0) / 1_000_000))
    let reason = word("reason").map { "  (\($0))" } ?? ""
    text = ("\(moment)  \(milliseconds) ms  \(outcome)  \(way)\(reason)" as StyledText).inOneLine
  }
}
