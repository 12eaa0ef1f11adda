// SPDX-License-Identifier: Apache-2.0
/// An immutable set of routes that was checked for conflicts when it was built.
///
/// The narrower route wins, regardless of the order in which routes were added. If neither of two overlapping routes is
/// narrower, the first component in which they differ decides: a literal precedes an integer, and an integer precedes any
/// text. Components are compared in the order scheme, host (from the right), port, user, path, query, fragment, conditions.
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
  /// The storage that all copies of a table share, so that storing the table in a match costs one retain.
  @usableFromInline
  package final class Storage: Sendable {
    let routes: [Route<Action>]
    @usableFromInline package let index: RouteIndex

    init(routes: [Route<Action>], index: RouteIndex) {
      self.routes = routes
      self.index = index
    }
  }

  @usableFromInline package let storage: Storage

  /// The routes, in the order in which they were added.
  public var routes: [Route<Action>] { storage.routes }

  /// The maximum number of index nodes against which one segment of a URL is tried: `W` in the documented cost of a match.
  public var width: Int { storage.index.width }

  /// The names of the conditions of all routes, without duplicates: the keys of `context` that `match` reads.
  public var conditionNames: [String] { storage.index.conditions }

  /// Builds a table from the routes that `add` adds.
  ///
  /// - Throws: the error of ``RouteTableBuilder``, for the first invalid pattern or ID, or for all conflicts.
  public init(
    _ add: (inout RouteTableBuilder<Action>) throws(RouteTableError) -> Void
  ) throws(RouteTableError) {
    var builder = RouteTableBuilder<Action>()
    try add(&builder)
    self = try builder.build()
  }

  /// Returns a table with equal routes whose actions are the results of `action`; rethrows the errors of `action`.
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

  /// Returns a table of the routes for which `isIncluded` returns `true`, in the order of this table.
  ///
  /// A `winsOver` that names a route outside the result is removed.
  ///
  /// ```swift
  /// let own = table.filter { $0.owner == "org.example.Notes" }
  /// ```
  public func filter(_ isIncluded: (Route<Action>) -> Bool) -> RouteTable {
    let numbers = routes.indices.filter { isIncluded(routes[$0]) }
    let (index, records) = TableCompiler.buildPart(numbers, of: routes.map(\.record))
    return RouteTable(
      routes: zip(records, numbers).map { Route(record: $0, action: routes[$1].action) }, index: index)
  }

  init(routes: [Route<Action>], index: RouteIndex) { storage = Storage(routes: routes, index: index) }

  /// Returns the match of the route that wins `url`, or `nil` if no route matches.
  ///
  /// A text that begins with `/` is a bare path and is matched only by patterns that begin with `/`. A `\` is compared as
  /// `%5C` under the schemes whose URLs may contain one (``URLString``). The function throws for a text that no route could
  /// match, and returns `nil` for a valid URL that no route of this table matches.
  ///
  /// - Parameters:
  ///   - url: the URL as the caller received it, neither decoded nor normalized.
  ///   - context: the properties of the request, by the names of ``RouteCondition``; an absent property is the empty text.
  ///     ``conditionNames`` lists the names that the table reads.
  /// - Throws: ``RouteTableError`` if `url` is not a URL, has invalid percent-encoding or UTF-8, or exceeds ``RouteLimits``.
  @inlinable
  public func match(
    _ url: String, when context: [String: String] = [:]
  ) throws(RouteTableError) -> RouteMatch<Action>? {
    var (found, compared) = (FoundRoute(), nil as String?)
    guard try find(url.utf8.span, context, found: &found, compared: &compared) else { return nil }
    return RouteMatch(self, found, url: compared ?? url)
  }

  /// Returns the route that wins the URL with the UTF-8 bytes `url`, or `nil` if no route matches.
  ///
  /// This is the fastest lookup, because the result stores neither the URL nor the table. ``FoundRoute/text(ofCapture:)`` and
  /// ``match(_:at:)`` read its captures.
  ///
  /// ```swift
  /// if let found = try table.find(url) { actions[found.routeIndex](table.match(url, at: found)) }
  /// ```
  @inlinable
  public func find(
    _ url: borrowing Span<UInt8>, when context: [String: String] = [:]
  ) throws(RouteTableError) -> FoundRoute? {
    var (found, compared) = (FoundRoute(), nil as String?)
    guard try find(url, context, found: &found, compared: &compared) else { return nil }
    // The ranges refer to the compared text, not to the bytes of the caller.
    if compared != nil { found.captureCount = 0 }
    return found
  }

  /// Finds the route that wins a URL, and sets `compared` to the compared text if that is not the URL.
  ///
  /// A `file:` URL is compared by the local path that it denotes, and a `\` that a URL of its scheme may contain as `%5C`.
  @inlinable
  func find(
    _ url: borrowing Span<UInt8>, _ context: [String: String], found: inout FoundRoute,
    compared: inout String?
  ) throws(RouteTableError) -> Bool {
    if !url.isEmpty, url[0] | 0x20 == UInt8(ascii: "f"), let text = FileNormalForm.text(of: url) {
      compared = text
      return try storage.index.find(text.utf8.span, context: context, found: &found)
    }
    do throws(RouteTableError) {
      return try storage.index.find(url, context: context, found: &found)
    } catch {
      guard let text = Self.encodingBackslashes(of: url) else { throw error }
      compared = text
      return try storage.index.find(text.utf8.span, context: context, found: &found)
    }
  }

  /// Returns a URL with each `\` as `%5C`, if a URL of its scheme may contain one.
  @usableFromInline
  @inline(never)
  static func encodingBackslashes(of url: borrowing Span<UInt8>) -> String? {
    String(decoding: url.indices.map { url[$0] }, as: UTF8.self).encodingBackslashes
  }

  /// Returns the route that wins `url`, or `nil` if no route matches; equivalent to `find` for its UTF-8 bytes.
  @inlinable
  public func find(
    _ url: borrowing String, when context: [String: String] = [:]
  ) throws(RouteTableError) -> FoundRoute? {
    try find(url.utf8.span, when: context)
  }

  /// Returns the match for `found`, which must be the result of `find` of this table for this `url`.
  @inlinable
  public func match(_ url: String, at found: FoundRoute) -> RouteMatch<Action> {
    RouteMatch(self, found, url: url.encodingBackslashes ?? url.readableURL)
  }
}
