import TestSupport
import Testing

@testable import RouteTables

@Suite struct LayerTests {
  private func table(_ add: (inout RouteTableBuilder<String>) throws -> Void) throws -> RouteTable<String> {
    var builder = RouteTableBuilder<String>()
    try add(&builder)
    return try builder.build()
  }

  @Test func finalThenUserThenAdministratorThenVendor() throws {
    let ranks = RouteRank.allCases
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

  @Test func aHigherLayerThatDoesNotMatchGivesWay() throws {
    let table = try table { routes in
      try routes.add("/a/{x:int}", id: "user", action: "user", rank: .user)
      try routes.add("/a/{x}", id: "vendor", action: "vendor", rank: .vendor)
    }
    #expect(try table.match("/a/7")?.action == "user")
    #expect(try table.match("/a/b")?.action == "vendor")
  }

  @Test func aRouteWinsOverAnotherByItsWish() throws {
    let table = try table { routes in
      try routes.add("/a/{x}", id: "left", action: "left")
      try routes.add("/{y}/b", id: "right", action: "right", winsOver: ["left"])
      try routes.add("/{y}/{x}", id: "all", action: "all")
    }
    #expect(try table.match("/a/b")?.action == "right")
    #expect(try table.match("/a/c")?.action == "left")
    #expect(try table.match("/d/c")?.action == "all")
  }

  @Test func whatIsWiderThanTheLoserWaitsToo() throws {
    let table = try table { routes in
      try routes.add("/a/{x}", id: "b", action: "b")
      try routes.add("/a/{r...}", id: "d", action: "d")
      try routes.add("/{z}/b", id: "a", action: "a", winsOver: ["b"])
    }
    #expect(try table.match("/a/b")?.action == "a")
    #expect(try table.match("/a/c")?.action == "b")
    #expect(try table.match("/a/c/d")?.action == "d")
  }

  @Test func aWishSettlesACrossing() throws {
    let table = try table { routes in
      try routes.add("/pre{x}", id: "pre", action: "pre")
      try routes.add("/{x}post", id: "post", action: "post", winsOver: ["pre"])
    }
    #expect(try table.match("/prepost")?.action == "post")
  }

  @Test func wishesThatCannotBeAreRefused() throws {
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
    #expect(
      reason { routes in
        try routes.add("/a/{x}", id: "one", action: "", winsOver: ["two"])
        try routes.add("/{x}/a", id: "two", action: "", winsOver: ["one"])
      } == .circularPrecedence(["one", "two"]))
  }

  @Test func conditionsAreTheLastPlace() throws {
    let chat = RouteCondition("source", try RouteLanguage(anyOf: ["org.example.Chat"]))
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

  @Test func aWitnessSaysWhatTheRequestMustSay() throws {
    let one = RouteCondition("source", try RouteLanguage("org\\.a\\..+"))
    let other = RouteCondition("source", try RouteLanguage(".+\\.Chat"))
    var builder = RouteTableBuilder<Int>()
    try builder.add("/x", id: "one", action: 1, when: [one])
    try builder.add("/x", id: "two", action: 2, when: [other])
    let (_, conflicts) = builder.buildSettingAside()
    #expect(conflicts.map(\.kind) == [.crossing])
    #expect(conflicts.first?.witness.description.hasPrefix("/x with source `org.a.") == true)
  }

  /// What wins is never wider than another that matches.
  @Test func theWinnerNeverIncludesAnotherThatMatches() throws {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<150 {
      var builder = RouteTableBuilder<Int>()
      for number in 0..<6 {
        try builder.add(
          [NaivePattern.random(&random).read()], id: "r\(number)", action: number,
          at: SourceLocation(file: "t", line: 1))
      }
      let table = builder.buildSettingAside().table
      var languages = LanguageTable()
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
          let product = ShapeProduct(others[0], route.patterns[0], own[0], match.pattern)
          let back = ShapeProduct(own[0], match.pattern, others[0], route.patterns[0])
          #expect(
            !product.isFirstInSecond(&languages) || back.isFirstInSecond(&languages),
            "\(text): \(match.pattern) over \(route.patterns[0])")
        }
      }
    }
  }
}
