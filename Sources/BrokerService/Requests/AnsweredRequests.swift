// SPDX-License-Identifier: Apache-2.0
/// The answered requests that callers can repeat, limited so that one caller cannot displace those of all others.
///
/// A request whose answer is long counts as several, so that their number also limits the size of all answers.
struct AnsweredRequests {
  private struct Item {
    let key: RequestKey
    let count: Int
  }

  private let capacity: Int
  /// The number of requests that a caller may always have, regardless of other callers.
  private let part: Int
  /// The size in bytes of an answer for which a request counts once more.
  private let unit: Int
  /// The requests, oldest first.
  private var items: [Item] = []
  private var total = 0
  private var counts: [String: Int] = [:]
  /// The number of callers with more than their share.
  ///
  /// It is usually zero, which avoids a search.
  private var greedy = 0

  /// Creates an empty list for `capacity` requests with answers of less than `unit` bytes.
  init(capacity: Int, unit: Int) {
    self.capacity = capacity
    self.unit = unit
    part = max(1, capacity / 10)
  }

  /// Adds a request whose answer has `size` bytes.
  ///
  /// - Returns: The requests to drop if there are too many: the oldest ones of the callers that have more than a tenth,
  ///   otherwise the oldest ones of all.
  mutating func add(_ key: RequestKey, size: Int = 0) -> [RequestKey] {
    // Never more than a caller's part, so that the request itself is not dropped.
    let item = Item(key: key, count: min(part, 1 + size / unit))
    items.append(item)
    change(by: item.count, for: key.caller)
    var dropped: [RequestKey] = []
    while total > capacity {
      let index = greedy > 0 ? items.firstIndex { counts[$0.key.caller, default: 0] > part } ?? 0 : 0
      let item = items.remove(at: index)
      change(by: -item.count, for: item.key.caller)
      dropped.append(item.key)
    }
    return dropped
  }

  private mutating func change(by count: Int, for caller: String) {
    total += count
    let before = counts[caller, default: 0]
    let after = before + count
    counts[caller] = after > 0 ? after : nil
    if before <= part, after > part { greedy += 1 }
    if before > part, after <= part { greedy -= 1 }
  }
}
