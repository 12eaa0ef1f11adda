// SPDX-License-Identifier: Apache-2.0
import RouteTables

/// A search for the word that a mistyped one resembles.
enum Nearest {
  /// Returns the nearest of `words` within a distance of two letters and a third of the length; `nil` if `typed` is among them.
  static func word(to typed: String, among words: [String]) -> String? {
    guard typed.count > 2, !words.contains(typed) else { return nil }
    let near = words.map { (word: $0, distance: typed.distance(to: $0)) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= min(2, max(1, near.word.count / 3)) else { return nil }
    return near.word
  }
}
