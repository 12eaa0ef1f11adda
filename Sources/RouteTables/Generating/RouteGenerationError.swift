// SPDX-License-Identifier: Apache-2.0
/// The reason why no URL can be generated from a route and its arguments.
public enum RouteGenerationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No URL can contain this argument at the position of its capture; `*` for a part of the pattern without a value.
  case unrepresentable(String)
  /// A URL with this argument would be parsed with another value for it.
  case ambiguous(String)
  /// Another route wins every URL for these arguments, for every request; with `always`, for all arguments.
  ///
  /// If several routes win it, or if the languages of conditions are too large to compare, the route is one of them.
  case matchedByAnotherRoute(String, always: Bool = false)
  /// The ``TypedRoute`` is invalid; the error of its patterns.
  case refused(RouteTableError)
  /// The route has `generate = false`.
  case notGenerated(String)
  /// The table has no route with this ID, or several owners have one.
  case unknownRoute(String)
  /// The route has no capture with this name.
  case unknownArgument(String)
  /// The capture has no argument and is not optional.
  case missingArgument(String)

  /// The error message.
  public var description: String {
    switch self {
    case .unrepresentable("*"):
      "`*` has no value in a generated URL: put a pattern without `*` first, or write \(Self.refusal)"
    case .unrepresentable(let name): "`\(name)` has a value that cannot be represented in a URL of this route"
    case .ambiguous(let name): "matching the URL would give `\(name)` another value: choose another value"
    case .matchedByAnotherRoute(let route, false):
      "the URL would match the route `\(route)`, which takes precedence: choose other values, or change the precedence"
    case .matchedByAnotherRoute(let route, true):
      "every URL of this route's first pattern matches the route `\(route)`: put another pattern first, write \(Self.refusal), or change the precedence"
    case .notGenerated(let id): "the route `\(id)` has \(Self.refusal), so no URL can be generated"
    case .refused(let error): error.description
    case .unknownRoute(let id):
      "the ID `\(id)` does not name exactly one route: check the spelling, or write OWNER/ID"
    case .unknownArgument(let name): "the route has no capture `\(name)`"
    case .missingArgument(let name): "the capture `\(name)` needs a value"
    }
  }

  private static let refusal = "`generate = false`"
}
