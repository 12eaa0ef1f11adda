/// What changes from one table to another: each class of requests whose action is another one, with a request that shows it.
///
/// A class is told by who wins it: a pattern of the old table, or none, and a pattern of the new one, or none.
///
/// ```swift
/// let diff = new.diff(from: old)
/// for change in diff.changes { print(change) }
/// if diff.isEmpty { print("the tables do the same with every URL") }
/// ```
public struct RouteDiff: Hashable, Sendable {
  /// Who wins a class of requests; one of the two is there.
  public struct Sides: Hashable, Sendable {
    /// The route and the pattern that win in the old table, or `nil` if none does.
    public let old: RouteConflict.Side?
    /// The route and the pattern that win in the new table, or `nil` if none does.
    public let new: RouteConflict.Side?
    /// The index of the old route among those of its table.
    public let oldRouteIndex: Int?
    /// The index of the new route among those of its table.
    public let newRouteIndex: Int?
  }

  /// A class of requests whose action changes.
  public struct Change: Hashable, Sendable, CustomStringConvertible {
    /// Who wins it.
    public let sides: Sides
    /// A request of the class.
    public let witness: RouteRequest

    /// The sentence a person reads.
    public var description: String {
      switch (sides.old, sides.new) {
      case (let old?, let new?): "what \(old) took, \(new) takes now, for example \(witness)"
      case (let old?, nil): "what \(old) took, no route takes now, for example \(witness)"
      case (nil, let new?): "what no route took, \(new) takes now, for example \(witness)"
      case (nil, nil): "no route takes \(witness)"
      }
    }
  }

  /// A class of which nobody can say whether there is a request in it.
  public struct Undecided: Hashable, Sendable, CustomStringConvertible {
    /// Who would win it.
    public let sides: Sides
    /// Why that cannot be told.
    public let reason: UndecidedReason

    /// The sentence a person reads.
    public var description: String { "whether a URL goes from \(sides) could not be decided: \(reason)" }
  }

  /// How many classes are told, if not told otherwise.
  public static let limit = 10_000

  /// The classes whose action changes, by the place of the new route, or of the old one where there is none.
  public internal(set) var changes: [Change] = []
  /// Classes of which nobody can say whether there is a request in them.
  public internal(set) var undecided: [Undecided] = []
  /// The limits at which it stopped: of classes, of ten million joined states, and of 50,000 pairs of patterns that had to be compared.
  public internal(set) var limits: [AnalysisLimit] = []
  /// Whether there is no more than this.
  public var isComplete: Bool { limits.isEmpty }

  /// Whether it is proven that nothing changes.
  public var isEmpty: Bool { changes.isEmpty && undecided.isEmpty && isComplete }
}

extension RouteDiff.Sides: CustomStringConvertible {
  /// Both sides, the old one in front.
  public var description: String {
    [old, new].map { $0?.description ?? "no route" }.joined(separator: " to ")
  }
}
