/// A route whose captures have Swift types: one definition matches URLs, and makes them.
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
/// Captures are bound to the types in the order in which each pattern writes them, and may name the types. Whether they fit is
/// found out once; a table that the route is added to, and ``url(_:)``, throw what is wrong.
public struct TypedRoute<each Argument: RouteArgument>: Sendable {
  /// The name, unique in its table; the first pattern where none is given.
  public let id: String
  /// The patterns as they were written; one that matches is enough, and URLs are made of the first.
  public let patterns: [String]
  /// Where it is written.
  public let location: SourceLocation
  /// The route by itself, or why there is none.
  private let alone: Result<RouteTable<Void>, RouteTableError>

  /// A route that is written in Swift.
  ///
  /// - Parameters:
  ///   - types: those of your own, beside the arguments', that the patterns may name.
  ///   - options: how its URLs are read.
  public init(
    _ patterns: String..., id: String? = nil, types: [RouteType] = [], options: RouteOptions = RouteOptions(),
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    self.patterns = patterns
    self.id = id ?? patterns.first ?? ""
    location = SourceLocation(file: file, line: line, column: column)
    alone = Self.alone(self.id, patterns, types, options, location)
  }

  /// The route of this ID, or `owner/id`, of a table, as of a route file.
  ///
  /// ```swift
  /// let note = try TypedRoute<Int64, String?>("show-note", of: table)
  /// ```
  /// Its URLs are proven in that table. Throws if there is no such route, or several, and where the types do not fit.
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

  /// The patterns, read; throws where one is none, or does not fit the arguments.
  public var routePatterns: [RoutePattern] {
    get throws(RouteTableError) {
      let table = try alone.get()
      return table.index(ofRoute: id).map { table.routes[$0].patterns } ?? []
    }
  }

  /// The URL of these arguments.
  ///
  /// It is proven by matching it, by the route alone: another route of a table may take it all the same, and
  /// ``RouteTable/url(of:_:when:)`` knows. `nil`, and an array without elements, leave the capture out.
  /// - Throws: ``RouteGenerationError``; `refused` for a route that is none.
  public func url(_ arguments: repeat each Argument) throws(RouteGenerationError) -> String {
    let table: RouteTable<Void>
    do { table = try alone.get() } catch { throw .refused(error) }
    return try table.url(of: self, repeat each arguments)
  }

  /// The arguments that a match gives; `nil` where it is another route's.
  public func arguments<Action>(of match: RouteMatch<Action>) -> (repeat each Argument)? {
    guard [match.route.id, "\(match.route.owner)/\(match.route.id)"].contains(id),
      let patterns = try? routePatterns, patterns.contains(match.pattern)
    else { return nil }
    var texts = match.captureTexts[...]
    do { return (repeat try Self.next((each Argument).self, of: &texts)) } catch { return nil }
  }

  /// What no value can be made of, although the capture takes it.
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
    _ id: String, _ patterns: [String], _ types: [RouteType], _ options: RouteOptions,
    _ location: SourceLocation
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
