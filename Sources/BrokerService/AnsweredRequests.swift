/// The answered requests that callers may ask for again, so many that one caller cannot make all others' be forgotten.
struct AnsweredRequests {
  private let capacity: Int
  /// How many of them a caller may have whatever others have.
  private let part: Int
  /// The first one first.
  private var keys: [RequestKey] = []
  private var counts: [String: Int] = [:]
  /// How many callers have more than their part: most often none, and then nobody is looked for.
  private var greedy = 0

  /// None, and room for so many.
  init(capacity: Int) {
    self.capacity = capacity
    part = max(1, capacity / 10)
  }

  /// Adds a request.
  ///
  /// - Returns: the request that is to be forgotten, where there are too many: the oldest of those of callers that have more
  ///   than a tenth, else the oldest of all.
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
