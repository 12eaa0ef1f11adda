// SPDX-License-Identifier: Apache-2.0
/// The answered requests that callers can repeat, limited so that one caller cannot displace those of all others.
struct AnsweredRequests {
  private let capacity: Int
  /// The number of requests that a caller may always have, regardless of other callers.
  private let part: Int
  /// The requests, oldest first.
  private var keys: [RequestKey] = []
  private var counts: [String: Int] = [:]
  /// The number of callers with more than their share.
  ///
  /// It is usually zero, which avoids a search.
  private var greedy = 0

  /// Creates an empty list for `capacity` requests.
  init(capacity: Int) {
    self.capacity = capacity
    part = max(1, capacity / 10)
  }

  /// Adds a request.
  ///
  /// - Returns: The request to drop if there are too many: the oldest one of the callers that have more than a tenth,
  ///   otherwise the oldest one of all.
  mutating func add(_ key: RequestKey) -> RequestKey? {
    keys.append(key)
    let count = counts[key.caller, default: 0] + 1
    counts[key.caller] = count
    if count == part + 1 { greedy += 1 }
    guard keys.count > capacity else { return nil }
    let index = greedy > 0 ? keys.firstIndex { counts[$0.caller, default: 0] > part } ?? 0 : 0
    let dropped = keys.remove(at: index)
    let left = counts[dropped.caller, default: 0] - 1
    counts[dropped.caller] = left > 0 ? left : nil
    if left == part { greedy -= 1 }
    return dropped
  }
}
