// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
@testable import RouteTables
import Testing

@Suite struct `The article on other routers` {
  @Test func `Patterns that were copied unchanged are reported`() throws {
    let table = try RouteTable<String> { routes throws(RouteTableError) in
      try routes.add("/users/:id", id: "user", action: "user")
      try routes.add("/files/*", id: "files", action: "files")
    }
    #expect(
      table.warnings.map(\.sentence) == [
        "`:id` is literal text here: write a capture as `{id}`",
        "`*` is literal text here: write a segment as `{x}` and the rest of a path as `{rest...}`",
      ])
  }

  @Test func `Exclusions can be anywhere, and precede overlapping patterns by wins_over`() throws {
    let links = try RouteTable<Bool> { routes throws(RouteTableError) in
      try routes.add("https://h.example/buy/{rest...}", id: "buy", action: true)
      try routes.add("https://h.example/help/{rest...}", id: "help", action: true)
      try routes.add("https://h.example/help/website/{rest...}", id: "website", action: false)
      try routes.add(
        "https://h.example/{page...}#no_links", id: "none", action: false, winsOver: ["buy", "help"])
    }
    #expect(try links.match("https://h.example/buy/shoes")?.action == true)
    #expect(try links.match("https://h.example/buy/shoes#no_links")?.action == false)
    #expect(try links.match("https://h.example/help/a")?.action == true)
    #expect(try links.match("https://h.example/help/website/a")?.action == false)
    #expect(
      try winner(
        "https://h.example/buy/x#no_links", among: "https://h.example/buy/{rest...}",
        "https://h.example/{page...}#no_links") == "https://h.example/buy/{rest...}")
  }

  @Test func `A variable is a type`() throws {
    let food = try RouteType("food", anyOf: ["burrito", "sushi", "taco"])
    let menu = try RoutePattern("https://h.example/order/{what:food}", types: [food])
    #expect(menu.captures.first?.type.matches("sushi") == true)
    #expect(menu.captures.first?.type.matches("soup") == false)
  }
}
