/// A route of a table: its patterns, its action and the place where it was written.
public struct Route<Action: Sendable>: Sendable {
  /// The name, unique among the routes of its owner.
  public let id: String
  /// Who wrote it: an application's ID, `user`, or whatever the file says.
  public let owner: String
  /// The patterns; one that matches is enough.
  public let patterns: [RoutePattern]
  /// What to do with a URL it matches.
  public let action: Action
  /// Where it was written.
  public let location: SourceLocation
  /// Whose word it is.
  public let rank: RouteRank
  /// What else must hold, each name once, by name.
  public let conditions: [RouteCondition]
  /// The routes before which this one comes, as `id` of its own owner or `owner/id`.
  public internal(set) var winsOver: [String]
  /// Where each pattern was written.
  let patternLocations: [SourceLocation]
  /// The place of its folder among those of one rank, as XDG orders them.
  let folder: Int
}
