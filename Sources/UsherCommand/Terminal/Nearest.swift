import RouteTables

/// The word that was meant by one that is mistyped.
enum Nearest {
  /// The one of `words` that is at most two letters away, and not more than a third of it; `nil` where it is among them.
  static func word(to typed: String, among words: [String]) -> String? {
    guard typed.count > 2, !words.contains(typed) else { return nil }
    let near = words.map { (word: $0, distance: typed.distance(to: $0)) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= min(2, max(1, near.word.count / 3)) else { return nil }
    return near.word
  }
}
