// SPDX-License-Identifier: Apache-2.0
import DBus
import RouteTables

/// One delivery as the monitor or the history reports it.
///
/// All texts are short, because a view stores many entries.
struct RequestEntry: Hashable {
  /// A state of a delivery, and when the delivery entered it.
  struct Transition: Hashable {
    let state: String
    /// The time since the arrival of the request, in microseconds.
    let at: Int64
  }

  /// The maximum number of Unicode scalars of a text.
  private static let longestText = 600
  /// The maximum number of URLs and of states; the broker reports no more.
  private static let (maximumURLs, maximumStates) = (20, 16)
  /// The possible times in microseconds, with which calculations do not overflow.
  private static let times: ClosedRange<Int64> = 0...(1 << 53)
  /// The name of the last state.
  static let endState = "ended"

  let requestID: String
  /// The URLs without user information, query and fragment.
  let urls: [String]
  /// A Boolean value that indicates whether the request has more URLs.
  let hasMoreURLs: Bool
  /// The arrival of the request, in microseconds since 1970.
  let arrival: Int64
  var application: String?
  let source: String?
  let assurance: String?
  let via: String?
  let remote: String?
  /// `running` or `launch`.
  var delivery: String?
  /// The outcome; `nil` before the end.
  var outcome: String?
  /// The D-Bus name of the error.
  var error: String?
  var reason: String?
  /// The time from the arrival to the event, in microseconds.
  var duration: Int64
  /// The states before the end.
  var states: [Transition]

  /// Creates an entry of an object of the monitor or of the history; `nil` if it is not a delivery.
  init?(_ entries: [String: Variant]) {
    func text(_ key: String) -> String? { entries[key]?.string.map(Self.shortened) }
    guard let requestID = text("request-id"), let time = entries["time"]?.integer,
      Self.times.contains(time)
    else { return nil }
    self.requestID = requestID
    let reported = entries["urls"]?.strings ?? []
    // The broker marks omitted URLs with an ellipsis.
    urls = reported.filter { $0 != "…" }.prefix(Self.maximumURLs).map(Self.shown)
    hasMoreURLs = urls.count < reported.count
    duration = min(max(0, entries["duration"]?.integer ?? 0), Self.times.upperBound)
    application = text("application")
    source = text("source-application")
    (assurance, via, remote) = (text("assurance"), text("via"), text("remote"))
    (delivery, error, reason) = (text("delivery"), text("error"), text("reason"))
    let state = text("state")
    // An event of the monitor has its own time, an entry of the history that of the arrival.
    arrival = state == nil ? time : time - duration
    outcome = state == nil || state == Self.endState ? text("outcome") ?? "unknown" : nil
    if let state {
      states = state == Self.endState ? [] : [Transition(state: state, at: duration)]
    } else {
      states = (entries["states"]?.dictionaries ?? []).prefix(Self.maximumStates).compactMap { entry in
        guard let state = entry["state"]?.string, let at = entry["at"]?.integer else { return nil }
        return Transition(
          state: Self.shortened(state), at: min(max(0, at), Self.times.upperBound))
      }
    }
  }

  /// A Boolean value that indicates whether the delivery has its outcome.
  var isEnded: Bool { outcome != nil }

  /// Returns whether an entry is about the same delivery.
  ///
  /// Several deliveries of a request differ in their URLs or their application, which is unknown in some states.
  func isSameDelivery(as other: RequestEntry) -> Bool {
    requestID == other.requestID && urls == other.urls && source == other.source && remote == other.remote
      && (application == nil || other.application == nil || application == other.application)
  }

  /// Adds what a later entry of the delivery reports.
  mutating func add(_ later: RequestEntry) {
    // A delivery that is repeated has its first states, as in the history.
    if later.isEnded, later.states.count >= states.count {
      states = later.states
    } else if !isEnded {
      states += later.states.prefix(Self.maximumStates - min(Self.maximumStates, states.count))
    }
    guard later.isEnded || !isEnded else { return }
    duration = later.duration
    application = later.application ?? application
    delivery = later.delivery ?? delivery
    (outcome, error) = (later.outcome, later.error)
    reason = later.reason ?? reason
  }

  private static func shortened(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(longestText)
    return start.endIndex == text.unicodeScalars.endIndex ? text : String(start) + "…"
  }

  /// Returns a URL as logs show it.
  ///
  /// The broker sends no other, but another version of it might.
  private static func shown(_ text: String) -> String {
    if let url = try? URLString(text) { return shortened(url.redacted) }
    // Scalars, because a combining mark after a delimiter would hide it among the characters.
    let scalars = text.unicodeScalars
    guard let colon = scalars.firstIndex(of: ":") else { return "…" }
    return "\(shortened(String(scalars[..<colon].prefix { $0 != "?" && $0 != "#" }))):…"
  }
}

/// The URL of a request as the monitor and the history show it.
enum ShownURL {
  /// Returns scheme, host and path, without the signs for an omitted query and fragment.
  static func base(_ url: String) -> String {
    String(url.unicodeScalars.prefix { $0 != "?" && $0 != "#" })
  }

  /// Returns the URL without the signs for an omitted query and fragment; `nil` if more is omitted.
  static func plain(_ url: String) -> String? {
    let end = url.firstRange(of: "?…")?.lowerBound ?? url.firstRange(of: "#…")?.lowerBound ?? url.endIndex
    let plain = url[..<end]
    return plain.contains("…") ? nil : String(plain)
  }
}
