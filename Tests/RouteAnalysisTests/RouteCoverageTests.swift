// SPDX-License-Identifier: Apache-2.0
@testable import RouteAnalysis
@testable import RouteTables
@testable import RouteTablesTestSupport
import Testing

@Suite struct `Coverage` {
  @Test func `is counted for each route, as for a request that it asks for`() throws {
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add("app:/{x}", id: "any", action: 1)
      try routes.add("app:/{x:int}", id: "number", action: 2)
      try routes.add(
        "app:/{x:int}", id: "chat", action: 3,
        when: [try RouteCondition("source", matching: "org\\.example\\.Chat")])
      try routes.add("app:/never", id: "never", action: 4)
    }
    var coverage = RouteCoverage(of: table)
    #expect(try coverage.add("app:/a") == [0])
    #expect(try coverage.add("app:/7") == [1, 2])
    #expect(try coverage.add("app:/8") == [1, 2])
    #expect(try coverage.add("other:/8") == [])
    #expect(throws: RouteTableError.self) { try coverage.add("app:/%zz") }
    #expect(coverage.counts == [1, 2, 2, 0] && coverage.urlCount == 4 && coverage.unmatchedCount == 1)
    #expect(coverage.unreached.map(\.id) == ["never"] && coverage.percentage == 75)
    try coverage.add("app:/never")
    #expect(coverage.unreached.isEmpty && coverage.percentage == 100)
  }

  @Test func `is all of a table without routes`() throws {
    let coverage = RouteCoverage(of: try RouteTable<Int> { _ throws(RouteTableError) in })
    #expect(coverage.percentage == 100 && coverage.unreached.isEmpty)
  }
}
