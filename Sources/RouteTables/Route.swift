// SPDX-License-Identifier: Apache-2.0
/// A route of a table: its patterns, its action and its source location.
///
/// ```swift
/// table.routes.map(\.id)                      // ["note", "new"]
/// table.routes[0].patterns.map(\.description)  // ["notes://note/{id:int}?tab={tab?}"]
/// ```
public struct Route<Action: Sendable>: Sendable {
  package let record: RouteRecord
  /// The action for a URL that the route matches.
  public let action: Action

  /// The name, unique among the routes of one owner.
  public var id: String { record.id }
  /// The author of the route: an application's ID, `user`, or any other name; empty if a route in Swift names no owner.
  public var owner: String { record.owner }
  /// The patterns; the route matches a URL if any of them does.
  public var patterns: [RoutePattern] { record.patterns }
  /// The location of the route in its source file.
  public var location: SourceLocation { record.location }
  /// The policy layer of the route.
  public var rank: PolicyLayer { record.rank }
  /// Indicates whether no route of a user precedes the route.
  package var isFinal: Bool { rank == .finalAdministrator }
  /// The conditions on the request, sorted by name; all of them must hold.
  public var conditions: [RouteCondition] { record.conditions }
  /// The routes that this route precedes, as `id` for a route of the same owner or as `owner/id`.
  public var winsOver: [String] { record.winsOver }
  /// Indicates whether URLs can be generated from the route.
  ///
  /// If `false`, ``RouteTable/generate(_:_:when:)`` throws `notGenerated`.
  public var generates: Bool { record.generates }
  /// The names of the captures whose texts no explanation shows.
  public var secretCaptures: Set<String> { record.secretCaptures }
  /// Indicates whether the route denies the URLs that it matches.
  public var denies: Bool { record.denies }
}

/// All properties of a route except its action, which does not affect matching.
package final class RouteRecord: Sendable {
  package let id: String
  package let owner: String
  package let patterns: [RoutePattern]
  let location: SourceLocation
  /// The properties that few routes have; empty or one element, so that the records of a large table are small.
  private let rare: [Rare]
  private let patternPosition: (line: Int32, column: Int32)
  private let shortDirectory: Int32
  package let rank: PolicyLayer
  /// Indicates whether URLs can be generated from the route.
  let generates: Bool
  /// Indicates whether the route denies the URLs that it matches.
  package let denies: Bool
  /// Indicates whether the route asks the user about the URLs that it matches.
  let asks: Bool

  private struct Rare {
    let conditions: [RouteCondition]
    let winsOver: [String]
    let secretCaptures: Set<String>
    /// The location of each pattern in the source file; empty if all are at `patternPosition` in the file of `location`.
    let patternLocations: [SourceLocation]

    var isEmpty: Bool {
      conditions.isEmpty && winsOver.isEmpty && secretCaptures.isEmpty && patternLocations.isEmpty
    }
  }

  package var conditions: [RouteCondition] { rare.first?.conditions ?? [] }
  var winsOver: [String] { rare.first?.winsOver ?? [] }
  /// The names of the captures whose texts no explanation shows.
  package var secretCaptures: Set<String> { rare.first?.secretCaptures ?? [] }
  /// The rank of the route file's directory in its layer, in the order of the XDG directories; lower wins.
  var directory: Int { Int(shortDirectory) }
  /// Indicates whether the route is in the administrator's own directory, whose rank is negative.
  package var isForemost: Bool { directory < 0 }
  /// The location of each pattern in the source file.
  package var patternLocations: [SourceLocation] {
    if let locations = rare.first?.patternLocations, !locations.isEmpty { return locations }
    let position = SourceLocation(
      file: location.file, line: Int(patternPosition.line), column: Int(patternPosition.column))
    return patterns.map { _ in position }
  }

  /// The degree to which the route restricts the URLs that it matches: 2 if it denies, 1 if it asks, otherwise 0.
  var strictness: Int { denies ? 2 : asks ? 1 : 0 }

  init(
    id: String, owner: String, patterns: [RoutePattern], location: SourceLocation, rank: PolicyLayer,
    conditions: [RouteCondition], winsOver: [String], patternLocations: [SourceLocation], directory: Int,
    generates: Bool, secretCaptures: Set<String>, denies: Bool = false, asks: Bool = false
  ) {
    self.id = id
    self.owner = owner
    self.patterns = patterns
    self.location = location
    self.rank = rank
    let first = patternLocations.first ?? location
    patternPosition = (Int32(clamping: first.line), Int32(clamping: first.column))
    let isAtFirst = first.file == location.file && patternLocations.allSatisfy { $0 == first }
    let rare = Rare(
      conditions: conditions, winsOver: winsOver, secretCaptures: secretCaptures,
      patternLocations: isAtFirst ? [] : patternLocations)
    self.rare = rare.isEmpty ? [] : [rare]
    shortDirectory = Int32(clamping: directory)
    self.generates = generates
    self.denies = denies
    self.asks = asks
  }

  /// Indicates whether the route precedes the routes of its layer that do not deny, even those with narrower patterns.
  package var overrides: Bool { denies && rank == .finalAdministrator }

  /// A number by which routes are ordered before their patterns are compared; lower wins.
  ///
  /// Another directory than the administrator's own can add denials, but change nothing else that its routes decide.
  var precedenceClass: Int { rank.rawValue * 3 + (overrides ? 0 : isForemost ? 1 : 2) }

  /// Returns a copy of the route with only `names` of its `winsOver`.
  func winning(over names: [String]) -> RouteRecord {
    guard names.count != winsOver.count else { return self }
    return RouteRecord(
      id: id, owner: owner, patterns: patterns, location: location, rank: rank, conditions: conditions,
      winsOver: names, patternLocations: patternLocations, directory: directory, generates: generates,
      secretCaptures: secretCaptures, denies: denies, asks: asks)
  }

  /// Returns whether `one` precedes `other` if their patterns match the same URLs.
  static func precedes(_ one: RouteRecord, _ other: RouteRecord) -> Bool {
    guard one.directory == other.directory else { return one.directory < other.directory }
    return one.owner == other.owner ? one.id < other.id : one.owner < other.owner
  }
}
