// SPDX-License-Identifier: Apache-2.0
public import RouteTables

/// The error of routes that cannot be the handlers of an application.
public struct SceneRoutesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason of an error.
  public enum Reason: Hashable, Sendable {
    /// The route has an action that only the broker can perform.
    case noHandler
    /// The handler does not exist; `known` lists the existing ones.
    case unknownHandler(String, known: [String])
    /// The route requires the user's confirmation, and the application provides no function for it.
    case noConfirmation
    /// The handler with this name has its own patterns or conditions in addition to those of the route file.
    case definesConditions(String)
    /// A pattern or an origin is invalid, a pattern does not fit its method, or routes conflict.
    case table(RouteTableError)
  }

  /// The reason of the error.
  public let reason: Reason
  /// The route's ID; empty if the error concerns the table.
  public let route: String
  /// The source location of the route.
  public let location: SourceLocation

  init(_ reason: Reason, route: String, at location: SourceLocation) {
    self.reason = reason
    self.route = route
    self.location = location
  }

  /// The error message for the user.
  public var description: String {
    switch reason {
    case .table(let error):
      if case .conflicts = error.reason { return error.description }
      return "\(location): \(error.message)"
    case .definesConditions(let handler):
      return
        "\(location): the handler \(handler) has patterns or conditions in code, but the route file defines them: remove those in code"
    case .noHandler, .unknownHandler, .noConfirmation:
      return "\(location): route \(route): \(sentence)"
    }
  }

  private var sentence: String {
    switch reason {
    case .unknownHandler(let name, let known):
      "the application has no handler \(name); it has \(known.joined(separator: ", "))"
    case .noConfirmation:
      "the route requires confirmation: pass `confirmation:`, a closure that asks the user"
    default: "a route in an application must name a handler: write handler = \"name\""
    }
  }
}
