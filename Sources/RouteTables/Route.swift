/// A route of a table: its patterns, its action and the place where it was written.
///
/// ```swift
/// table.routes.map(\.id)                      // ["note", "new"]
/// table.routes[0].patterns.map(\.description)  // ["notes://note/{id:int}?tab={tab?}"]
/// ```
public struct Route<Action: Sendable>: Sendable {
  let record: RouteRecord
  /// What to do with a URL it matches.
  public let action: Action

  /// The name, unique among the routes of its owner.
  public var id: String { record.id }
  /// Who wrote it: an application's ID, `user`, whatever the file says; empty for a route in Swift that names nobody.
  public var owner: String { record.owner }
  /// The patterns; one that matches is enough.
  public var patterns: [RoutePattern] { record.patterns }
  /// Where it was written.
  public var location: SourceLocation { record.location }
  /// Whose word it is.
  public var rank: PolicyLayer { record.rank }
  /// What else must hold, sorted by name.
  public var conditions: [RouteCondition] { record.conditions }
  /// The routes before which this one comes, as `id` of its own owner or `owner/id`.
  public var winsOver: [String] { record.winsOver }
  /// Whether URLs are made of it; ``RouteTable/generate(_:_:when:)`` refuses where not.
  public var generates: Bool { record.generates }
  /// The captures whose texts `explain` never shows, by name.
  public var secretCaptures: Set<String> { record.secretCaptures }
  /// Whether it denies what it matches.
  public var denies: Bool { record.denies }
}

/// A route but for its action, which takes no part in matching.
final class RouteRecord: Sendable {
  let id: String
  let owner: String
  let patterns: [RoutePattern]
  let location: SourceLocation
  let rank: PolicyLayer
  let conditions: [RouteCondition]
  let winsOver: [String]
  /// Where each pattern was written.
  let patternLocations: [SourceLocation]
  /// The place of its folder among those of one rank, as XDG orders them.
  let directory: Int
  /// Whether URLs are made of it.
  let generates: Bool
  /// The captures whose texts are not for other eyes.
  let secretCaptures: Set<String>
  /// Whether it denies what it matches.
  let denies: Bool

  init(
    id: String, owner: String, patterns: [RoutePattern], location: SourceLocation, rank: PolicyLayer,
    conditions: [RouteCondition], winsOver: [String], patternLocations: [SourceLocation], directory: Int,
    generates: Bool, secretCaptures: Set<String>, denies: Bool = false
  ) {
    self.id = id
    self.owner = owner
    self.patterns = patterns
    self.location = location
    self.rank = rank
    self.conditions = conditions
    self.winsOver = winsOver
    self.patternLocations = patternLocations
    self.directory = directory
    self.generates = generates
    self.secretCaptures = secretCaptures
    self.denies = denies
  }

  /// Whether it comes before the routes of its layer that do not deny, however narrow they are.
  var overrides: Bool { denies && rank == .finalAdministrator }

  /// The routes of a lower class come before those of a higher one, whatever their patterns are.
  var precedenceClass: Int { rank.rawValue * 2 + (overrides ? 0 : 1) }

  /// The same route with other wishes.
  func winning(over names: [String]) -> RouteRecord {
    RouteRecord(
      id: id, owner: owner, patterns: patterns, location: location, rank: rank, conditions: conditions,
      winsOver: names, patternLocations: patternLocations, directory: directory, generates: generates,
      secretCaptures: secretCaptures, denies: denies)
  }

  /// Whether it comes first of two routes whose patterns are the same.
  static func precedes(_ one: RouteRecord, _ other: RouteRecord) -> Bool {
    guard one.directory == other.directory else { return one.directory < other.directory }
    return one.owner == other.owner ? one.id < other.id : one.owner < other.owner
  }
}
