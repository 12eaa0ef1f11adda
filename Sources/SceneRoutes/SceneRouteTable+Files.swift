// SPDX-License-Identifier: Apache-2.0
public import RouteTables

extension SceneRouteTable {
  /// Creates a table from the routes of a route file, whose `handler` names a method.
  ///
  /// ```swift
  /// let routes = try SceneRouteTable<NoteScene>(
  ///   RouteFileSet(loading: [path]).table,
  ///   handlers: ["show-note": SceneRoute(to: NoteScene.show), "search": SceneRoute(to: NoteScene.search)])
  /// ```
  ///
  /// The file defines the patterns and conditions; the routes of `handlers` have none.
  ///
  /// - Parameter confirmation: asks the user about routes with `requires_confirmation`.
  /// - Throws: ``SceneRoutesError`` if a route names no handler or an unknown one, if a pattern does not fit its
  ///   method, or if a route requires confirmation and `confirmation` is `nil`.
  public init(
    _ table: RouteTable<RouteAction>, handlers: [String: SceneRoute<Receiver>],
    confirmation: Confirmation? = nil
  ) throws(SceneRoutesError) {
    for (name, handler) in handlers where handler.definesConditions {
      throw SceneRoutesError(.definesConditions(name), route: handler.id, at: handler.location)
    }
    self.init(
      try table.mapActions { (route) throws(SceneRoutesError) in
        func refusal(_ reason: SceneRoutesError.Reason) -> SceneRoutesError {
          SceneRoutesError(reason, route: route.id, at: route.location)
        }
        guard case .handler(let name, let requiresConfirmation) = route.action else {
          throw refusal(.noHandler)
        }
        guard var handler = handlers[name] else {
          throw refusal(.unknownHandler(name, known: handlers.keys.sorted()))
        }
        if requiresConfirmation { handler = handler.requiringConfirmation() }
        guard !handler.requiresConfirmation || confirmation != nil else { throw refusal(.noConfirmation) }
        for pattern in route.patterns {
          do throws(RouteTableError) {
            try pattern.check(for: handler.arguments)
          } catch {
            throw refusal(.table(error))
          }
        }
        return handler.named(route.id)
      }, confirmation)
  }
}
