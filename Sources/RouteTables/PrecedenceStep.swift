/// Why one pattern must come before another; where such steps go in a circle, no order can be found.
public struct PrecedenceStep: Hashable, Sendable, CustomStringConvertible {
  /// Why the first comes before the second.
  public enum Cause: Hashable, Sendable {
    /// Its route says `wins_over`.
    case winsOver
    /// The second matches all that it matches.
    case narrower
    /// Its route is a final one that denies, and the second does not say `wins_over` it.
    case denies
  }

  /// What comes first.
  public let first: RouteConflict.Side
  /// What comes after it.
  public let second: RouteConflict.Side
  /// Why.
  public let cause: Cause

  /// The step as a part of a sentence.
  public var description: String {
    switch cause {
    case .winsOver: "`\(first.id)` says `wins_over` `\(second.id)`"
    case .narrower: "\(second) matches all that \(first) matches, and so comes after it"
    case .denies: "`\(first.id)` denies, and \(second) does not say `wins_over` `\(first.id)`"
    }
  }

  /// Says of steps that go in a circle what they are and what to do.
  static func sentence(_ steps: [PrecedenceStep]) -> String {
    guard steps.contains(where: { $0.cause != .winsOver }) else {
      let ids = steps.map(\.first.id) + steps.prefix(1).map(\.first.id)
      return
        "`wins_over` goes in a circle, \(ids.map { "`\($0)`" }.joined(separator: " over ")): take one out"
    }
    let reasons = steps.map(\.description).joined(separator: "; ")
    if let step = steps.first(where: { $0.cause == .denies }) {
      return
        "`wins_over` cannot be carried out: \(reasons): say `wins_over = \"\(step.first.id)\"` in `\(step.second.id)`, too, "
        + "or take it out"
    }
    let mend =
      steps.count > 2
      ? "take one `wins_over` out"
      : "take `wins_over` out, or make one of these two patterns a route of its own"
    return "`wins_over` cannot be carried out: \(reasons): \(mend)"
  }
}
