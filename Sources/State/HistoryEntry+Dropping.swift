// SPDX-License-Identifier: Apache-2.0
extension [HistoryEntry] {
  /// Returns the newest `capacity` entries, after removing the oldest ones of callers with more than a tenth of the capacity.
  ///
  /// One caller alone therefore displaces the entries of others by no more than a tenth.
  public func newest(_ capacity: Int) -> [HistoryEntry] {
    var excess = count - capacity
    guard excess > 0 else { return self }
    let share = HistoryStore.share(of: capacity)
    var places: [String: Int] = [:]
    var isBeyond = [Bool](repeating: false, count: count)
    for index in indices.reversed() {
      let place = places[self[index].caller, default: 0] + 1
      places[self[index].caller] = place
      isBeyond[index] = place > share
    }
    var kept: [HistoryEntry] = []
    for index in indices {
      if excess > 0, isBeyond[index] { excess -= 1 } else { kept.append(self[index]) }
    }
    return [HistoryEntry](kept.dropFirst(Swift.max(0, excess)))
  }
}
