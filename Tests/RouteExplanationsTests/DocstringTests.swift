// SPDX-License-Identifier: Apache-2.0
import RouteExplanations
import RouteTables
import TestSupport
import Testing

@Suite struct `The docstrings of RouteExplanations` {
  @Test func `A near miss names the component that does not match`() throws {
    let table = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("notes://note/{id:int}?tab={tab?}", id: "note", action: "show")
      try routes.add("notes://note/new", id: "new", action: "create")
    }
    let explanation = try table.explain("notes://note/seven")
    #expect(explanation.winner?.route.id == nil)
    #expect(explanation.nearMisses.first?.route.id == "note")
    #expect(explanation.nearMisses.first?.mismatches.first?.range == 13..<18)
    let text = explanation.description
    #expect(text.contains("segment 1 is `seven` (bytes 14 to 18), but `id` must be an `int`"))
  }

  @Test(arguments: ["RouteExplanation", "RouteTable+Explaining"])
  func `Each line of an example is compiled, and has the stated result`(_ file: String) throws {
    let examples = try DocstringExamples(of: "Sources/RouteExplanations/Explanation/\(file).swift")
    #expect(!examples.lines.isEmpty)
    for line in try examples.lines(missingIn: "Tests/RouteExplanationsTests/DocstringTests.swift") {
      Issue.record("\(line)")
    }
  }
}
