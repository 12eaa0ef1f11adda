// SPDX-License-Identifier: Apache-2.0
/// A SplitMix64 generator, whose numbers follow from the seed, so that a failure can be reproduced.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed.
  public init(seed: UInt64) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 up to, and excluding, `count`.
  public mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// Returns `true` with a probability of one in `count`.
  public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// Returns one of `choices`, which must not be empty.
  public mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
}
