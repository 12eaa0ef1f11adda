// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport

@testable import UsherCommand

/// Events of requests for tests, as the broker reports them.
enum WatchSample {
  /// The arrival of the first request: 2026-11-27 12:00:00 UTC.
  static let start: Int64 = 1_795_780_800_000_000

  /// Returns a model of a size whose times are in UTC.
  static func model(rows: Int = 24, columns: Int = 80) -> WatchModel {
    var model = WatchModel(size: ScreenSize(rows: rows, columns: columns)) {
      Timestamp.text(of: Int($0 / 1_000_000)).replacing("T", with: " ").replacing("Z", with: "")
    }
    model.receive(.connected(version: "0.2.0"))
    return model
  }

  /// Returns the object of an event: the request `number`, in a state some milliseconds after its arrival.
  static func object(
    _ number: Int, _ state: String, after milliseconds: Int64 = 0, urls: [String]? = nil,
    adding entries: [String: Variant] = [:]
  ) -> [String: Variant] {
    let duration = milliseconds * 1_000
    let time = start + Int64(number) * 1_000_000 + duration
    let object: [String: Variant] = [
      "event": "request", "state": .string(state), "time": .uint64(UInt64(time)),
      "duration": .uint64(UInt64(duration)), "request-id": .string("request-\(number)"),
      "urls": .strings(urls ?? ["notes://note/\(number)?…#…"]), "assurance": "unit",
      "source-application": "org.example.Mail", "application": "org.example.Notes",
    ]
    return object.merging(entries) { $1 }
  }

  /// Returns an event.
  static func event(
    _ number: Int, _ state: String, after milliseconds: Int64 = 0, urls: [String]? = nil,
    adding entries: [String: Variant] = [:]
  ) -> WatchEvent {
    // The test fails with a missing request if the object is not an event.
    WatchEvent(object(number, state, after: milliseconds, urls: urls, adding: entries)) ?? .complete
  }

  /// Returns the event of an outcome.
  static func ended(_ number: Int, _ outcome: String = "handled", error: String? = nil) -> WatchEvent {
    var entries: [String: Variant] = ["outcome": .string(outcome)]
    entries["error"] = error.map { .string("org.usher.Error.\($0)") }
    return event(number, "ended", after: 12, adding: entries)
  }

  /// Returns the lines of the screen.
  static func lines(_ model: WatchModel) -> [String] {
    WatchScreen(of: model, now: start).frame.lines.map(\.text)
  }

  /// Returns the screen that a terminal shows after a frame was drawn.
  static func screen(_ model: WatchModel, isColoured: Bool = true) -> TerminalScreen {
    let frame = WatchScreen(of: model, now: start).frame
    var screen = TerminalScreen(rows: frame.size.rows, columns: frame.size.columns)
    screen.write("\u{1B}[?7l".utf8)
    for (row, line) in frame.lines.enumerated() {
      screen.write("\u{1B}[\(row + 1);1H".utf8)
      screen.write(line.written(columns: frame.size.columns, isColoured: isColoured).utf8)
    }
    return screen
  }
}
