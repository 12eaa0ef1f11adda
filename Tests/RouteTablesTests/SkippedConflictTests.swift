// SPDX-License-Identifier: Apache-2.0
import RouteTables
import Testing

@Suite struct `A table without some of the routes` {
  /// Returns routes of three owners: two that conflict, or one, a third that names them, and two that only `wins_over` orders.
  private func routes(conflicting: Bool) throws -> RouteTableBuilder<String> {
    var routes = RouteTableBuilder<String>()
    try routes.add("aaa:/{x}", id: "x", owner: "org.a", action: "")
    if conflicting { try routes.add("aaa:/{y}", id: "y", owner: "org.a", action: "") }
    try routes.add("aaa:/z", id: "z", owner: "org.a", action: "", winsOver: ["x"])
    try routes.add("bbb:/{x}", id: "x", owner: "org.b", action: "")
    try routes.add("ccc:/{n:int}", id: "integer", owner: "org.c", action: "")
    try routes.add("ccc:/{n:uint}", id: "natural", owner: "org.c", action: "", winsOver: ["integer"])
    return routes
  }

  /// Tests a `wins_over` whose route conflicts while another owner has a route of that name.
  @Test func `because they conflict keeps the wins_over of the others`() throws {
    let (table, conflicts, faults) = try routes(conflicting: true).buildSkippingAllConflicts()
    #expect(conflicts.map { [$0.first.id, $0.second.id] } == [["x", "y"]] && faults.isEmpty, "\(faults)")
    #expect(try table.match("ccc:/7")?.route.id == "natural")
    #expect(table.routes.filter { !$0.winsOver.isEmpty }.map(\.id) == ["natural"])
  }

  @Test func `because a filter excludes them keeps the wins_over of the others`() throws {
    let table = try routes(conflicting: false).build().filter { $0.owner != "org.a" || $0.id != "x" }
    #expect(table.routes.map(\.id) == ["z", "x", "integer", "natural"])
    #expect(try table.match("ccc:/7")?.route.id == "natural")
    #expect(table.routes.filter { !$0.winsOver.isEmpty }.map(\.id) == ["natural"])
  }

  @Test func `because a wins_over names another owner's route without its owner keeps the other ones`() throws
  {
    var routes = try routes(conflicting: false)
    try routes.add("ddd:/d", id: "d", owner: "org.d", action: "", winsOver: ["x"])
    let (table, conflicts, faults) = routes.buildSkippingAllConflicts()
    #expect(faults.map(\.reason) == [.unknownRoute("x")] && conflicts.isEmpty, "\(faults)")
    #expect(try table.match("ccc:/7")?.route.id == "natural")
    #expect(try table.match("ddd:/d")?.route.id == "d")
  }

  /// Returns routes whose comparison exceeds the limit of the search for conflicts, before two that conflict.
  private func manyRoutes(ids: [String]) throws -> RouteTableBuilder<String> {
    var routes = RouteTableBuilder<String>()
    for number in 0..<210 {
      for id in ids { try routes.add("app:/many?k=\(number)", id: "\(id)\(number)", action: "") }
    }
    try routes.add("app:/y/{n:int}", id: "integer", action: "")
    try routes.add("app:/y/{n:uint}", id: "natural", action: "")
    return routes
  }

  @Test func `reports the conflicts that are found without them`() throws {
    let (table, conflicts) = try manyRoutes(ids: ["a", "b"]).buildSkippingConflicts()
    #expect(table.routes.isEmpty && conflicts.count == 211, "\(conflicts.count)")
    #expect(conflicts.contains { $0.first.id == "integer" && $0.second.id == "natural" })
  }

  @Test func `keeps the routes of a filter that conflict beyond the limit of the search`() throws {
    let table = try manyRoutes(ids: ["a"]).build().filter { $0.id == "integer" || $0.id == "natural" }
    #expect(table.routes.map(\.id) == ["integer", "natural"])
    #expect(try table.match("app:/y/7") != nil)
  }
}
