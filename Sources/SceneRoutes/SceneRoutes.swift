public import RouteTables
public import Scenes

/// A route table as the handlers of an application.
///
/// ```swift
/// let routes = try SceneRoutes(table, handlers: [
///   "show-note": { match, request in
///     try await show(match[int: "id"])
///     return .handled
///   }
/// ])
/// try await SceneApplication("org.example.Notes").run { try await routes.handle($0) }
/// ```
///
/// A route whose conditions do not hold for a request is none for it: `source = { assurance = ">= unit" }` demands to know
/// surely who asks, `person = true` that somebody clicked, `sandboxed = false` that the caller is in no sandbox.
public struct SceneRoutes<Action: Sendable>: Sendable {
  /// Deals with one URL of a request that a route claims.
  public typealias Handler =
    @concurrent @Sendable (RouteMatch<Action>, SceneRequest) async throws -> SceneResult
  /// Asks the person whether what a URL would do is meant; `false` for no, and for no answer.
  public typealias Confirmation =
    @concurrent @Sendable (RouteMatch<Action>, SceneRequest) async throws -> Bool

  /// The table that decides.
  public let table: RouteTable<Action>
  private let handler: Handler
  private let requiresConfirmation: @Sendable (Action) -> Bool
  private let confirmation: Confirmation?

  /// Routes that `handler` deals with, by their action.
  public init(_ table: RouteTable<Action>, _ handler: @escaping Handler) {
    self.init(table, requiresConfirmation: { _ in false }, confirmation: nil, handler)
  }

  /// Routes that `handler` deals with, once `confirmation` has confirmed those whose action requires it.
  public init(
    _ table: RouteTable<Action>, requiresConfirmation: @escaping @Sendable (Action) -> Bool,
    confirmation: Confirmation?, _ handler: @escaping Handler
  ) {
    self.table = table
    self.handler = handler
    self.requiresConfirmation = requiresConfirmation
    self.confirmation = confirmation
  }

  /// Hands each URL of the request, in order, to the handler of its route.
  ///
  /// When a URL has no route, or there is no URL, none is handled and the result is `notHandled`. What requires
  /// confirmation is confirmed before any of them is handled. Several URLs are handled when each is; their answer is the
  /// array of the answers when each has one.
  /// - Throws: `RouteTableError` for a URL that no table can take, ``NotConfirmed`` where a person does not want it, and
  ///   what a handler throws.
  public func handle(_ request: SceneRequest) async throws -> SceneResult {
    try await handle(request.urlStrings.map { (url: $0, request: request) })
  }

  /// Hands each URL that a delegate was given, in order, to the handler of its route, as ``handle(_:)`` does for those of a
  /// request.
  ///
  /// ```swift
  /// func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
  ///   try await routes.handle(contexts)
  /// }
  /// ```
  /// These alone: the rest of their request may be for other scenes.
  public func handle(_ contexts: [OpenURLContext]) async throws -> SceneResult {
    try await handle(contexts.map { (url: $0.urlString, request: $0.request) })
  }

  private func handle(_ urls: [(url: String, request: SceneRequest)]) async throws -> SceneResult {
    var claimed: [(match: RouteMatch<Action>, request: SceneRequest)] = []
    for (url, request) in urls {
      guard let match = try table.match(url, when: request.routeContext) else { return .notHandled }
      claimed.append((match, request))
    }
    for (match, request) in claimed where requiresConfirmation(match.action) {
      guard try await confirmation?(match, request) == true else { throw NotConfirmed(route: match.route.id) }
    }
    var results: [SceneResult] = []
    for (match, request) in claimed { results.append(try await handler(match, request)) }
    return SceneResult.combining(results)
  }
}

/// A person did not confirm what a URL would have done, so nothing was.
public struct NotConfirmed: Error, Hashable, Sendable, CustomStringConvertible {
  /// The route's ID.
  public let route: String

  /// Nobody confirmed what the route of this ID would have done.
  public init(route: String) { self.route = route }

  /// The sentence a person reads.
  public var description: String { "nobody confirmed what the route \(route) would do; nothing was done" }
}

extension SceneRequest {
  /// What routes may ask about the request, as the broker puts it.
  ///
  /// The origin is left out where it is a sandboxed application's own word.
  public var routeContext: [String: String] {
    var context = [RouteCondition.Name.assurance: assurance.rawValue]
    context[RouteCondition.Name.source] = sourceApplication
    context[RouteCondition.Name.origin] = isSandboxed ? nil : origin
    context[RouteCondition.Name.person] = person?.rawValue
    context[RouteCondition.Name.sandboxed] = isSandboxed ? "yes" : nil
    return context
  }
}
