// SPDX-License-Identifier: Apache-2.0
/// A request that proves a statement about routes: a URL or bare path, and the values of conditions.
public struct RouteRequest: Hashable, Sendable, CustomStringConvertible {
  /// The URL, or a bare path.
  public let url: String
  /// The values of the conditions, by name; a missing value counts as empty.
  public let context: [String: String]

  /// The URL and its condition values, such as "`https://a.example/` with source `org.example.Chat`".
  public var description: String {
    guard !context.isEmpty else { return "`\(url)`" }
    return "`\(url)` with "
      + context.sorted { $0.key < $1.key }.map { "\($0.key) `\($0.value)`" }.joined(separator: ", ")
  }
}

extension RouteTable {
  /// Returns the route that wins a request, as `match(_:when:)` does for its URL and context.
  public func match(_ request: RouteRequest) throws(RouteTableError) -> RouteMatch<Action>? {
    try match(request.url, when: request.context)
  }
}
