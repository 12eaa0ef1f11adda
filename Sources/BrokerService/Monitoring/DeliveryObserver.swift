// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import State
import Systemd

/// The observer of one part of a request, which notifies monitors of its states and adds its outcome to the history.
@BrokerActor
struct DeliveryObserver {
  private let history: HistoryWriter
  private let monitors: MonitorHub
  private let request: String
  private let links: [RequestGroup.Link]
  private let source: String?
  private let assurance: String
  private let via: String?
  private let caller: ChargedCaller
  private let times: RequestTimes

  init(
    _ history: HistoryWriter, _ monitors: MonitorHub, request: String, links: [RequestGroup.Link],
    source: String?,
    assurance: String, via: String?, caller: ChargedCaller, times: RequestTimes
  ) {
    self.history = history
    self.monitors = monitors
    self.request = request
    self.links = links
    self.source = source
    self.assurance = assurance
    self.via = via
    self.caller = caller
    self.times = times
  }

  /// Notifies the monitors that the part has reached `state`.
  func move(to state: RequestState, _ application: String?, _ kind: Delivery.Kind?) {
    monitors.tell(state.name) {
      var entries = entry(Delivery(application: application, outcome: .accepted, kind: kind)).entries
      entries["outcome"] = nil
      return entries
    }
  }

  /// Notifies the monitors of the outcome, and adds it to the history after the caller has received it.
  func end(_ delivery: Delivery) {
    monitors.tell("ended") { entry(delivery).entries }
    BrokerActor.afterwards { history.add(entry(delivery)) }
  }

  /// The URLs without user information, query, fragment and the paths with secrets, separated by spaces.
  private var reported: String {
    // A request with many URLs makes a short entry.
    links.prefix(BrokerLimits.maximumReportedURLs).map(\.redacted).joined(separator: " ")
      + (links.count > BrokerLimits.maximumReportedURLs ? " …" : "")
  }

  private func entry(_ delivery: Delivery) -> HistoryEntry {
    HistoryEntry(
      time: times.date, request: request, urls: reported, source: source, assurance: assurance,
      via: via, application: delivery.application, delivery: delivery.kind?.rawValue,
      outcome: delivery.outcome.rawValue, error: delivery.error?.rawValue,
      duration: BootClock.microseconds(since: times.arrival), caller: caller.text)
  }
}

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
    entries["application"] = application.map { .string($0) }
    entries["delivery"] = delivery.map { .string($0) }
    entries["error"] = error.map { .string($0) }
    return entries
  }
}
