// SPDX-License-Identifier: Apache-2.0
/// A program that a route runs for a URL, with its arguments filled in.
public struct RouteCommand: Hashable, Sendable {
  /// The argument vector; the first element is the absolute path of the program.
  public let arguments: [String]
  /// The ID of the route.
  public let route: String

  /// Creates a command of `route`.
  public init(_ arguments: [String], route: String) {
    self.arguments = arguments
    self.route = route
  }
}
