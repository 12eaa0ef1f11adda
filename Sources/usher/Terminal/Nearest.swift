/// The word that was meant by one that is mistyped.
enum Nearest {
  /// The one of `words` that is at most two letters away, and not more than a third of it; `nil` where it is among them.
  static func word(to typed: String, among words: [String]) -> String? {
    guard typed.count > 2, !words.contains(typed) else { return nil }
    let near = words.map { (word: $0, distance: distance(typed, $0)) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= min(2, max(1, near.word.count / 3)) else { return nil }
    return near.word
  }

  /// How many letters must be put in, left out, changed, or swapped with their neighbour.
  static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first), Array(second))
    var before: [Int] = []
    var above = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(above[j + 1] + 1, row[j] + 1, above[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      before = above
      above = row
    }
    return above[b.count]
  }
}
