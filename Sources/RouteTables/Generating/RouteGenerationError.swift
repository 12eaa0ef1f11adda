/// The reason why no URL can be generated from a route and its arguments.
public enum RouteGenerationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No URL can contain this argument at the position of its capture; `*` for a part of the pattern without a value.
  case unrepresentable(String)
  /// A URL with this argument would be parsed with another value for it.
  case ambiguous(String)
  /// Another route wins every URL for these arguments, for every request; with `always`, for all arguments.
  ///
  /// If several routes win it, or if the languages of conditions are too large to compare, the route is one of them.
  case taken(by: String, always: Bool = false)
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
      "nothing says what stands for `*` in a URL of this route: give it a first pattern without `*`, or say \(Self.refusal)"
    case .unrepresentable(let name): "`\(name)` cannot be written into a URL of this route"
    case .ambiguous(let name): "`\(name)` would be read back as something else from a URL of this route"
    case .taken(let route, false): "the URL would go to the route `\(route)`"
    case .taken(let route, true):
      "every URL of this route's first pattern goes to the route `\(route)`: put another pattern first, say \(Self.refusal), or change what wins"
    case .notGenerated(let id): "the route `\(id)` says \(Self.refusal): no URL is made of it"
    case .refused(let error): error.description
    case .unknownRoute(let id): "there is no route `\(id)`, or there are several: name it as owner/id"
    case .unknownArgument(let name): "the route has no capture `\(name)`"
    case .missingArgument(let name): "the capture `\(name)` needs a value"
    }
  }

  private static let refusal = "`generate = false`"
}
