public import RouteTables

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
    /// The handler of this name has patterns or conditions of its own beside those of the route file.
    case saysWhen(String)
    /// A pattern is none or does not fit its method, or routes conflict.
    case table(RouteTableError)
  }

  /// What is wrong.
  public let reason: Reason
  /// The route's ID; empty where it is about the table.
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
    switch reason {
    case .table(let error):
      if case .conflicts = error.reason { return error.description }
      return "\(location): \(error.message)"
    case .saysWhen(let handler):
      return
        "\(location): the route file says when handler \(handler) is called: take its patterns and conditions out here"
    case .noHandler, .unknownHandler, .noConfirmation:
      return "\(location): route \(route): \(sentence)"
    }
  }

  private var sentence: String {
    switch reason {
    case .unknownHandler(let name, let known):
      "the application has no handler \(name); it has \(known.joined(separator: ", "))"
    case .noConfirmation: "it requires confirmation: give SceneRoutes a closure that asks the person"
    default: "in an application a route names a handler: write handler = \"name\""
    }
  }
}
