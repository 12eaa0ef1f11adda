// SPDX-License-Identifier: Apache-2.0
/// Two routes of one owner that match common URLs and of which neither can win.
///
/// If conflicting routes are skipped, a route that denies stays in force, and so does one that asks unless the other denies, so
/// that a mistake opens no URLs.
///
/// ``RouteTableBuilder/build()`` throws all conflicts in one error, ``RouteTableError/Reason/conflicts(_:)``.
public struct RouteConflict: Hashable, Sendable, CustomStringConvertible {
  /// A route that takes part in a conflict.
  public struct Side: Hashable, Sendable, CustomStringConvertible {
    /// The route's ID.
    public let id: String
    /// The route's owner.
    public let owner: String
    /// The pattern that takes part in the conflict.
    public let pattern: RoutePattern
    /// The location of the pattern, or of the route if the pattern's is unknown.
    public let location: SourceLocation

    package init(id: String, owner: String, pattern: RoutePattern, location: SourceLocation) {
      (self.id, self.owner) = (id, owner)
      self.pattern = pattern
      self.location = location
    }

    /// The route's ID, its pattern and its location.
    public var description: String { "`\(id)` (\(pattern), \(location))" }
  }

  /// The relation of the two patterns.
  public enum Kind: Hashable, Sendable {
    /// Both patterns match exactly the same URLs.
    case equal
    /// The patterns overlap: each also matches URLs that the other does not match, and no rule orders them.
    case crossing
  }

  /// The relation of the two patterns.
  public let kind: Kind
  /// The owner of both routes.
  public let owner: String
  /// The route that was added first.
  public let first: Side
  /// The route that was added second.
  public let second: Side
  /// A request that both routes match.
  public let witness: RouteRequest
  /// The IDs of the routes that deny; they stay in force if conflicting routes are skipped.
  public let denials: [String]
  /// The IDs of the routes that ask; they stay in force if conflicting routes are skipped and none denies.
  public let questions: [String]

  /// The error message, without a location in front because it contains two.
  public var description: String {
    let claim = kind == .equal ? "match the same URLs" : "overlap, and neither is narrower"
    return "the routes \(first) and \(second) \(claim), for example \(witness): "
      + (kind == .crossing ? "add `wins_over` to one of them, or " : "") + "change or remove one of them"
      + consequence
  }

  /// The rule for the common URLs while the conflicting routes are skipped.
  private var consequence: String {
    let (ids, verb) = denials.isEmpty ? (questions, "ask") : (denials, "deny")
    guard !ids.isEmpty else { return "" }
    let names = Set(ids).sorted().map { "`\($0)`" }
    let form = names.count > 1 ? verb : verb == "ask" ? "asks" : "denies"
    let lost =
      verb == "deny" && !questions.isEmpty
      ? ", and \(questions.map { "`\($0)`" }.joined(separator: " and ")) has no effect" : ""
    return
      "; until then, \(names.joined(separator: " and ")) \(form) \(verb == "ask" ? "about " : "")these URLs\(lost)"
  }
}
