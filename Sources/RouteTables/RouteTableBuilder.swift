/// Collects routes and builds a table of them; the order in which they are added has no meaning.
///
/// ```swift
/// var routes = RouteTableBuilder<String>()
/// try routes.add("notes://note/{id:int}", id: "note", action: "show")
/// let table = try routes.build()
/// ```
public struct RouteTableBuilder<Action: Sendable>: Sendable {
  private struct Name: Hashable {
    let owner: String
    let id: String
  }

  /// The routes so far.
  public private(set) var routes: [Route<Action>] = []
  private var locations: [Name: SourceLocation] = [:]

  /// Without routes.
  public init() {}

  /// Adds a route whose patterns have been read: for those who read route files of their own.
  ///
  /// - Parameters:
  ///   - patterns: at least one; one that matches is enough.
  ///   - id: the name, unique among the routes of `owner`.
  ///   - location: where the route was written; conflicts name it.
  ///   - patternLocations: where each pattern was written, if that is known of all.
  ///   - folder: the place of the route's folder among those of one rank: of two routes that are equal otherwise, the one
  ///     of the lower number comes first.
  ///   - conditions: what else must hold; of several of one name, all of them.
  ///   - winsOver: the routes before which this one comes, as `id` of its own owner or `owner/id`.
  ///   - generates: whether URLs are made of it.
  ///   - secretCaptures: the captures whose texts ``RouteTable/explain(_:when:limit:hiding:)`` never shows.
  ///   - denies: whether the route denies what it matches: then it stays where it conflicts with another, and among the
  ///     administrator's final routes it comes before those that do not deny, except before those whose `winsOver` names it.
  /// - Throws: ``RouteTableError`` if `owner` has a route of this ID, if there is no pattern, and beyond
  ///   ``RouteLimits/shapes``.
  public mutating func add(
    _ patterns: [RoutePattern], id: String, owner: String = "", action: Action, at location: SourceLocation,
    patternLocations: [SourceLocation] = [], rank: PolicyLayer = .user, directory: Int = 0,
    when conditions: [RouteCondition] = [], winsOver: [String] = [], generates: Bool = true,
    secretCaptures: Set<String> = [], denies: Bool = false
  ) throws(RouteTableError) {
    guard !patterns.isEmpty else { throw RouteTableError(.noPattern(id), location: location) }
    let name = Name(owner: owner, id: id)
    if let first = locations[name] {
      throw RouteTableError(.duplicateRoute(id, first: first), location: location)
    }
    if patterns.count > 1 {
      var count = 0
      for pattern in patterns {
        count += try PatternExpansion.shapes(of: pattern).count(where: \.countsForTheLimit)
      }
      guard count <= RouteLimits.shapes else {
        throw RouteTableError(.tooMany("shapes of a route", limit: RouteLimits.shapes), location: location)
      }
    }
    let united: [RouteCondition]
    do { united = try RouteCondition.united(conditions) } catch {
      throw RouteTableError(error.reason, location: location)
    }
    locations[name] = location
    let places = patternLocations.count == patterns.count ? patternLocations : patterns.map { _ in location }
    let record = RouteRecord(
      id: id, owner: owner, patterns: patterns, location: location, rank: rank,
      conditions: united, winsOver: winsOver, patternLocations: places,
      directory: directory, generates: generates, secretCaptures: secretCaptures, denies: denies)
    routes.append(Route(record: record, action: action))
  }

  /// Adds a route written in Swift; errors name the line of the call.
  ///
  /// ```swift
  /// let sku = RouteType("sku", language: try RegularLanguage("[A-Z]{2}-[0-9]{4}"))
  /// try routes.add("shop:/item/{id:sku}", "shop:/i/{id:sku}", id: "item", action: "item", types: [sku])
  /// ```
  ///
  /// - Parameters:
  ///   - patterns: at least one; one that matches is enough.
  ///   - id: the name, unique among the routes of `owner`.
  ///   - options: how the URLs of all these patterns are read.
  ///   - types: those of your own that the patterns name.
  ///   - rank: the route's layer.
  ///   - conditions: what else must hold.
  ///   - winsOver: the routes before which this one comes, as `id` of its own owner or `owner/id`.
  ///   - generates: whether URLs are made of it.
  ///   - denies: whether the route denies what it matches.
  /// - Throws: ``RouteTableError`` for a pattern that is none, if `owner` has a route of this ID, and beyond
  ///   ``RouteLimits/shapes``.
  public mutating func add(
    _ patterns: String..., id: String, owner: String = "", action: Action,
    options: RouteOptions = RouteOptions(),
    types: [RouteType] = [], rank: PolicyLayer = .user, when conditions: [RouteCondition] = [],
    winsOver: [String] = [], generates: Bool = true, secretCaptures: Set<String> = [], denies: Bool = false,
    file: String = #fileID,
    line: Int = #line,
    column: Int = #column
  ) throws(RouteTableError) {
    let location = SourceLocation(file: file, line: line, column: column)
    var parsed: [RoutePattern] = []
    for text in patterns {
      do {
        parsed.append(try RoutePattern(text, types: types, options: options))
      } catch {
        throw RouteTableError(error.reason, at: error.offset, pattern: error.pattern, location: location)
      }
    }
    try add(
      parsed, id: id, owner: owner, action: action, at: location, rank: rank, when: conditions,
      winsOver: winsOver, generates: generates, secretCaptures: secretCaptures, denies: denies)
  }

  /// Builds the table.
  ///
  /// - Throws: ``RouteTableError``: `conflicts` with every pair of which neither could win, or what a `winsOver` gets wrong:
  ///   `unknownRoute`, `circularPrecedence`, `unreachable`.
  public func build() throws(RouteTableError) -> RouteTable<Action> {
    let result = try TableCompiler.build(routes.map(\.record))
    guard result.conflicts.isEmpty else { throw RouteTableError(.conflicts(result.conflicts)) }
    return RouteTable(routes: routes, index: result.index)
  }

  /// Builds a table without the routes that conflict, and says which those are.
  ///
  /// Both sides of a conflict are left out, except what denies: neither wins, and the rest is as if they were not there. A
  /// `winsOver` that cannot be carried out is left out as well.
  public func buildSkippingConflicts() -> (table: RouteTable<Action>, conflicts: [RouteConflict]) {
    let (table, conflicts, _) = buildSkippingAllConflicts()
    return (table, conflicts)
  }

  /// Builds a table as `buildSkippingConflicts`, and says which `winsOver` were left out, and why.
  public func buildSkippingAllConflicts() -> (
    table: RouteTable<Action>, conflicts: [RouteConflict], faults: [RouteTableError]
  ) {
    let (index, kept, conflicts, faults) = TableCompiler.buildSkippingConflicts(routes.map(\.record))
    let left = kept.map { Route(record: $0.record, action: routes[$0.number].action) }
    return (RouteTable(routes: left, index: index), conflicts, faults)
  }
}
