/// A request that shows something about routes: a URL, or a bare path, and what the request says of itself.
public struct RouteRequest: Hashable, Sendable, CustomStringConvertible {
  /// The URL, or a bare path.
  public let url: String
  /// What the request says, by name, for the conditions of routes; what is not here is not said.
  public let context: [String: String]

  /// The URL, and what must be said with it: `https://a.example/ with source "org.example.Chat"`.
  public var description: String {
    guard !context.isEmpty else { return url }
    return "\(url) with "
      + context.sorted { $0.key < $1.key }.map { "\($0.key) `\($0.value)`" }.joined(separator: ", ")
  }
}

extension RouteTable {
  /// Returns the route that claims a request's URL, given what the request says, as `match(_:when:)` does.
  public func match(_ request: RouteRequest) throws(RouteTableError) -> RouteMatch<Action>? {
    try match(request.url, when: request.context)
  }
}
