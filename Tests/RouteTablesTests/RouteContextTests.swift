// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import RouteAnalysis
import RegularLanguages
import TestSupport
import Testing

@testable import RouteTables

/// Comparisons of the routes that win a URL in some context with all possible contexts.
@Suite struct `A route wins in every possible context` {
  private static let patterns = ["/a", "/b", "/{x}", "/{x:a|b}", "/{x...}", "/a/{y}", "/{x}/b", "/{x...}/b"]
  private static let urls = ["/a", "/b", "/c", "/a/b", "/a/c", "/c/b", "/c/c/b", "/"]
  private static let languages = ["a", "b", "a|b", "a|b|c", "[^a]?", ".*", ".+", "..+", "[ab]?", "b|c"]
  /// One text for each relation of these languages.
  private static let said = ["", "a", "b", "c", "d", "zz"]
  private static let contexts = said.flatMap { one in said.map { ["s": one, "t": $0] } }

  /// Returns all routes that win in some context, by trying all contexts.
  private func winners(of url: String, in table: RouteTable<String>) throws -> Set<Int> {
    Set(try Self.contexts.compactMap { try table.find(url, when: $0)?.routeIndex })
  }

  private func randomTable(_ random: inout SeededGenerator) throws -> RouteTable<String> {
    var builder = RouteTableBuilder<String>()
    for number in 0..<Int.random(in: 1...7, using: &random) {
      var conditions: [RouteCondition] = []
      for name in ["s", "t"] where random.oneIn(2) {
        conditions.append(try RouteCondition(name, matching: random.pick(Self.languages)))
      }
      let pattern = random.pick(Self.patterns)
      // Each route has its own owner, so that overlaps are no conflicts.
      try builder.add(pattern, id: "r\(number)", owner: "o\(number)", action: pattern, when: conditions)
    }
    return try builder.build()
  }

  private func words(_ table: RouteTable<String>) -> String {
    let routes = table.routes.map { route in
      "\(route.id) \(route.action) \(route.conditions.map { "\($0.name) \($0.language.shortestText ?? "-")" })"
    }
    return routes.joined(separator: "\n")
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `as coverage and requests of random tables say`(seed: UInt64) throws {
    var random = SeededGenerator(seed: 900 + seed)
    var several = 0
    for _ in 0..<60 {
      let table = try randomTable(&random)
      var coverage = RouteCoverage(of: table)
      for url in Self.urls {
        let winners = try winners(of: url, in: table)
        several += winners.count > 1 ? 1 : 0
        #expect(try coverage.add(url) == winners.sorted(), "\(url) \(words(table))")
        for route in table.routes.indices {
          let request = try table.request(for: url, wonBy: route)
          #expect((request != nil) == winners.contains(route), "\(url) \(route) \(words(table))")
          guard let request else { continue }
          #expect(request.url == url)
          #expect(try table.match(request)?.routeIndex == route, "\(request) \(words(table))")
        }
      }
      #expect(coverage.undecided.isEmpty)
    }
    #expect(several > 80, "\(several)")
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `as generated URLs of random tables say`(seed: UInt64) throws {
    var random = SeededGenerator(seed: 950 + seed)
    var (made, taken) = (0, 0)
    for _ in 0..<60 {
      let table = try randomTable(&random)
      for route in table.routes.indices {
        for text in ["a", "b", "c"] {
          let names = table.routes[route].patterns[0].captures.map { ($0.name, RouteValue.strings([text])) }
          let values = Dictionary(names) { first, _ in first }
          guard let url = try? alone(table.routes[route].action).generate("r", values) else { continue }
          let winners = try winners(of: url, in: table)
          switch result(of: table, route, values) {
          case .success(let own):
            made += 1
            #expect(own == url && winners.contains(route), "\(url) \(words(table))")
          case .failure(.matchedByAnotherRoute(let other, _)):
            taken += 1
            #expect(!winners.contains(route), "\(url) \(words(table))")
            #expect(winners.contains { table.routes[$0].id == other }, "\(url) \(other) \(words(table))")
          case .failure(let error): Issue.record("\(error)")
          }
        }
      }
    }
    #expect(made > 200 && taken > 20, "\(made) \(taken)")
  }

  private func alone(_ pattern: String) throws -> RouteTable<Int> {
    try RouteTable<Int> { routes throws(RouteTableError) in try routes.add(pattern, id: "r", action: 0) }
  }

  private func result(
    of table: RouteTable<String>, _ route: Int, _ values: [String: RouteValue]
  ) -> Result<String, RouteGenerationError> {
    do throws(RouteGenerationError) {
      return .success(try table.generate(table.routes[route].id, values))
    } catch {
      return .failure(error)
    }
  }

  private func table(_ conditions: (pattern: String, source: String?)...) throws -> RouteTable<Int> {
    try RouteTable<Int> { routes throws(RouteTableError) in
      for (number, (pattern, source)) in conditions.enumerated() {
        let asked = try source.map { source throws(RouteTableError) in
          [try RouteCondition("source", matching: source)]
        }
        try routes.add(pattern, id: "r\(number)", action: number, when: asked ?? [])
      }
    }
  }

  @Test func `and not only in the simplest context`() throws {
    let one = try table(("app:/{x}", "chat|mail"), ("app:/new", "chat"))
    #expect(try one.generate("r0", ["x": "new"]) == "app:/new")
    #expect(try one.request(for: "app:/new", wonBy: 0)?.context == ["source": "mail"])
    var coverage = RouteCoverage(of: one)
    #expect(try coverage.add("app:/new") == [0, 1])
    #expect(throws: RouteGenerationError.matchedByAnotherRoute("r1")) {
      try one.generate("r0", ["x": "new"], when: ["source": "chat"])
    }
  }

  @Test func `and never if other routes together match all of its contexts`() throws {
    let both = try table(("app:/{x}", "chat|mail"), ("app:/new", "chat"), ("app:/{x:new|old}", "mail"))
    var coverage = RouteCoverage(of: both)
    #expect(try coverage.add("app:/new") == [1, 2] && coverage.unreached.map(\.id) == ["r0"])
    #expect(throws: RouteGenerationError.self) { try both.generate("r0", ["x": "new"]) }
    // A route without conditions does not shadow one with conditions.
    let plain = try table(("app:/{x}", nil), ("app:/new", "[^a]*"))
    #expect(try plain.generate("r0", ["x": "new"]) == "app:/new")
  }

  @Test func `and routes that are too large to compare are not reported as never reached`() throws {
    let large = try table(("app:/{x}", ".*a.{9}"), ("app:/new", "[^b]*(b[^b]*){0,2}"))
    var coverage = RouteCoverage(of: large)
    #expect(try coverage.add("app:/new") == [1])
    #expect(coverage.undecided == [0] && coverage.unreached.isEmpty && coverage.percentage == 50)
    #expect(throws: RouteGenerationError.matchedByAnotherRoute("r1")) {
      try large.generate("r0", ["x": "new"])
    }
    try coverage.add("app:/old")
    #expect(coverage.counts == [1, 1])
  }

  @Test func `Of several conditions of one name all must hold`() throws {
    let both = try ["a|b", "b|c"].map { text throws(RouteTableError) in
      try RouteCondition("source", matching: text)
    }
    let routes = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add("app:/{x}", id: "r0", action: 0, when: both)
      try routes.add(
        "app:/new", id: "r1", action: 1, when: [try RouteCondition("source", matching: "b")])
    }
    #expect(routes.routes[0].conditions.count == 1)
    #expect(try routes.match("app:/old", when: ["source": "a"]) == nil)
    #expect(try routes.match("app:/old", when: ["source": "b"])?.route.id == "r0")
    #expect(throws: RouteGenerationError.self) { try routes.generate("r0", ["x": "new"]) }
  }
}
