// SPDX-License-Identifier: Apache-2.0
extension RouteTableBuilder {
  /// Adds a route with typed arguments; throws ``RouteTableError`` if its patterns are invalid or do not fit the types.
  public mutating func add<each Argument: RouteArgument>(
    _ route: TypedRoute<repeat each Argument>, owner: String = "", action: Action, rank: PolicyLayer = .user,
    when conditions: [RouteCondition] = [], winsOver: [String] = []
  ) throws(RouteTableError) {
    try add(
      try route.routePatterns, id: route.id, owner: owner, action: action, at: route.location, rank: rank,
      when: conditions, winsOver: winsOver)
  }
}

extension RouteTable {
  /// Returns the URL of a route of this table with these arguments, verified like the result of ``generate(_:_:when:)``.
  ///
  /// ```swift
  /// let url = try table.url(of: note, 7, .edit)   // notes://note/7?tab=edit
  /// ```
  /// - Throws: ``RouteGenerationError``; `unknownRoute` if the table does not contain the route, or has a different one
  ///   with its ID.
  public func url<each Argument: RouteArgument>(
    of route: TypedRoute<repeat each Argument>, _ arguments: repeat each Argument,
    when context: [String: String]? = nil
  ) throws(RouteGenerationError) -> String {
    let patterns: [RoutePattern]
    do { patterns = try route.routePatterns } catch { throw .refused(error) }
    guard let number = index(ofRoute: route.id), routes[number].patterns == patterns,
      let captures = patterns.first?.captures
    else { throw .unknownRoute(route.id) }
    var texts: [[String]?] = []
    for argument in repeat each arguments { texts.append(argument.routeTexts) }
    var values: [String: RouteValue] = [:]
    for (capture, texts) in zip(captures, texts) { values[capture.name] = texts.map { .strings($0) } }
    return try generate(route.id, values, when: context)
  }
}
