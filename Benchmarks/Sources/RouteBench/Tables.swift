// SPDX-License-Identifier: Apache-2.0
internal import Racing
internal import RouteTables

/// Builds tables of sample routes.
enum Tables {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns a table of the patterns; the action of each is its index.
  static func table(_ patterns: [String]) throws -> RouteTable<Int> {
    try builder(patterns).build()
  }

  static func builder(_ patterns: [String]) throws -> RouteTableBuilder<Int> {
    var builder = RouteTableBuilder<Int>()
    for (index, pattern) in patterns.enumerated() {
      try builder.add(pattern, id: String(index), action: index)
    }
    return builder
  }

  /// Returns the sweep over a table of these routes; throws unless each URL matches its route.
  static func sweep(_ routes: [SampleRoute]) throws -> Sweep {
    let table = try table(routes.map(\.pattern))
    for (index, route) in routes.enumerated() {
      guard let match = try table.match(route.url) else {
        throw Failure(description: "no route for \(route.url)")
      }
      guard match.action == index else {
        throw Failure(description: "\(routes[match.action].pattern) takes \(route.url) from \(route.pattern)")
      }
    }
    return Sweep(table, routes.map(\.url))
  }
}
