extension String {
  /// The name that takes the fewest changed letters, for "the nearest is"; `nil` if there is none.
  package func nearest(in names: some Sequence<String>) -> String? {
    names.min { $0.distance(to: self) < $1.distance(to: self) }
  }

  /// How many letters have to be put in, taken out or changed: Levenshtein's distance.
  func distance(to other: String) -> Int {
    let (own, others) = (Array(utf8.prefix(64)), Array(other.utf8.prefix(64)))
    var row = Array(0...others.count)
    for (index, byte) in own.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, candidate) in others.enumerated() {
        let change = diagonal + (byte == candidate ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(change, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[others.count]
  }
}
