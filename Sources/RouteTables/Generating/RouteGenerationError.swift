/// Why no URL can be made of a route and its arguments.
public enum RouteGenerationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No URL can hold the argument where its capture stands, or nothing says what stands there.
  case unrepresentable(String)
  /// A URL with the argument would be read with another value of it.
  case ambiguous(String)
  /// Every URL of these arguments is another route's, whatever a request says; with `always`, every URL of any arguments.
  ///
  /// Where several take it, or where what routes ask of a request is too large to compare, this is one of them.
  case taken(by: String, always: Bool = false)
  /// A ``TypedRoute`` that is none.
  case refused(RouteTableError)
  /// The route says `generate = false`.
  case notGenerated(String)
  /// The table has no route of this ID, or several owners have one.
  case unknownRoute(String)
  /// The route has no capture of this name.
  case unknownArgument(String)
  /// The capture needs an argument.
  case missingArgument(String)

  /// The sentence a person reads.
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
