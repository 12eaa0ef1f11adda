// SPDX-License-Identifier: Apache-2.0
public import RouteTables
import Scenes

extension SceneRoutes where Action == RouteAction {
  /// Creates routes from a route file, whose `handler` names the closure that handles their URLs.
  ///
  /// - Parameter confirmation: asks the user about routes with `requires_confirmation`.
  /// - Throws: ``SceneRoutesError`` if a route names no handler or an unknown one, or if a route requires
  ///   confirmation and `confirmation` is `nil`.
  public init(
    _ table: RouteTable<RouteAction>, handlers: [String: Handler], confirmation: Confirmation? = nil
  ) throws(SceneRoutesError) {
    for route in table.routes {
      guard case .handler(let name, let requiresConfirmation) = route.action else {
        throw SceneRoutesError(.noHandler, route: route.id, at: route.location)
      }
      guard handlers[name] != nil else {
        throw SceneRoutesError(
          .unknownHandler(name, known: handlers.keys.sorted()), route: route.id, at: route.location)
      }
      guard !requiresConfirmation || confirmation != nil else {
        throw SceneRoutesError(.noConfirmation, route: route.id, at: route.location)
      }
    }
    self.init(table, requiresConfirmation: \.requiresConfirmation, confirmation: confirmation) {
      match, request in
      guard case .handler(let name, _) = match.action, let handler = handlers[name] else {
        return .notHandled
      }
      return try await handler(match, request)
    }
  }
}

extension RouteAction {
  fileprivate var requiresConfirmation: Bool {
    if case .handler(_, true) = self { true } else { false }
  }
}
