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
    /// A pattern is none, or routes conflict.
    case table(RouteTableError)
    /// A pattern has more captures or fewer than its method has arguments, the request not counted.
    case captures(pattern: String, captures: [String], arguments: [String])
    /// The argument at a capture's place cannot be made of what the capture takes.
    case argument(pattern: String, capture: String, type: String, Mismatch)
  }

  /// Why an argument cannot be made of a capture.
  public enum Mismatch: Hashable, Sendable {
    /// The capture takes texts that the argument does not, as this one; how it would be right.
    case type(text: String?, write: String)
    /// The capture may be absent, and the argument not.
    case mayBeAbsent
    /// The capture is a rest or a list, the argument one value.
    case takesSeveral
    /// The capture takes one text, the argument several.
    case takesOne
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
    case .captures(let pattern, let captures, let arguments):
      return "\(location): `\(pattern)` \(Self.counts(captures, arguments))"
    case .argument(let pattern, let capture, let type, let mismatch):
      return "\(location): `\(capture)` of `\(pattern)` \(mismatch.sentence(for: type))"
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

  private static func counts(_ captures: [String], _ arguments: [String]) -> String {
    let captured = captures.isEmpty ? "nothing" : captures.map { "`\($0)`" }.joined(separator: ", ")
    let taken = arguments.isEmpty ? "no arguments" : arguments.joined(separator: ", ")
    return
      "captures \(captured), and its method takes \(taken): write one capture for each argument, in their order"
  }
}

extension SceneRoutesError.Mismatch {
  fileprivate func sentence(for type: String) -> String {
    switch self {
    case .type(let text, let write):
      "takes \(text.map { $0.isEmpty ? "the empty text" : "`\($0)`" } ?? "texts") as well, which is no \(type): write `\(write)`"
    case .mayBeAbsent:
      "may be absent, and its method takes \(type): write \(type)? there, or a default after `=` here"
    case .takesSeveral: "takes several texts, and its method takes \(type): write [\(type)] there"
    case .takesOne:
      "takes one text, and its method takes \(type): write `...` for segments, `*` for the values of a key, or one value there"
    }
  }
}
