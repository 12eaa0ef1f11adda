// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// The gaps in an analysis of a table: limits that it reached and questions that it could not decide.
public struct AnalysisGaps: Hashable, Sendable {
  /// The maximum number of recorded questions.
  public static let limit = 100

  /// The limits at which the analysis stopped.
  public private(set) var limits: [AnalysisLimit] = []
  /// The first questions that the analysis could not decide.
  public private(set) var undecided: [UndecidedQuestion] = []
  /// The number of undecided questions that are not recorded.
  public private(set) var furtherUndecided = 0

  /// The gaps of an analysis that compared nothing.
  static let all = AnalysisGaps(limits: [.comparisons(0)])

  /// Indicates whether the analysis is complete.
  public var isEmpty: Bool { limits.isEmpty && undecided.isEmpty }

  /// The gaps as sentences, without locations.
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

  /// Adds the gaps of another analysis.
  mutating func formUnion(_ other: AnalysisGaps) {
    other.limits.forEach { add($0) }
    other.undecided.forEach { add($0) }
    furtherUndecided += other.furtherUndecided
  }
}

/// A limit at which an analysis of a table stops.
public enum AnalysisLimit: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of reported diagnostics or overlaps.
  case reported(Int)
  /// The maximum number of node pairs in the join of the index with itself.
  case joins(Int)
  /// The maximum number of compared pairs of patterns.
  case comparisons(Int)

  /// The limit as a sentence.
  public var description: String {
    switch self {
    case .reported(let count): "only the first \(count) are listed: fix those first"
    case .joins(let count):
      "not all pairs of patterns were examined: there are more than \(count) pairs of index nodes"
    case .comparisons(let count): "not all pairs of patterns were compared: there are more than \(count)"
    }
  }
}

/// A question about a route that the analysis could not decide.
public struct UndecidedQuestion: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of questions.
  public enum Kind: Hashable, Sendable {
    /// The question whether the route ever wins with the pattern.
    case wins
    /// The question whether the route overlaps with another one.
    case crosses(RouteConflict.Side)
    /// The question whether the route's `wins_over` rule for the route with this ID has an effect.
    case needsWinsOver(String)
  }

  /// The kind of the question.
  public let kind: Kind
  /// The route and the pattern in question.
  public let route: RouteConflict.Side
  /// The reason why the question is undecided.
  public let reason: UndecidedReason

  /// A sentence for the user, without a location.
  public var description: String { "cannot decide whether \(question): \(reason)" }

  private var question: String {
    switch kind {
    case .wins: "the route \(route) ever wins"
    case .crosses(let other): "the routes \(route) and \(other) overlap"
    case .needsWinsOver(let other): "the route `\(route.id)` needs its `wins_over` `\(other)`"
    }
  }
}
