import BrokerCore
import BusInterfaces
import DBus
import RouteTables
import State
import Systemd

/// What is told of one part of a request: to those who watch as it moves, to the history when it is over.
struct DeliveryObserver: Sendable {
  private let history: HistoryWriter
  private let monitors: Monitors
  private let request: String
  private let urls: [URLString]
  private let source: String?
  private let assurance: String
  private let caller: ChargedCaller
  /// When it came: in microseconds since 1970, and by the session's clock.
  private let time = BootClock.microsecondsSince1970
  private let arrival = BootClock.now

  init(
    _ history: HistoryWriter, _ monitors: Monitors, request: String, urls: [URLString], source: String?,
    assurance: String, caller: ChargedCaller
  ) {
    self.history = history
    self.monitors = monitors
    self.request = request
    self.urls = urls
    self.source = source
    self.assurance = assurance
    self.caller = caller
  }

  private static let mostURLs = 20

  /// Tells whoever watches that the part has come to `state` on its way to `application`.
  func move(to state: RequestState, _ application: String?, _ kind: Delivery.Kind?) {
    monitors.assumeIsolated {
      $0.tell(state.name) {
        var entries = entry(Delivery(application: application, outcome: .accepted, kind: kind)).entries
        entries["outcome"] = nil
        return entries
      }
    }
  }

  /// Tells whoever watches what became of it, and writes that into the history once its caller has been told.
  func end(_ delivery: Delivery) {
    monitors.assumeIsolated { $0.tell("ended") { entry(delivery).entries } }
    history.loop.submitAfterwards { history.assumeIsolated { $0.add(entry(delivery)) } }
  }

  /// The URLs without user information, query and fragment, a space between them.
  private var reported: String {
    // Many links at once are one line, not a thousand.
    urls.prefix(Self.mostURLs).map(\.redacted).joined(separator: " ")
      + (urls.count > Self.mostURLs ? " …" : "")
  }

  private func entry(_ delivery: Delivery) -> HistoryEntry {
    HistoryEntry(
      time: time, request: request, urls: reported, source: source, assurance: assurance,
      application: delivery.application, delivery: delivery.kind?.rawValue,
      outcome: delivery.outcome.rawValue, error: delivery.error?.rawValue,
      duration: (BootClock.now - arrival) / 1_000, caller: caller.text)
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
