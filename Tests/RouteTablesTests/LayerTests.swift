// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import RouteAnalysis
import TestSupport
import Testing

@testable import RouteTables

@Suite struct LayerTests {
  private func table(_ add: (inout RouteTableBuilder<String>) throws -> Void) throws -> RouteTable<String> {
    var builder = RouteTableBuilder<String>()
    try add(&builder)
    return try builder.build()
  }

  @Test func `Layers precede each other: final, cleaning, user, administrator, vendor`() throws {
    let ranks = PolicyLayer.allCases
    for first in ranks.indices {
      let table = try table { routes in
        for rank in ranks[first...].reversed() {
          try routes.add(
            rank == .vendor ? "/a/b" : "/a/{x}", id: "\(rank)", owner: "\(rank)", action: "\(rank)",
            rank: rank)
        }
      }
      #expect(try table.match("/a/b")?.action == "\(ranks[first])")
    }
  }

  @Test func `A higher layer without a match is skipped`() throws {
    let table = try table { routes in
      try routes.add("/a/{x:int}", id: "user", action: "user", rank: .user)
      try routes.add("/a/{x}", id: "vendor", action: "vendor", rank: .vendor)
    }
    #expect(try table.match("/a/7")?.action == "user")
    #expect(try table.match("/a/b")?.action == "vendor")
  }

  @Test func `wins_over makes a route precede another`() throws {
    let table = try table { routes in
      try routes.add("/a/{x}", id: "left", action: "left")
      try routes.add("/{y}/b", id: "right", action: "right", winsOver: ["left"])
      try routes.add("/{y}/{x}", id: "all", action: "all")
    }
    #expect(try table.match("/a/b")?.action == "right")
    #expect(try table.match("/a/c")?.action == "left")
    #expect(try table.match("/d/c")?.action == "all")
  }

  @Test func `Patterns wider than the loser also come later`() throws {
    let table = try table { routes in
      try routes.add("/a/{x}", id: "b", action: "b")
      try routes.add("/a/{r...}", id: "d", action: "d")
      try routes.add("/{z}/b", id: "a", action: "a", winsOver: ["b"])
    }
    #expect(try table.match("/a/b")?.action == "a")
    #expect(try table.match("/a/c")?.action == "b")
    #expect(try table.match("/a/c/d")?.action == "d")
  }

  @Test func `wins_over decides an overlap`() throws {
    let table = try table { routes in
      try routes.add("/pre{x}", id: "pre", action: "pre")
      try routes.add("/{x}post", id: "post", action: "post", winsOver: ["pre"])
    }
    #expect(try table.match("/prepost")?.action == "post")
  }

  @Test func `Unsatisfiable wins_over rules are rejected`() throws {
    func reason(_ add: (inout RouteTableBuilder<String>) throws -> Void) -> RouteTableError.Reason? {
      do {
        _ = try table(add)
        return nil
      } catch {
        return (error as? RouteTableError)?.reason
      }
    }
    #expect(reason { try $0.add("/a", id: "a", action: "", winsOver: ["z"]) } == .unknownRoute("z"))
    #expect(
      reason { routes in
        try routes.add("/{x}", id: "wide", action: "", winsOver: ["narrow"])
        try routes.add("/{x:int}", id: "narrow", action: "")
      } == .unreachable("narrow", by: "wide"))
  }

  /// Tests that a route of a program cannot take URLs from the user with `wins_over`, and that the error says so.
  @Test func `wins_over does not affect other layers`() throws {
    let table = try table { routes in
      try routes.add("/{x...}", id: "mine", owner: "user", action: "user")
      try routes.add("/a", id: "theirs", owner: "v", action: "v", rank: .vendor, winsOver: ["user/mine"])
    }
    #expect(try table.match("/a")?.action == "user")
    #expect(table.check().findings.map(\.kind) == [.layerDecides(over: "mine")])
  }

  @Test func `Other owners keep their wins_over rules if one cannot be satisfied`() throws {
    var routes = RouteTableBuilder<String>()
    try routes.add("h:/a/{x}", id: "left", owner: "user", action: "left")
    try routes.add("h:/{y}/b", id: "right", owner: "user", action: "right", winsOver: ["left"])
    try routes.add("v:/a/{x}", id: "one", owner: "v", action: "one", rank: .vendor, winsOver: ["two"])
    try routes.add("v:/{x}/a", id: "two", owner: "v", action: "two", rank: .vendor, winsOver: ["one"])
    let (table, _, faults) = routes.buildSkippingAllConflicts()
    #expect(faults.count == 1)
    #expect(try table.match("h:/a/b")?.action == "right")
    #expect(try table.match("v:/a/a")?.action == "one")
  }

  private typealias Wish = (id: String, patterns: [String], winsOver: [String])

  private static let circles: [(routes: [Wish], sentence: String)] = [
    (
      [("one", ["/a/{x}"], ["two"]), ("two", ["/{x}/a"], ["one"]), ("after", ["/{x...}"], [])],
      "`wins_over` is cyclic (`one` over `two` over `one`): remove one"
    ),
    (
      [("wide", ["/a/b", "/{x}/{y}"], ["narrow"]), ("narrow", ["/c/{z}", "/{x}/{y}/d"], [])],
      """
      `wins_over` cannot be satisfied: `wide` has `wins_over` `narrow`; `wide` (/{x}/{y}, t:1:1) matches all URLs of `narrow` \
      (/c/{z}, t:2:1), so it comes later: remove `wins_over`, or move one of these two patterns to a separate route
      """
    ),
    (
      [("one", ["/{x}/b"], ["two"]), ("two", ["/a/{n:int}", "/z"], []), ("three", ["/a/{y}"], ["one"])],
      """
      `wins_over` cannot be satisfied: `one` has `wins_over` `two`; `three` (/a/{y}, t:3:1) matches all URLs of `two` \
      (/a/{n:int}, t:2:1), so it comes later; `three` has `wins_over` `one`: remove one `wins_over`
      """
    ),
  ]

  /// Tests that the error about a cycle names exactly the routes in it.
  @Test(arguments: 0..<3)
  func `The error for a cycle names its routes`(number: Int) throws {
    let (routes, sentence) = Self.circles[number]
    var builder = RouteTableBuilder<Int>()
    for (number, route) in routes.enumerated() {
      try builder.add(
        try route.patterns.map { try RoutePattern($0) }, id: route.id, action: number,
        at: SourceLocation(file: "t", line: number + 1), winsOver: route.winsOver)
    }
    let error = refusal { () throws(RouteTableError) in _ = try builder.build() }
    #expect(error?.message == sentence)
    #expect(error?.location == SourceLocation(file: "t", line: 1))
  }

  @Test func `Conditions are compared last`() throws {
    let chat = try RouteCondition("source", anyOf: ["org.example.Chat"])
    let table = try table { routes in
      try routes.add("https://{host...}/{rest...}", id: "chat", action: "chat", when: [chat])
      try routes.add("https://{host...}/{rest...}", id: "all", action: "all")
      try routes.add("https://h/a", id: "one", action: "one")
    }
    #expect(try table.match("https://h/b", when: ["source": "org.example.Chat"])?.action == "chat")
    #expect(try table.match("https://h/b", when: ["source": "org.example.Mail"])?.action == "all")
    #expect(try table.match("https://h/b")?.action == "all")
    #expect(try table.match("https://h/a", when: ["source": "org.example.Chat"])?.action == "one")
  }

  @Test func `A witness has the required context of the request`() throws {
    let one = try RouteCondition("source", matching: "org\\.a\\..+")
    let other = try RouteCondition("source", matching: ".+\\.Chat")
    var builder = RouteTableBuilder<Int>()
    try builder.add("/x", id: "one", action: 1, when: [one])
    try builder.add("/x", id: "two", action: 2, when: [other])
    let (_, conflicts) = builder.buildSkippingConflicts()
    #expect(conflicts.map(\.kind) == [.crossing])
    #expect(conflicts.first?.witness.description.hasPrefix("`/x` with source `org.a.") == true)
  }

  /// Tests that the winner is never wider than another matching route.
  @Test func `The winner never includes another matching pattern`() throws {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<150 {
      var builder = RouteTableBuilder<Int>()
      for number in 0..<6 {
        try builder.add(
          [NaivePattern.random(&random).read()], id: "r\(number)", action: number,
          at: SourceLocation(file: "t", line: 1))
      }
      let table = builder.buildSkippingConflicts().table
      var languages = LanguageInterner()
      for _ in 0..<12 {
        var url = NaiveURL.random(&random)
        let text = url.text(&random)
        guard let match = try table.match(text) else { continue }
        for route in table.routes
        where route.id != match.route.id && route.patterns[0].options == match.pattern.options {
          let own = try shapes(of: match.pattern, &languages)
          let others = try shapes(of: route.patterns[0], &languages)
          var alone = RouteTableBuilder<Int>()
          try alone.add(route.patterns, id: "x", action: 0, at: route.location)
          guard own.count == 1, others.count == 1, try alone.build().match(text) != nil else { continue }
          let product = PatternInclusion(
            others[0], pattern: route.patterns[0], own[0], pattern: match.pattern)
          let back = PatternInclusion(own[0], pattern: match.pattern, others[0], pattern: route.patterns[0])
          #expect(
            !product.isFirstInSecond(&languages) || back.isFirstInSecond(&languages),
            "\(text): \(match.pattern) over \(route.patterns[0])")
        }
      }
    }
  }
}
