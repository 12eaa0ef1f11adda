// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import State

extension HistoryEntry {
  /// The `a{sv}` dictionary on the bus.
  var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "time": .uint64(UInt64(clamping: time)), "request-id": .string(request),
      "urls": .strings(urls.split(separator: " ").map(String.init)), "assurance": .string(assurance),
      "outcome": .string(outcome), "duration": .uint64(UInt64(clamping: duration)),
    ]
    entries["source-application"] = source.map { .string($0) }
    entries["via"] = via.map { .string($0) }
    entries["remote"] = remote.map { .string($0) }
    entries["application"] = application.map { .string($0) }
    entries["delivery"] = delivery.map { .string($0) }
    entries["error"] = error.map { .string($0) }
    entries["reason"] = reason.map { .string($0) }
    entries["states"] = states.map { .array(of: "a{sv}", Self.entries(ofStates: $0)) }
    return entries
  }

  /// Returns the keys of each state: `state` s and `at` t.
  private static func entries(ofStates text: String) -> [Variant] {
    let words = text.split(separator: " ")
    return stride(from: 0, to: words.count - 1, by: 2).map { index in
      .dictionary([
        "state": .string(String(words[index])), "at": .uint64(UInt64(words[index + 1]) ?? 0),
      ])
    }
  }
}
