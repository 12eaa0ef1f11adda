// SPDX-License-Identifier: Apache-2.0
/// A route whose captures have Swift types; one definition both matches and generates URLs.
///
/// ```swift
/// enum Tab: String, CaseIterable, RouteParameter { case edit, view }
/// let note = TypedRoute<Int, Tab?>("notes://note/{id:int}?tab={tab:Tab?}")
///
/// try note.url(7, .edit)                                // "notes://note/7?tab=edit"
/// let table = try RouteTable<String> { routes throws(RouteTableError) in
///   try routes.add(note, action: "show")
/// }
/// if let match = try table.match(url), let (id, tab) = note.arguments(of: match) { … }
/// ```
///
/// Captures are bound to the types in the order in which each pattern writes them, and patterns may name the types. The types
/// are checked once, by the initializer. Adding the route to a table and ``url(_:)`` throw its error.
public struct TypedRoute<each Argument: RouteArgument>: Sendable {
  /// The name, unique in its table; by default the first pattern.
  public let id: String
  /// The unparsed patterns; the route matches a URL if any of them does, and URLs are generated from the first.
  public let patterns: [String]
  /// The source location of the route.
  public let location: SourceLocation
  /// The table against which URLs are verified, or the error of the patterns.
  ///
  /// It contains only this route, or is the table that was passed to ``init(_:of:)``.
  private let alone: Result<RouteTable<Void>, RouteTableError>

  /// Creates a route from patterns.
  ///
  /// - Parameters:
  ///   - types: custom types that the patterns may name, in addition to the argument types.
  ///   - options: the interpretation of URLs for the patterns.
  public init(
    _ patterns: String..., id: String? = nil, types: [RouteType] = [], options: RouteOptions = RouteOptions(),
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.patterns = patterns
    self.id = id ?? patterns.first ?? ""
    location = SourceLocation(file: file, line: line, column: column)
    alone = Self.alone(self.id, patterns: patterns, types: types, options: options, at: location)
  }

  /// Creates a typed view of a route of a table, such as the table of a route file.
  ///
  /// ```swift
  /// let note = try TypedRoute<Int64, String?>("show-note", of: table)
  /// ```
  /// Its URLs are verified against that table.
  ///
  /// - Parameter id: the route's ID, or `owner/id`.
  /// - Throws: ``RouteTableError`` if no route or several routes have this ID, or if the types do not fit its captures.
  public init<Action>(_ id: String, of table: RouteTable<Action>) throws(RouteTableError) {
    guard let number = table.index(ofRoute: id) else { throw RouteTableError(.noRoute(id)) }
    let route = table.routes[number]
    for pattern in route.patterns {
      do {
        try pattern.check(for: Self.arguments)
      } catch {
        throw RouteTableError(error.reason, pattern: error.pattern, location: route.location)
      }
    }
    self.id = id
    patterns = route.patterns.map(\.description)
    location = route.location
    alone = .success(table.mapActions { _ in })
  }

  /// The parsed patterns; throws ``RouteTableError`` if one is invalid or does not fit the argument types.
  public var routePatterns: [RoutePattern] {
    get throws(RouteTableError) {
      let table = try alone.get()
      return table.index(ofRoute: id).map { table.routes[$0].patterns } ?? []
    }
  }

  /// Returns the URL for these arguments.
  ///
  /// The URL is verified by matching it against this route alone, or against the table that was passed to ``init(_:of:)``. In
  /// another table, another route may win it; ``RouteTable/url(of:_:when:)`` detects that. `nil` and an empty array leave their
  /// capture absent.
  ///
  /// - Throws: ``RouteGenerationError``; `refused` if the route is invalid.
  public func url(_ arguments: repeat each Argument) throws(RouteGenerationError) -> String {
    let table: RouteTable<Void>
    do { table = try alone.get() } catch { throw .refused(error) }
    return try table.url(of: self, repeat each arguments)
  }

  /// Returns the arguments of a match; `nil` if the match is of another route.
  public func arguments<Action>(of match: RouteMatch<Action>) -> (repeat each Argument)? {
    guard [match.route.id, "\(match.route.owner)/\(match.route.id)"].contains(id),
      let patterns = try? routePatterns, patterns.contains(match.pattern)
    else { return nil }
    var texts = match.captureTexts[...]
    do { return (repeat try Self.next((each Argument).self, of: &texts)) } catch { return nil }
  }

  /// An error for a text that its capture accepts but that has no value of the argument type.
  private struct Unreadable: Error {}

  private static func next<Next: RouteArgument>(
    _: Next.Type, of texts: inout ArraySlice<[String]?>
  ) throws(Unreadable) -> Next {
    guard let text = texts.popFirst(), let value = Next.value(ofRouteTexts: text) else { throw Unreadable() }
    return value
  }

  private static var arguments: [any RouteArgument.Type] {
    var arguments: [any RouteArgument.Type] = []
    for argument in repeat (each Argument).self { arguments.append(argument) }
    return arguments
  }

  private static func alone(
    _ id: String, patterns: [String], types: [RouteType], options: RouteOptions,
    at location: SourceLocation
  ) -> Result<RouteTable<Void>, RouteTableError> {
    do {
      var read: [RoutePattern] = []
      for text in patterns {
        read.append(try RoutePattern(text, for: arguments, types: types, options: options))
      }
      var builder = RouteTableBuilder<Void>()
      try builder.add(read, id: id, action: (), at: location)
      return .success(try builder.build())
    } catch {
      return .failure(
        RouteTableError(error.reason, at: error.offset, pattern: error.pattern, location: location))
    }
  }
}
