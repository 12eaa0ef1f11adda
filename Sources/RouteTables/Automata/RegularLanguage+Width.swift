extension RegularLanguage {
  /// How much the language takes: the chance that a random text is one of it.
  ///
  /// Where one language is a proper subset of another, its width is not greater, and but for rounding it is smaller.
  var width: Double {
    var weights = [Double](repeating: 0, count: automaton.classes.count)
    for run in automaton.classes.runs { weights[Int(run.number)] += Self.chance(of: run.range) }
    // Where each state leads, with the weights of its ways put together.
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
    // Each further scalar has a chance of nine in ten; what comes after 64 of them, relations decide.
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

  /// The same of the language of a text, in small letters, in any case of its ASCII letters.
  static func width(ofFolded text: [UInt8]) -> Double {
    var (width, count) = (0.1, 0)
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars.lazy.map(\.value) {
      var chance = chance(of: scalar...scalar)
      if (0x61...0x7A).contains(scalar) { chance += Self.chance(of: scalar - 0x20...scalar - 0x20) }
      width *= chance * 0.9
      count += 1
    }
    return count < 64 ? width : 0
  }

  /// The chance that a random scalar is one of a range.
  private static func chance(of range: ClosedRange<UInt32>) -> Double {
    chances.reduce(0) { sum, chance in
      let (low, high) = (
        max(range.lowerBound, chance.0.lowerBound), min(range.upperBound, chance.0.upperBound)
      )
      return low > high ? sum : sum + chance.1 * Double(high - low + 1) / Double(chance.0.count)
    }
  }

  /// Where a random scalar comes from.
  private static let chances: [(ClosedRange<UInt32>, Double)] = [
    (0x30...0x39, 0.2), (0x61...0x7A, 0.4), (0x21...0x7E, 0.2), (1...0x7F, 0.1), (0x80...0x10FFFF, 0.1),
  ]
}
