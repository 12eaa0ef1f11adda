/// Two routes of one owner that claim the same URLs, so that neither could win.
///
/// Where routes that conflict are set aside, a route that denies stays: what it denies is not opened because of a mistake.
///
/// ``RouteTableBuilder/build()`` throws all of them at once, as ``RouteTableError/Reason/conflicts(_:)``.
public struct RouteConflict: Hashable, Sendable, CustomStringConvertible {
  /// One side of a conflict.
  public struct Side: Hashable, Sendable, CustomStringConvertible {
    /// The route's ID.
    public let id: String
    /// The pattern of it that is meant.
    public let pattern: RoutePattern
    /// Where the route, or that pattern, was written.
    public let location: SourceLocation

    /// The route, its pattern and its place.
    public var description: String { "`\(id)` (\(pattern), \(location))" }
  }

  /// Why neither wins.
  public enum Kind: Hashable, Sendable {
    /// Both match exactly the same URLs.
    case equal
    /// Each matches URLs the other does not, and nothing says which is narrower.
    case crossing
  }

  /// Why neither wins.
  public let kind: Kind
  /// The owner of both.
  public let owner: String
  /// The side that was added first.
  public let first: Side
  /// The other side.
  public let second: Side
  /// A request that both match.
  public let witness: RouteRequest
  /// The IDs of the sides that deny, which stay in force where the others are set aside.
  public let denials: [String]

  /// The sentence a person reads, without a place in front: it names two.
  public var description: String {
    let claim = kind == .equal ? "claim the same URLs" : "cross, and neither is narrower"
    return "the routes \(first) and \(second) \(claim), for example \(witness): "
      + (kind == .crossing ? "say `wins_over` in one of them, or " : "") + "change or remove one of them"
      + (denials.isEmpty
        ? "" : "; until then \(denials.map { "`\($0)`" }.joined(separator: " and ")) denies them")
  }
}
