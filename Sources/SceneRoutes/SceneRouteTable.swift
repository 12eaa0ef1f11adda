// SPDX-License-Identifier: Apache-2.0
public import RouteTables
public import Scenes

/// A route table whose handlers are methods with typed arguments.
///
/// ```swift
/// @MainActor final class NoteScene {
///   func show(id: Int64, tab: String?) async throws -> SceneResult { … }
///   func search(text: String) -> SceneResult { … }
/// }
/// let routes = try SceneRouteTable<NoteScene> {
///   SceneRoute("notes:/note/{id:int}?tab={tab?}", to: NoteScene.show)
///   SceneRoute("notes:/search?q={q}", to: NoteScene.search)
/// }
/// let result = try await routes.handle(request, by: scene)
/// ```
///
/// Building the table checks that every pattern fits its method, and that no routes conflict.
public struct SceneRouteTable<Receiver: Sendable>: Sendable {
  /// A function that asks the user to confirm the effect of a URL; it returns `false` if the user declines or does not answer.
  public typealias Confirmation =
    @Sendable (Receiver, RouteMatch<SceneRoute<Receiver>>, SceneRequest) async throws -> Bool

  /// The table that selects the route.
  public let table: RouteTable<SceneRoute<Receiver>>
  private let confirmation: Confirmation?

  /// Builds the table of `routes`, in any order.
  ///
  /// - Parameters:
  ///   - types: additional types that patterns may name.
  ///   - options: the options with which the URLs of all routes are parsed.
  ///   - confirmation: asks the user about routes that require it.
  /// - Throws: ``SceneRoutesError`` if a pattern is invalid or does not fit its method, if an origin is invalid, if routes
  ///   conflict, or if a route requires confirmation and `confirmation` is `nil`.
  public init(
    types: [RouteType] = [], options: RouteOptions = RouteOptions(), confirmation: Confirmation? = nil,
    file: String = #fileID, line: Int = #line, column: Int = #column,
    @SceneRouteBuilder<Receiver> _ routes: () -> [SceneRoute<Receiver>]
  ) throws(SceneRoutesError) {
    var builder = RouteTableBuilder<SceneRoute<Receiver>>()
    for route in routes() {
      guard !route.requiresConfirmation || confirmation != nil else {
        throw SceneRoutesError(.noConfirmation, route: route.id, at: route.location)
      }
      try builder.add(route, types: types, options: options)
    }
    do {
      table = try builder.build()
    } catch {
      throw SceneRoutesError(
        .table(error), route: "", at: SourceLocation(file: file, line: line, column: column))
    }
    self.confirmation = confirmation
  }

  init(_ table: RouteTable<SceneRoute<Receiver>>, _ confirmation: Confirmation?) {
    self.table = table
    self.confirmation = confirmation
  }

  /// Passes each URL of the request, in order, to the method of its route.
  ///
  /// The result is `notHandled` if a URL has no route or a method returns it. Otherwise see ``SceneRoutes``.
  public func handle(_ request: SceneRequest, by receiver: Receiver) async throws -> SceneResult {
    try await routes(of: receiver).handle(request)
  }

  /// Passes each URL of a delegate call, in order, to the method of its route.
  ///
  /// ```swift
  /// func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) async throws -> SceneResult {
  ///   try await routes.handle(contexts, by: self)
  /// }
  /// ```
  public func handle(_ contexts: [OpenURLContext], by receiver: Receiver) async throws -> SceneResult {
    try await routes(of: receiver).handle(contexts)
  }

  private func routes(of receiver: Receiver) -> SceneRoutes<SceneRoute<Receiver>> {
    let confirmation = confirmation
    return SceneRoutes(
      table, requiresConfirmation: \.requiresConfirmation,
      confirmation: { match, request in try await confirmation?(receiver, match, request) == true },
      { match, request in
        do {
          return try await match.action.call(receiver, ArgumentReader(match, request))
        } catch is ArgumentReader.Unreadable {
          return .notHandled
        }
      })
  }
}

/// A result builder for the routes of a ``SceneRouteTable``, one in each line, with `if` and `for`.
@resultBuilder
public enum SceneRouteBuilder<Receiver: Sendable> {
  /// Adds one route.
  public static func buildExpression(_ route: SceneRoute<Receiver>) -> [SceneRoute<Receiver>] { [route] }

  /// Adds an array of routes.
  public static func buildExpression(_ routes: [SceneRoute<Receiver>]) -> [SceneRoute<Receiver>] { routes }

  /// Concatenates the routes of all lines.
  public static func buildBlock(_ lines: [SceneRoute<Receiver>]...) -> [SceneRoute<Receiver>] {
    lines.flatMap { $0 }
  }

  /// Adds the routes of an `if` without `else`.
  public static func buildOptional(_ routes: [SceneRoute<Receiver>]?) -> [SceneRoute<Receiver>] {
    routes ?? []
  }

  /// Adds the routes of an `if`.
  public static func buildEither(first routes: [SceneRoute<Receiver>]) -> [SceneRoute<Receiver>] { routes }

  /// Adds the routes of an `else`.
  public static func buildEither(second routes: [SceneRoute<Receiver>]) -> [SceneRoute<Receiver>] { routes }

  /// Adds the routes of a `for`.
  public static func buildArray(_ lines: [[SceneRoute<Receiver>]]) -> [SceneRoute<Receiver>] {
    lines.flatMap { $0 }
  }
}
