/// Rounds in which every contender takes its turn, so that all see the same machine.
public struct Race {
  /// What a contender needs for one look-up.
  public struct Figures: Sendable {
    /// The contender.
    public let name: String
    /// Nanoseconds, the middle of all rounds.
    public let median: Double
    /// Nanoseconds, the best round.
    public let least: Double
    /// Nanoseconds of each round, in the order in which they were run.
    public let times: [Double]

    init(name: String, times: [Double]) {
      let sorted = times.sorted()
      self.name = name
      self.times = times
      median = sorted[sorted.count / 2]
      least = sorted[0]
    }
  }

  /// How many rounds.
  public let rounds: Int
  /// About how long one contender's turn is, in nanoseconds: less than a scheduler's slice, so that most turns are whole.
  public let turn: Int

  /// A race of that many rounds.
  public init(rounds: Int, turn: Int = 1_000_000) {
    self.rounds = rounds
    self.turn = turn
  }

  /// Runs it; the figures are in the order of the contenders.
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
