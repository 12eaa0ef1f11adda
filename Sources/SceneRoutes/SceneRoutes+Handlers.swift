public import RouteTables
import Scenes

extension SceneRoutes where Action == RouteAction {
  /// Routes of a route file, whose `handler` names the closure that deals with their URLs.
  ///
  /// - Parameter confirmation: asks the person about routes with `requires_confirmation`.
  /// - Throws: ``SceneRoutesError`` for a route that names no handler, one that is not here, and one that requires
  ///   confirmation where there is nothing to ask by.
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
