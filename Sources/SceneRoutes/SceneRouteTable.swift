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
/// That every pattern fits its method is checked when the table is built, as are conflicts.
public struct SceneRouteTable<Receiver: Sendable>: Sendable {
  /// Asks the person whether what a URL would do is meant; `false` for no, and for no answer.
  public typealias Confirmation =
    @Sendable (Receiver, RouteMatch<SceneRoute<Receiver>>, SceneRequest) async throws -> Bool

  /// The table that decides.
  public let table: RouteTable<SceneRoute<Receiver>>
  private let confirmation: Confirmation?

  /// Builds the table of `routes`; their order has no meaning.
  ///
  /// - Parameters:
  ///   - types: those of your own that patterns may name.
  ///   - options: how the URLs of all routes are read.
  ///   - confirmation: asks the person about routes that require it.
  /// - Throws: ``SceneRoutesError`` for a pattern that is none or does not fit its method, for routes that conflict, and
  ///   for one that requires confirmation where there is nothing to ask by.
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

  /// Hands each URL of the request, in order, to the method of its route.
  ///
  /// `notHandled` where no route claims a URL, and where a method says so; everything else is as
  /// ``SceneRoutes`` has it.
  public func handle(_ request: SceneRequest, by receiver: Receiver) async throws -> SceneResult {
    try await routes(of: receiver).handle(request)
  }

  /// Hands each URL that a delegate was given, in order, to the method of its route.
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

/// Lists the routes of a ``SceneRouteTable``, one a line; `if` and `for` may stand among them.
@resultBuilder
public enum SceneRouteBuilder<Receiver: Sendable> {
  /// One route.
  public static func buildExpression(_ route: SceneRoute<Receiver>) -> [SceneRoute<Receiver>] { [route] }

  /// Routes that stand in an array.
  public static func buildExpression(_ routes: [SceneRoute<Receiver>]) -> [SceneRoute<Receiver>] { routes }

  /// The routes of all lines.
  public static func buildBlock(_ lines: [SceneRoute<Receiver>]...) -> [SceneRoute<Receiver>] {
    lines.flatMap { $0 }
  }

  /// The routes of an `if` without `else`.
  public static func buildOptional(_ routes: [SceneRoute<Receiver>]?) -> [SceneRoute<Receiver>] {
    routes ?? []
  }

  /// The routes of an `if`.
  public static func buildEither(first routes: [SceneRoute<Receiver>]) -> [SceneRoute<Receiver>] { routes }

  /// The routes of an `else`.
  public static func buildEither(second routes: [SceneRoute<Receiver>]) -> [SceneRoute<Receiver>] { routes }

  /// The routes of a `for`.
  public static func buildArray(_ lines: [[SceneRoute<Receiver>]]) -> [SceneRoute<Receiver>] {
    lines.flatMap { $0 }
  }
}
