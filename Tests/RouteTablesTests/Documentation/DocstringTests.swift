// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests of the examples in the doc comments of `RouteTables`, whose code is in `DocstringsExample.swift`.
@Suite struct `The docstrings of RouteTables` {
  @Test(arguments: [
    "ActionTemplate", "Matching/RouteMatch",
    "Patterns/RouteCapture", "Patterns/RoutePattern", "Patterns/RoutePattern+Warnings", "Route",
    "RouteCondition",
    "RouteOptions", "RouteTable", "RouteTableBuilder", "RouteValue", "URLString",
  ])
  func `Each line of an example is compiled, and has the stated result`(_ file: String) throws {
    let examples = try DocstringExamples(of: "Sources/RouteTables/\(file).swift")
    #expect(!examples.lines.isEmpty)
    for line in try examples.lines(missingIn: "Tests/RouteTablesTests/Documentation/DocstringsExample.swift")
    {
      Issue.record("\(line)")
    }
  }
}
