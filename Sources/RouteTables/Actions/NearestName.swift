// SPDX-License-Identifier: Apache-2.0
extension String {
  /// Returns the name with the smallest edit distance for a suggestion; `nil` if `names` is empty.
  package func nearest(in names: some Sequence<String>) -> String? {
    names.min { $0.distance(to: self) < $1.distance(to: self) }
  }

  /// Returns the Damerau–Levenshtein distance (insertions, deletions, substitutions, swaps of neighbours) in bytes.
  ///
  /// Only the first 64 bytes of each text are compared.
  package func distance(to other: String) -> Int {
    let (own, others) = (Array(utf8.prefix(64)), Array(other.utf8.prefix(64)))
    var (before, above) = ([Int](), Array(0...others.count))
    for (line, byte) in own.enumerated() {
      var row = [line + 1]
      for (column, candidate) in others.enumerated() {
        var cost = Swift.min(
          above[column + 1] + 1, row[column] + 1, above[column] + (byte == candidate ? 0 : 1))
        if line > 0, column > 0, byte == others[column - 1], own[line - 1] == candidate {
          cost = Swift.min(cost, before[column - 1] + 1)
        }
        row.append(cost)
      }
      (before, above) = (above, row)
    }
    return above[others.count]
  }
}
