/// SplitMix64: the same seed gives the same numbers, so that a failure can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator whose numbers follow from `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to `count`, which is not among them.
  public mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }

  /// Whether one of `count` draws is hit.
  public mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// One of `choices`, which is never empty here.
  public mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
}
