// SPDX-License-Identifier: Apache-2.0
/// Rounds in which all contenders run in turn, so that they are measured under the same conditions.
public struct Race {
  /// The time of one lookup of a contender.
  public struct Figures: Sendable {
    /// The contender.
    public let name: String
    /// The median of all rounds in nanoseconds.
    public let median: Double
    /// The minimum of all rounds in nanoseconds.
    public let least: Double
    /// The time of each round in nanoseconds, in their order.
    public let times: [Double]

    init(name: String, times: [Double]) {
      let sorted = times.sorted()
      self.name = name
      self.times = times
      median = sorted[sorted.count / 2]
      least = sorted[0]
    }
  }

  /// The number of rounds.
  public let rounds: Int
  /// The approximate time of one contender's turn in nanoseconds: less than a scheduler's time slice, so that few turns are interrupted.
  public let turn: Int

  /// Creates a race with the given number of rounds.
  public init(rounds: Int, turn: Int = 1_000_000) {
    self.rounds = rounds
    self.turn = turn
  }

  /// Runs the race, and returns the figures in the order of the contenders.
  public func run(_ contenders: [any Contender]) throws -> [Figures] {
    let passes = try contenders.map { contender in
      var least = Int.max
      for _ in 0..<3 { least = min(least, try contender.nanoseconds(passes: 1)) }
      return max(1, turn / max(1, least))
    }
    var times = contenders.map { _ in [Double]() }
    for _ in 0..<rounds {
      for (index, contender) in contenders.enumerated() {
        let time = try contender.nanoseconds(passes: passes[index])
        times[index].append(Double(time) / Double(passes[index] * contender.lookups))
      }
    }
    return contenders.indices.map { index in
      Figures(name: contenders[index].name, times: times[index])
    }
  }
}
