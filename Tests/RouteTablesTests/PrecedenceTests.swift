// SPDX-License-Identifier: Apache-2.0
import RouteExplanations
@testable import RouteTablesTestSupport
@testable import RouteTables
import TestSupport
import Testing

@Suite(.computes) struct PrecedenceTests {
  @Test(arguments: [
    // URL, winner, loser
    ("https://h/a", "https://h/a", "https://h/{x}"), ("https://h/7", "https://h/{n:int}", "https://h/{x}"),
    ("https://h/7", "https://h/{n:uint}", "https://h/{x}"),
    ("https://h/7", "https://h/7", "https://h/{n:int}"),
    ("https://h/a/b", "https://h/a/{x}", "https://h/{x}/b"),
    ("https://a.b/", "https://{x}.b/", "https://a.{x}/"),
    ("https://h/a", "https://h/{x}", "/a"), ("https://h/?k=1", "https://h/?k=1", "https://h/?k"),
    ("https://h/?k=1", "https://h/?k={n:int}", "https://h/?k={n}"),
    ("https://h/?k=1", "https://h/?k", "https://h/"),
    ("https://h/?a=1&b=2", "https://h/?a&b", "https://h/?a=1"),
    ("https://h/#f", "https://h/#f", "https://h/#{x}"),
    ("https://h/#f", "https://h/#{x}", "https://h/"), ("https://h/?k#f", "https://h/?k", "https://h/#f"),
    ("https://h/7/x", "https://h/{n:int}/x", "https://h/{a}/{b}"),
  ])
  func theNarrowerWinsAtTheFirstDifference(url: String, winning: String, losing: String) throws {
    #expect(try winner(url, among: winning, losing) == winning)
    #expect(try winner(url, among: losing, winning) == winning)
    #expect(try matches(losing, url))
  }

  @Test func `A failed candidate is followed by the next best one`() throws {
    let patterns = ["/a/{n:int}/x", "/a/{s}/y", "/{t}/b/{u}", "/{t}/{v}/y?k=1", "/{t}/{v}/y"]
    let routes = try table(patterns)
    #expect(try routes.match("/a/7/x")?.route.id == patterns[0])
    #expect(try routes.match("/a/7/y")?.route.id == patterns[1])
    #expect(try routes.match("/a/b/z")?.route.id == patterns[2])
    #expect(try routes.match("/c/d/y?k=1")?.route.id == patterns[3])
    #expect(try routes.match("/c/d/y?k=2")?.route.id == patterns[4])
    #expect(try routes.match("/c/d/z") == nil)
  }

  @Test func `Captures of a failed branch do not leak`() throws {
    let routes = try table(["/a/{x}/{y}/end?k=1", "/{p}/b/{q}/end"])
    let match = try #require(try routes.match("/a/b/c/end?k=2"))
    #expect(match.values.map(\.name) == ["p", "q"])
    #expect(match["x"] == nil)
    #expect(match["p"] == "a")
    #expect(match["q"] == "c")
  }

  @Test func `Overlapping queries are decided by the first key`() throws {
    for names in [["first", "second"], ["second", "first"]] {
      var builder = RouteTableBuilder<Int>()
      try builder.add("/?a", id: names[0], action: 0)
      try builder.add("/?b", id: names[1], action: 1)
      #expect(try builder.build().match("/?b&a")?.action == 0)
    }
  }

  @Test func `Among owners of equal patterns, the smaller name wins`() throws {
    var builder = RouteTableBuilder<Int>()
    try builder.add("/x", id: "a", owner: "org.b", action: 2)
    try builder.add("/x", id: "z", owner: "org.a", action: 1)
    #expect(try builder.build().match("/x")?.action == 1)
  }
}
