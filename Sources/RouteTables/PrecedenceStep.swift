// SPDX-License-Identifier: Apache-2.0
/// A requirement that one pattern precede another, and its cause.
///
/// If such requirements form a cycle, the routes cannot be ordered.
public struct PrecedenceStep: Hashable, Sendable, CustomStringConvertible {
  /// The reason why `first` precedes `second`.
  public enum Cause: Hashable, Sendable {
    /// The route of `first` names the route of `second` in `wins_over`.
    case winsOver
    /// `second` matches every URL that `first` matches.
    case narrower
    /// The route of `first` is a final route that denies, and the route of `second` does not name it in `wins_over`.
    case denies
  }

  /// The pattern that precedes the other, with its route.
  public let first: RouteConflict.Side
  /// The pattern that follows, with its route.
  public let second: RouteConflict.Side
  /// The reason why `first` precedes `second`.
  public let cause: Cause

  /// The requirement as a clause of an error message.
  public var description: String {
    switch cause {
    case .winsOver: "`\(first.id)` has `wins_over` `\(second.id)`"
    case .narrower: "\(second) matches all URLs of \(first), so it comes later"
    case .denies: "`\(first.id)` denies, and \(second) does not name `\(first.id)` in `wins_over`"
    }
  }

  /// Returns an error message for steps that form a cycle, with the edit that breaks it.
  static func sentence(_ steps: [PrecedenceStep]) -> String {
    guard steps.contains(where: { $0.cause != .winsOver }) else {
      let ids = steps.map(\.first.id) + steps.prefix(1).map(\.first.id)
      return
        "`wins_over` is cyclic (\(ids.map { "`\($0)`" }.joined(separator: " over "))): remove one"
    }
    let reasons = steps.map(\.description).joined(separator: "; ")
    let denials = steps.filter { $0.cause == .denies }
    if !denials.isEmpty {
      let edits = denials.map { "`\($0.second.id)` so that it matches nothing that `\($0.first.id)` denies" }
      return
        "`wins_over` cannot be satisfied: \(reasons): change the patterns or conditions of "
        + edits.joined(separator: ", or of ") + ", or remove a `wins_over`"
    }
    let suggestion =
      steps.count > 2
      ? "remove one `wins_over`"
      : "remove `wins_over`, or move one of these two patterns to a separate route"
    return "`wins_over` cannot be satisfied: \(reasons): \(suggestion)"
  }
}
