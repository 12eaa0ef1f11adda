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

/// Why routes cannot be the handlers of an application.
public struct SceneRoutesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The route does something that only the broker can.
    case noHandler
    /// No handler has this name; those that exist.
    case unknownHandler(String, known: [String])
    /// The route requires a person's confirmation, and the application has no way to ask.
    case noConfirmation
  }

  /// What is wrong.
  public let reason: Reason
  /// The route's ID.
  public let route: String
  /// Where the route is written.
  public let location: SourceLocation

  init(_ reason: Reason, route: String, at location: SourceLocation) {
    self.reason = reason
    self.route = route
    self.location = location
  }

  /// The sentence a person reads.
  public var description: String {
    let sentence =
      switch reason {
      case .noHandler: "in an application a route names a handler: write handler = \"name\""
      case .unknownHandler(let name, let known):
        "the application has no handler \(name); it has \(known.joined(separator: ", "))"
      case .noConfirmation:
        "it requires confirmation: give SceneRoutes a closure that asks the person"
      }
    return "\(location): route \(route): \(sentence)"
  }
}
