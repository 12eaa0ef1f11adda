// SPDX-License-Identifier: Apache-2.0
import RouteTables

extension NaivePattern {
  var optionNames: String {
    [
      ignoresCase ? "case" : "", ignoresSlash ? "slash" : "", plusIsLiteral ? "plus" : "",
      isJoined ? "joined" : "",
    ]
    .joined(separator: " ")
  }

  /// Returns the pattern as the library parses it.
  func read() throws(RouteTableError) -> RoutePattern {
    try RoutePattern(
      text,
      options: RouteOptions(
        ignoresCase: ignoresCase, ignoresTrailingSlash: ignoresSlash,
        plus: plusIsLiteral ? .literal : .automatic,
        authority: isJoined ? .segment : .host))
  }
}
