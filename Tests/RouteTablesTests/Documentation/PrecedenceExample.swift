// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import Testing

@Suite struct `The article on precedence` {
  @Test func `A route that fails in a later component is skipped`() throws {
    let table = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("/a/{x}/c", id: "left", action: "left")
      try routes.add("/{y}/b/d", id: "right", action: "right")
    }
    let match = try table.match("/a/b/d")
    #expect(match?.route.id == "right")
    #expect(match?["y"] == "a")
    #expect(match?["x"] == nil)
  }

  @Test func `An overlap within a component is decided by wins_over`() throws {
    let numbers = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("/{n:int}", id: "integer", action: "integer")
      try routes.add("/{n:uint}", id: "natural", action: "natural", winsOver: ["integer"])
    }
    #expect(try numbers.match("/7")?.action == "natural")
    #expect(try numbers.match("/-7")?.action == "integer")
  }

  @Test func `Between owners the order of their names decides`() throws {
    for owners in [["a", "b"], ["b", "a"]] {
      let table = try RouteTable<String> { routes throws(RouteTableError) in
        for owner in owners { try routes.add("/{page}", id: "page", owner: owner, action: owner) }
      }
      #expect(try table.match("/x")?.action == "a")
    }
  }

  @Test func `A route of a higher layer wins, be it wider`() throws {
    let layers = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add(
        "https://wiki.example/edit/{page}", id: "edit", owner: "org.example.Wiki", action: "edit",
        rank: .vendor)
      try routes.add(
        "https://wiki.example/{page...}", id: "wiki", owner: "user", action: "browse", rank: .user)
      try routes.add(
        "https://*/{path...}", id: "all", owner: "site", action: "ask", rank: .administrator)
    }
    #expect(try layers.match("https://wiki.example/edit/Tea")?.action == "browse")
    #expect(try layers.match("https://news.example/")?.action == "ask")
  }
}
