// SPDX-License-Identifier: Apache-2.0
import DBus

/// An event that changes a view of requests.
enum WatchEvent: Hashable {
  /// The broker of a version reports its events from now on.
  case connected(version: String)
  /// The broker exited.
  case lost
  /// The broker cannot be reached, for a reason; the view tries again.
  case unreachable(String)
  /// The broker omitted a number of events, because they arrived too fast.
  case missed(Int)
  /// A delivery entered a state, or is in the history.
  case request(RequestEntry)
  /// All of the history was received, so that no event is missing any more.
  case complete
  /// The decision about a request is known; `nil` if it cannot be explained.
  case decided(WatchedRequest.ID, WatchedDecision?)

  /// Creates an event of a line of the monitor; `nil` if it is not shown.
  init?(_ entries: [String: Variant]) {
    switch entries["event"]?.string {
    case "watching": self = .connected(version: entries["version"]?.string ?? "?")
    case "missed": self = .missed(Int(clamping: entries["count"]?.integer ?? 1))
    case "request":
      guard let entry = RequestEntry(entries) else { return nil }
      self = .request(entry)
    default: return nil
    }
  }
}
