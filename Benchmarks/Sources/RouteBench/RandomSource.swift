// SPDX-License-Identifier: Apache-2.0
/// SplitMix64, with a fixed seed for reproducible runs.
struct RandomSource: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns `count` different lower-case words of 2 to 10 letters.
  mutating func words(_ count: Int) -> [String] {
    var words: Set<String> = []
    var list: [String] = []
    while list.count < count {
      let letters = (0..<Int.random(in: 2...10, using: &self)).map { _ in
        UInt8.random(in: 97...122, using: &self)
      }
      let word = String(decoding: letters, as: UTF8.self)
      if words.insert(word).inserted { list.append(word) }
    }
    return list
  }
}
