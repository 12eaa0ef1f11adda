// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// The differences between two tables: each class of requests whose action changes, with a witness.
///
/// A class is identified by its winners: a pattern or none in the old table, and a pattern or none in the new table.
///
/// ```swift
/// let diff = new.diff(from: old)
/// for change in diff.changes { print(change) }
/// if diff.isEmpty { print("the tables are equivalent") }
/// ```
public struct RouteDiff: Hashable, Sendable {
  /// The winners of a class of requests; at least one of them exists.
  public struct Sides: Hashable, Sendable {
    /// The route and pattern that win in the old table; `nil` if no route matches.
    public let old: RouteConflict.Side?
    /// The route and pattern that win in the new table; `nil` if no route matches.
    public let new: RouteConflict.Side?
    /// The index of the old route in its table; `nil` if no route matches.
    public let oldRouteIndex: Int?
    /// The index of the new route in its table; `nil` if no route matches.
    public let newRouteIndex: Int?
  }

  /// A class of requests whose action changes.
  public struct Change: Hashable, Sendable, CustomStringConvertible {
    /// The winners of the class.
    public let sides: Sides
    /// A request of the class.
    public let witness: RouteRequest

    /// The change as a sentence.
    public var description: String {
      switch (sides.old, sides.new) {
      case (let old?, let new?): "\(new) now matches URLs of \(old), for example \(witness)"
      case (let old?, nil): "no route now matches URLs of \(old), for example \(witness)"
      case (nil, let new?): "\(new) now matches URLs that no route matched, for example \(witness)"
      case (nil, nil): "no route matches \(witness)"
      }
    }
  }

  /// A class for which the analysis could not decide whether it contains a request.
  public struct Undecided: Hashable, Sendable, CustomStringConvertible {
    /// The winners of the class.
    public let sides: Sides
    /// The reason why the class is undecided.
    public let reason: UndecidedReason

    /// The statement as a sentence.
    public var description: String { "cannot decide whether a URL moves from \(sides): \(reason)" }
  }

  /// The default maximum number of reported classes.
  public static let limit = 10_000

  /// The classes whose action changes, by the location of the new route, or of the old route if no new one matches.
  public internal(set) var changes: [Change] = []
  /// The classes for which the analysis could not decide whether they contain a request.
  public internal(set) var undecided: [Undecided] = []
  /// The limits at which the analysis stopped.
  ///
  /// There are limits for reported classes, for joined states (ten million) and for pairs of patterns that need a search
  /// (50,000).
  public internal(set) var limits: [AnalysisLimit] = []
  /// Indicates whether the analysis finished without reaching a limit.
  public var isComplete: Bool { limits.isEmpty }

  /// Indicates whether the tables are proven to have the same effect for every request.
  public var isEmpty: Bool { changes.isEmpty && undecided.isEmpty && isComplete }
}

extension RouteDiff.Sides: CustomStringConvertible {
  /// Both winners, the old one first.
  public var description: String {
    [old, new].map { $0?.description ?? "no route" }.joined(separator: " to ")
  }
}
