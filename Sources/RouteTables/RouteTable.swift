/// An immutable set of routes, checked for conflicts when it was built.
///
/// The most specific route wins, wherever it was written: at the first difference from the scheme over the host
/// (from the right), port, path and query to the fragment, a literal beats an integer, and an integer beats any text.
///
/// ```swift
/// let table = try RouteTable<String> { routes throws(RouteTableError) in
///   try routes.add("notes://note/{id:int}?tab={tab?}", id: "note", action: "show")
///   try routes.add("notes://note/new", id: "new", action: "create")
/// }
/// let match = try table.match("notes://note/7?tab=edit")
/// match?.action       // "show"
/// match?[int: "id"]   // 7
/// match?["tab"]       // "edit"
/// ```
@frozen
public struct RouteTable<Action: Sendable>: Sendable {
  /// One reference for all copies: a match keeps its table, and keeping it costs one retain.
  @usableFromInline
  final class Storage: Sendable {
    let routes: [Route<Action>]
    @usableFromInline let index: RouteIndex

    init(routes: [Route<Action>], index: RouteIndex) {
      self.routes = routes
      self.index = index
    }
  }

  @usableFromInline let storage: Storage

  /// The routes, in the order in which they were added.
  public var routes: [Route<Action>] { storage.routes }

  /// How many nodes of the index one segment of a URL can be tried against, at most: the `W` of the stated cost.
  public var width: Int { storage.index.width }

  /// Builds a table; throws what `RouteTableBuilder` throws.
  public init(
    _ add: (inout RouteTableBuilder<Action>) throws(RouteTableError) -> Void
  ) throws(RouteTableError) {
    var builder = RouteTableBuilder<Action>()
    try add(&builder)
    self = try builder.build()
  }

  init(routes: [Route<Action>], index: RouteIndex) { storage = Storage(routes: routes, index: index) }

  /// Returns the route that claims `url`, or `nil` when none does.
  ///
  /// A text that begins with `/` is a bare path and can match only patterns that begin with `/`. `context` says what
  /// the request says of itself, for the conditions of routes. Throws for what is not a URL, for `%` and UTF-8 that are
  /// unsound, and beyond `RouteLimits`.
  @inlinable
  public func match(
    _ url: String, when context: [String: String] = [:]
  ) throws(RouteTableError) -> RouteMatch<Action>? {
    var found = FoundShape()
    guard try storage.index.find(url, context, &found) else { return nil }
    return RouteMatch(self, found, url: url)
  }

  /// Returns the index of the route that claims `url`, among `routes`; `nil` when none does.
  ///
  /// The quickest way to ask: nothing is kept of the URL or of the table.
  @inlinable
  public func routeIndex(
    matching url: borrowing String, when context: [String: String] = [:]
  ) throws(RouteTableError) -> Int? {
    var found = FoundShape()
    guard try storage.index.find(url, context, &found) else { return nil }
    return storage.index.route(of: Int(found.shape))
  }
}
