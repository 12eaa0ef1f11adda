public import RouteTables
import Scenes

extension SceneRoutes where Action == RouteAction {
  /// Routes of a route file, whose `handler` names the closure that deals with their URLs.
  ///
  /// - Throws: ``SceneRoutesError`` for a route that names no handler, or one that is not here.
  public init(
    _ table: RouteTable<RouteAction>, handlers: [String: Handler]
  ) throws(SceneRoutesError) {
    for route in table.routes {
      guard case .handler(let name) = route.action else {
        throw SceneRoutesError(.noHandler, route: route.id, at: route.location)
      }
      guard handlers[name] != nil else {
        throw SceneRoutesError(
          .unknownHandler(name, known: handlers.keys.sorted()), route: route.id, at: route.location)
      }
    }
    self.init(table) { match, request in
      guard case .handler(let name) = match.action, let handler = handlers[name] else { return .notHandled }
      return try await handler(match, request)
    }
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
      }
    return "\(location): route \(route): \(sentence)"
  }
}
