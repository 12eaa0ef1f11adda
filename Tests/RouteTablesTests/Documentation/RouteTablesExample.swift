// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import Testing

@Suite struct `The first page on RouteTables` {
  @Test func `Its table behaves as documented`() throws {
    let table = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("notes://note/{id:int}?tab={tab?}", id: "note", action: "show")
      try routes.add("notes://note/new", id: "new", action: "create")
    }
    let match = try table.match("notes://note/7?tab=edit")
    #expect(match?.action == "show")
    #expect(match?[int: "id"] == 7)
    #expect(match?["tab"] == "edit")
  }
}
