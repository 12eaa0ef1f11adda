import BusInterfaces
import DBus
import State
import Systemd

extension HistoryNote {
  /// Writes what became of it.
  func end(_ delivery: Delivery) {
    let entry = HistoryEntry(
      time: time, request: request, urls: urls, source: source, assurance: assurance,
      application: delivery.application, delivery: delivery.kind?.rawValue,
      outcome: delivery.outcome.rawValue, error: delivery.error?.rawValue,
      duration: (SessionClock.now - arrival) / 1_000)
    keeper.assumeIsolated { $0.add(entry) }
  }
}

extension HistoryEntry {
  /// The `a{sv}` on the bus.
  var entries: [String: Variant] {
    var entries: [String: Variant] = [
      "time": .uint64(UInt64(clamping: time)), "request-id": .string(request),
      "urls": .strings(urls.split(separator: " ").map(String.init)), "assurance": .string(assurance),
      "outcome": .string(outcome), "duration": .uint64(UInt64(clamping: duration)),
    ]
    entries["source-application"] = source.map { .string($0) }
    entries["application"] = application.map { .string($0) }
    entries["delivery"] = delivery.map { .string($0) }
    entries["error"] = error.map { .string($0) }
    return entries
  }
}
