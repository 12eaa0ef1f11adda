extension [HistoryEntry] {
  /// The last `capacity` entries, of which first those go that callers have beyond a tenth of it: one caller alone makes
  /// others' go by no more than that.
  public func newest(_ capacity: Int) -> [HistoryEntry] {
    var excess = count - capacity
    guard excess > 0 else { return self }
    var places: [String: Int] = [:]
    var isBeyond = [Bool](repeating: false, count: count)
    for index in indices.reversed() {
      let place = places[self[index].caller, default: 0] + 1
      places[self[index].caller] = place
      isBeyond[index] = place > Swift.max(1, capacity / 10)
    }
    var kept: [HistoryEntry] = []
    for index in indices {
      if excess > 0, isBeyond[index] { excess -= 1 } else { kept.append(self[index]) }
    }
    return [HistoryEntry](kept.dropFirst(Swift.max(0, excess)))
  }
}
