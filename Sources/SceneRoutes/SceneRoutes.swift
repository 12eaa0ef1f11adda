// SPDX-License-Identifier: Apache-2.0
public import RouteTables
public import Scenes

/// A route table that selects the handlers of an application.
///
/// ```swift
/// let routes = try SceneRoutes(table, handlers: [
///   "show-note": { match, request in
///     try await show(match[int: "id"])
///     return .handled
///   }
/// ])
/// await SceneApplication("org.example.Notes").main { try await routes.handle($0) }
/// ```
///
/// A route does not match a request for which its conditions do not hold. `source = { assurance = ">= unit" }`
/// requires a verified source application, `user_activation = true` a user activation, and `sandboxed = false` a caller
/// outside a sandbox.
public struct SceneRoutes<Action: Sendable>: Sendable {
  /// A function that handles one URL of a request that a route matches.
  public typealias Handler =
    @concurrent @Sendable (RouteMatch<Action>, SceneRequest) async throws -> SceneResult
  /// A function that asks the user to confirm the effect of a URL; it returns `false` if the user declines or does not answer.
  public typealias Confirmation =
    @concurrent @Sendable (RouteMatch<Action>, SceneRequest) async throws -> Bool

  /// The table that selects the route.
  public let table: RouteTable<Action>
  private let handler: Handler
  private let requiresConfirmation: @Sendable (Action) -> Bool
  private let confirmation: Confirmation?

  /// Creates routes whose actions `handler` performs.
  public init(_ table: RouteTable<Action>, _ handler: @escaping Handler) {
    self.init(table, requiresConfirmation: { _ in false }, confirmation: nil, handler)
  }

  /// Creates routes whose actions `handler` performs, after `confirmation` has confirmed those that require it.
  public init(
    _ table: RouteTable<Action>, requiresConfirmation: @escaping @Sendable (Action) -> Bool,
    confirmation: Confirmation?, _ handler: @escaping Handler
  ) {
    self.table = table
    self.handler = handler
    self.requiresConfirmation = requiresConfirmation
    self.confirmation = confirmation
  }

  /// Passes each URL of the request, in order, to the handler of its route.
  ///
  /// If a URL has no route, or the request has no URL, no handler is called and the result is `notHandled`.
  /// Confirmations precede all handlers. Several URLs are handled if each is; the value is the array of their values
  /// if each has one. If a handler throws an error, the URLs after it are handled nevertheless, unless the caller has cancelled the
  /// request.
  ///
  /// - Throws: `RouteTableError` for a URL that a table cannot parse, ``NotConfirmed`` if the user does not confirm,
  ///   and the first error of the handlers.
  public func handle(_ request: SceneRequest) async throws -> SceneResult {
    try await handle(request.urlStrings.map { (url: $0, request: request) })
  }

  /// Passes each URL of a delegate call, in order, to the handler of its route, like ``handle(_:)`` for a request.
  ///
  /// ```swift
  /// func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
  ///   try await routes.handle(contexts)
  /// }
  /// ```
  /// Only these URLs are handled, because the other URLs of their request may be for other scenes.
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
    return try await .combining(claimed) { try await handler($0.match, $0.request) }
  }
}

/// The error of a request that the user did not confirm, so that no handler was called.
public struct NotConfirmed: Error, Hashable, Sendable, CustomStringConvertible {
  /// The route's ID.
  public let route: String

  /// Creates the error for the route with this ID.
  public init(route: String) { self.route = route }

  /// The error message for the user.
  public var description: String { "the user did not confirm the route \(route); nothing was done" }
}

extension SceneRequest {
  /// The values of the request to which the conditions of routes refer, equal to those of the broker.
  ///
  /// The origin is omitted if a sandboxed caller stated it, because it is unverified.
  public var routeContext: [String: String] {
    var context = [RouteCondition.Name.assurance: assurance.rawValue]
    context[RouteCondition.Name.source] = sourceApplication
    context[RouteCondition.Name.origin] = isSandboxed ? nil : origin
    context[RouteCondition.Name.userActivation] = userActivation?.rawValue
    context[RouteCondition.Name.sandboxed] = isSandboxed ? "yes" : nil
    context[RouteCondition.Name.remote] = remote
    return context
  }
}
