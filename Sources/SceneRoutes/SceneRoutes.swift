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
public struct SceneRoutes<Action: Sendable>: Sendable {
  /// Deals with one URL of a request that a route claims.
  public typealias Handler =
    @concurrent @Sendable (RouteMatch<Action>, SceneRequest) async throws -> SceneResult

  /// The table that decides.
  public let table: RouteTable<Action>
  private let handler: Handler

  /// Routes that `handler` deals with, by their action.
  public init(_ table: RouteTable<Action>, _ handler: @escaping Handler) {
    self.table = table
    self.handler = handler
  }

  /// Hands each URL of the request, in order, to the handler of its route.
  ///
  /// When a URL has no route, or there is no URL, none is handled and the result is `notHandled`. Several URLs are
  /// handled when each is; their answer is the array of the answers when each has one.
  /// - Throws: `RouteTableError` for a URL that no table can take, and what a handler throws.
  public func handle(_ request: SceneRequest) async throws -> SceneResult {
    var matches: [RouteMatch<Action>] = []
    for url in request.urlStrings {
      guard let match = try table.match(url) else { return .notHandled }
      matches.append(match)
    }
    var results: [SceneResult] = []
    for match in matches { results.append(try await handler(match, request)) }
    return SceneResult.combining(results)
  }
}

extension SceneResult {
  fileprivate static func combining(_ results: [SceneResult]) -> SceneResult {
    guard results.count != 1 else { return results[0] }
    guard !results.isEmpty, results.allSatisfy(\.isHandled) else { return .notHandled }
    let values = results.compactMap(\.value)
    return values.count == results.count ? .handled(.array(values)) : .handled
  }
}
