/// What a proof about a table left open, so that there may be more than it tells.
public struct AnalysisGaps: Hashable, Sendable {
  /// How many questions are told.
  public static let limit = 100

  /// The limits at which it stopped.
  public private(set) var limits: [AnalysisLimit] = []
  /// The questions that it could not decide, the first of them.
  public private(set) var undecided: [UndecidedQuestion] = []
  /// How many more of those there are.
  public private(set) var furtherUndecided = 0

  /// Nothing was compared.
  static let all = AnalysisGaps(limits: [.comparisons(0)])

  /// Whether nothing is open.
  public var isEmpty: Bool { limits.isEmpty && undecided.isEmpty }

  /// Each of them in words, without a place in front.
  public var sentences: [String] {
    limits.map(\.description) + undecided.map(\.description)
      + (furtherUndecided > 0 ? ["\(furtherUndecided) more questions could not be decided"] : [])
  }

  mutating func add(_ limit: AnalysisLimit) {
    if !limits.contains(limit) { limits.append(limit) }
  }

  mutating func add(_ question: UndecidedQuestion) {
    guard !undecided.contains(question) else { return }
    if undecided.count < Self.limit { undecided.append(question) } else { furtherUndecided += 1 }
  }

  /// The same, and what the other has.
  mutating func formUnion(_ other: AnalysisGaps) {
    other.limits.forEach { add($0) }
    other.undecided.forEach { add($0) }
    furtherUndecided += other.furtherUndecided
  }
}

/// A limit at which a proof about a table stops.
public enum AnalysisLimit: Hashable, Sendable, CustomStringConvertible {
  /// So many findings, or classes of URLs, are told.
  case reported(Int)
  /// So many pairs of places are looked at where the index is joined with itself.
  case joins(Int)
  /// So many pairs of patterns are compared.
  case comparisons(Int)

  /// The limit as a sentence.
  public var description: String {
    switch self {
    case .reported(let count): "only the first \(count) are told: mend those first"
    case .joins(let count):
      "not all pairs of patterns were looked for: the index has more than \(count) pairs of places"
    case .comparisons(let count): "not all pairs of patterns were compared: there are more than \(count)"
    }
  }
}

/// A question about a route to which no answer was found.
public struct UndecidedQuestion: Hashable, Sendable, CustomStringConvertible {
  /// What was asked.
  public enum Kind: Hashable, Sendable {
    /// Whether it ever wins with the pattern.
    case wins
    /// Whether it crosses this one.
    case crosses(RouteConflict.Side)
    /// Whether its `wins_over` this one changes anything.
    case needsWinsOver(String)
  }

  /// What was asked.
  public let kind: Kind
  /// The route, and the pattern that is meant.
  public let route: RouteConflict.Side
  /// Why there is no answer.
  public let reason: UndecidedReason

  /// The sentence a person reads, without a place in front.
  public var description: String { "it could not be decided whether \(question): \(reason)" }

  private var question: String {
    switch kind {
    case .wins: "the route \(route) ever wins"
    case .crosses(let other): "the routes \(route) and \(other) cross"
    case .needsWinsOver(let other): "the route `\(route.id)` needs its `wins_over` `\(other)`"
    }
  }
}
