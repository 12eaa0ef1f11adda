// SPDX-License-Identifier: Apache-2.0
/// Values by key, each of which is believed for a short time after it was looked up.
struct RecentValues<Key: Hashable, Value> {
  private let trust: Duration
  private let capacity: Int
  private var values: [Key: (value: Value, at: ContinuousClock.Instant)] = [:]

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - trust: The time for which a value is believed.
  ///   - capacity: The number of keys, so that a caller that invents keys cannot fill the memory.
  init(trust: Duration, capacity: Int) {
    self.trust = trust
    self.capacity = capacity
  }

  /// The value of a key; `nil` if it was not looked up recently.
  subscript(key: Key) -> Value? {
    guard let known = values[key], .now - known.at < trust else { return nil }
    return known.value
  }

  /// Keeps the value of a key, which was looked up now, and drops those that are no longer believed.
  mutating func keep(_ value: Value, for key: Key) {
    let now = ContinuousClock.now
    values = values.filter { now - $0.value.at < trust }
    if values.count >= capacity { values = [:] }
    values[key] = (value, now)
  }

  /// Drops all values.
  mutating func removeAll() { values = [:] }
}

extension RecentValues: Sendable where Key: Sendable, Value: Sendable {}
