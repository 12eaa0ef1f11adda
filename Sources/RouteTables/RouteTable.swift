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

  /// The names of what the table's routes ask about a request, each once: what `match` needs a context for.
  public var conditionNames: [String] { storage.index.conditions }

  /// Builds a table of the routes that `add` adds.
  ///
  /// Throws what ``RouteTableBuilder`` throws: the first pattern or ID that is refused, or all conflicts.
  public init(
    _ add: (inout RouteTableBuilder<Action>) throws(RouteTableError) -> Void
  ) throws(RouteTableError) {
    var builder = RouteTableBuilder<Action>()
    try add(&builder)
    self = try builder.build()
  }

  /// The same routes with other actions, as `action` gives them for each; throws what it throws.
  ///
  /// ```swift
  /// let lengths = table.mapActions { route in route.action.count }
  /// try lengths.match("notes://note/new")?.action   // 6
  /// ```
  public func mapActions<NewAction: Sendable, Failure: Error>(
    _ action: (Route<Action>) throws(Failure) -> NewAction
  ) throws(Failure) -> RouteTable<NewAction> {
    var changed: [Route<NewAction>] = []
    for route in routes { changed.append(Route(record: route.record, action: try action(route))) }
    return RouteTable<NewAction>(routes: changed, index: storage.index)
  }

  /// The table of those of its routes that `isIncluded` takes, in the same order; a `winsOver` that names another is left out.
  ///
  /// ```swift
  /// let own = table.filter { $0.owner == "org.example.Notes" }
  /// ```
  public func filter(_ isIncluded: (Route<Action>) -> Bool) -> RouteTable {
    let taken = routes.filter(isIncluded)
    // Routes that stood together conflict in no part of them.
    let (index, kept, _, _) = TableCompiler.buildSkippingConflicts(taken.map(\.record))
    return RouteTable(
      routes: kept.map { Route(record: $0.record, action: taken[$0.number].action) }, index: index)
  }

  init(routes: [Route<Action>], index: RouteIndex) { storage = Storage(routes: routes, index: index) }

  /// Returns the route that claims `url`, or `nil` when none does.
  ///
  /// A text that begins with `/` is a bare path and can match only patterns that begin with `/`. What throws is a text that
  /// no route could take; a URL that none happens to take is `nil`.
  ///
  /// - Parameters:
  ///   - url: the URL as it came, neither decoded nor normalised.
  ///   - context: what the request says of itself, by the names of ``RouteCondition``; what is not said is empty.
  ///     ``conditionNames`` lists what the table asks for.
  /// - Throws: ``RouteTableError`` for what is no URL, for `%` and UTF-8 that are unsound, and beyond ``RouteLimits``.
  @inlinable
  public func match(
    _ url: String, when context: [String: String] = [:]
  ) throws(RouteTableError) -> RouteMatch<Action>? {
    let bytes = url.utf8.span
    // No other scheme needs a second look.
    guard bytes.isEmpty || bytes[0] | 0x20 != UInt8(ascii: "f") else {
      return try matchReadable(url, context)
    }
    var found = FoundRoute()
    guard try storage.index.find(bytes, context, &found) else { return nil }
    return RouteMatch(self, found, url: url)
  }

  @usableFromInline
  @inline(never)
  func matchReadable(
    _ url: String, _ context: [String: String]
  ) throws(RouteTableError) -> RouteMatch<Action>? {
    let url = url.readableURL
    var found = FoundRoute()
    return try storage.index.find(url.utf8.span, context, &found) ? RouteMatch(self, found, url: url) : nil
  }

  /// Returns which route claims the URL whose UTF-8 is `url`, as `match` does, and keeps nothing; `nil` when none does.
  ///
  /// The quickest way to ask. `match(_:at:)` reads the captures of what was found.
  ///
  /// ```swift
  /// if let found = try table.find(url) { actions[found.routeIndex](table.match(url, at: found)) }
  /// ```
  @inlinable
  public func find(
    _ url: borrowing Span<UInt8>, when context: [String: String] = [:]
  ) throws(RouteTableError) -> FoundRoute? {
    var found = FoundRoute()
    // A `file:` URL is compared by the path that it spells.
    if !url.isEmpty, url[0] | 0x20 == UInt8(ascii: "f"), let text = FileNormalForm.text(of: url) {
      return try storage.index.find(text.utf8.span, context, &found) ? found : nil
    }
    return try storage.index.find(url, context, &found) ? found : nil
  }

  /// Returns which route claims `url`, as for its UTF-8.
  @inlinable
  public func find(
    _ url: borrowing String, when context: [String: String] = [:]
  ) throws(RouteTableError) -> FoundRoute? {
    try find(url.utf8.span, when: context)
  }

  /// Returns the match that `found` stands for, which this very table found for this very `url`.
  @inlinable
  public func match(_ url: String, at found: FoundRoute) -> RouteMatch<Action> {
    RouteMatch(self, found, url: url.readableURL)
  }
}
