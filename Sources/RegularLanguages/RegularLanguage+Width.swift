// SPDX-License-Identifier: Apache-2.0
extension RegularLanguage {
  /// The probability that the language contains a random text.
  ///
  /// A proper subset of a language has a smaller width than that language, or an equal one because of rounding.
  package var width: Double {
    var weights = [Double](repeating: 0, count: automaton.classes.count)
    for run in automaton.classes.runs { weights[Int(run.number)] += Self.chance(of: run.range) }
    // The targets of each state, with the weights of parallel transitions added up.
    var ways = [[(target: Int, weight: Double)]](repeating: [], count: automaton.stateCount)
    for state in 1..<automaton.stateCount {
      var sums: [Int: Double] = [:]
      for number in 1..<max(1, weights.count) {
        let target = automaton.next(state, number)
        if target != 0 { sums[target, default: 0] += weights[number] * 0.9 }
      }
      ways[state] = sums.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
    var chances = [Double](repeating: 0, count: automaton.stateCount)
    chances[1] = 1
    var width = 0.0
    // A text continues after each scalar with a probability of 0.9. Texts of more than 64 scalars are ignored, because
    // comparisons of equal widths use the relation of the languages.
    for _ in 0..<64 {
      var next = [Double](repeating: 0, count: chances.count)
      var isAlive = false
      for state in 1..<chances.count where chances[state] > 0 {
        if automaton.isAccepting[state] { width += chances[state] * 0.1 }
        for way in ways[state] {
          next[way.target] += chances[state] * way.weight
          isAlive = true
        }
      }
      guard isAlive else { break }
      chances = next
    }
    return width
  }

  /// Returns the width of the language of a text that ignores ASCII case.
  ///
  /// - Parameter text: the UTF-8 bytes of the text in lower case.
  package static func width(ofFolded text: [UInt8]) -> Double {
    var (width, count) = (0.1, 0)
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars.lazy.map(\.value) {
      var chance = chance(of: scalar...scalar)
      if (0x61...0x7A).contains(scalar) { chance += Self.chance(of: scalar - 0x20...scalar - 0x20) }
      width *= chance * 0.9
      count += 1
    }
    return count < 64 ? width : 0
  }

  /// Returns the probability that a random scalar is in a range.
  private static func chance(of range: ClosedRange<UInt32>) -> Double {
    chances.reduce(0) { sum, chance in
      let (low, high) = (
        max(range.lowerBound, chance.0.lowerBound), min(range.upperBound, chance.0.upperBound)
      )
      return low > high ? sum : sum + chance.1 * Double(high - low + 1) / Double(chance.0.count)
    }
  }

  /// The probability distribution of random scalars: ranges with their weights.
  private static let chances: [(ClosedRange<UInt32>, Double)] = [
    (0x30...0x39, 0.2), (0x61...0x7A, 0.4), (0x21...0x7E, 0.2), (1...0x7F, 0.1), (0x80...0x10FFFF, 0.1),
  ]
}
