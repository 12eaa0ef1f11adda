// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import TestSupport
import Testing

@testable import RouteTables

@Suite struct `Generated URLs` {
  private func table(_ patterns: String..., options: RouteOptions = RouteOptions()) throws -> RouteTable<Int>
  {
    try RouteTable<Int> { routes throws(RouteTableError) in
      for (number, pattern) in patterns.enumerated() {
        try routes.add(pattern, id: "r\(number)", action: number, options: options)
      }
    }
  }

  @Test(
    arguments: [
      ("notes://note/{id:int}?tab={tab?}", ["id": 7, "tab": "edit"], "notes://note/7?tab=edit"),
      ("notes://note/{id:int}?tab={tab?}", ["id": -7], "notes://note/-7"),
      ("app:/docs/{path...}", ["path": ["a b", "c/d", "é?"]], "app:/docs/a%20b/c%2Fd/%C3%A9%3F"),
      ("https://{tenant}.forge.example/{n:uint=1}", ["tenant": "acme"], "https://acme.forge.example/"),
      (
        "https://{tenant}.forge.example/{n:uint=1}", ["tenant": "acme", "n": 1], "https://acme.forge.example/"
      ),
      (
        "https://{tenant}.forge.example/{n:uint=1}", ["tenant": "acme", "n": 2],
        "https://acme.forge.example/2"
      ),
      ("https://{:www.|m.|}shop.example/{sku}", ["sku": "x"], "https://www.shop.example/x"),
      ("app:/{a=1}/{b=2}", ["b": "3"], "app:/1/3"),
      ("app:/s?q={q}&page={page:uint=1}&!preview&flat", ["q": "a+b &c"], "app:/s?q=a%2Bb%20%26c&flat"),
      ("app:/t?tag={tag*}#{part?}", ["tag": ["x", "", "x"], "part": "top"], "app:/t?tag=x&tag=&tag=x#top"),
      (
        "/item/{id:uuid}", ["id": "0f8fad5b-d9cb-469f-a165-70867728950e"],
        "/item/0f8fad5b-d9cb-469f-a165-70867728950e"
      ),
      ("app://{user}@h:8080/{x}-v{y}", ["user": "me", "x": "a-v1", "y": "2"], "app://me@h:8080/a-v1-v2"),
    ] as [(String, [String: RouteValue], String)])
  func `are written in the usual form`(pattern: String, values: [String: RouteValue], url: String) throws {
    #expect(try table(pattern).generate("r0", values) == url)
  }

  @Test(
    arguments: [
      ("app:/{x}", ["x": ".."], .unrepresentable("x")), ("app:/{x}", ["x": ""], .unrepresentable("x")),
      ("app:/{n:uint}", ["n": -1], .unrepresentable("n")), ("app:/{x}", ["x": "a\0"], .unrepresentable("x")),
      ("https://{h}.example/", ["h": "Acme"], .unrepresentable("h")),
      ("https://{h}/", ["h": "0x7f"], .unrepresentable("h")),
      ("https://*.example/{x}", ["x": "a"], .unrepresentable("*")),
      ("app:/{x}/{y?}", ["x": "a", "y": ["b", "c"]], .unrepresentable("y")),
      ("app:/{x?}/{y?}", ["y": "b"], .ambiguous("x")),
      ("app:/{x}-{y}", ["x": "a", "y": "b-c"], .ambiguous("x")),
      ("app:/{x}", [:], .missingArgument("x")), ("app:/{x}", ["x": "a", "z": "b"], .unknownArgument("z")),
    ] as [(String, [String: RouteValue], RouteGenerationError)])
  func `have a named error if there is none`(
    pattern: String, values: [String: RouteValue], error: RouteGenerationError
  ) throws {
    let table = try table(pattern)
    #expect(throws: error) { try table.generate("r0", values) }
  }

  @Test func `have an error if another route matches them`() throws {
    let table = try table("app:/{x}", "app:/new")
    #expect(throws: RouteGenerationError.matchedByAnotherRoute("r1")) {
      try table.generate("r0", ["x": "new"])
    }
    #expect(throws: RouteGenerationError.unknownRoute("r9")) { try table.generate("r9") }
  }

  @Test
  func `have an error if the route excludes them; if no value can help, the error suggests the setting`()
    throws
  {
    func rule(_ first: PolicyLayer, _ second: PolicyLayer) throws -> RouteTable<Int> {
      try RouteTable<Int> { routes throws(RouteTableError) in
        try routes.add("app:/{x}", "app:/b/{x}", id: "narrow", action: 0, rank: first, generates: true)
        try routes.add("app:/{x...}", id: "wide", owner: "o", action: 1, rank: second)
        try routes.add("app:/a", id: "fixed", action: 2, rank: second)
        try routes.add("https://*.h/{x}", id: "old", action: 3, generates: false)
      }
    }
    let covered = try rule(.vendor, .user)
    #expect(!covered.routes[3].generates && covered.routes[0].generates)
    #expect(throws: RouteGenerationError.notGenerated("old")) { try covered.generate("old", ["x": "a"]) }
    for value in ["a", "c"] as [RouteValue] {
      let winner = value == "a" ? "fixed" : "wide"
      #expect(throws: RouteGenerationError.matchedByAnotherRoute(winner, always: winner == "wide")) {
        try covered.generate("narrow", ["x": value])
      }
    }
    let free = try rule(.user, .user)
    #expect(try free.generate("narrow", ["x": "c"]) == "app:/c")
    #expect(throws: RouteGenerationError.matchedByAnotherRoute("fixed")) {
      try free.generate("narrow", ["x": "a"])
    }
    for error in [.matchedByAnotherRoute("wide", always: true), .unrepresentable("*"), .notGenerated("old")]
      as [RouteGenerationError]
    { #expect("\(error)".contains("`generate = false`")) }
  }

  @Test func `match under the conditions of their routes`() throws {
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add("app:/{x}", id: "all", action: 0)
      try routes.add(
        "app:/{x}", id: "chat", action: 1,
        when: [try RouteCondition("source", matching: "org\\.example\\.Chat")])
    }
    #expect(try table.generate("chat", ["x": "a"]) == "app:/a")
    #expect(throws: RouteGenerationError.matchedByAnotherRoute("all")) {
      try table.generate("chat", ["x": "a"], when: ["source": "org.example.Mail"])
    }
  }

  /// Texts that are difficult to represent in a URL.
  private static let awkward = [
    "a", "b", "7", "-1", "true", "ab", "A", "a/b", "h", "é", "", ".", "..", "%41", "%", "a b", "+", "&", "=",
    "#", "?", "@",
    ":", "//", "{x}", "a-b", "-", "\u{7F}", "\u{85}", "\u{10FFFD}", "e\u{301}", "\u{FEFF}", "\u{0}", "\n",
    "\\", "[", "]", "*",
    "0x7f", "99", "~", "'", "\"", "<", ";", ",", "1.5", "false", "abc", "18446744073709551615",
  ]

  /// Compares random tables and arguments with the definition.
  ///
  /// A generated URL must match its route with equal values, and for a rejection the definition must have no such URL.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `are parsed to the given values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: 7_000 + seed)
    var (made, refused) = (0, [String: Int]())
    for _ in 0..<400 {
      let patterns = (0..<Int.random(in: 1...4, using: &random)).map { _ in NaivePattern.random(&random) }
      var builder = RouteTableBuilder<Int>()
      for (number, pattern) in patterns.enumerated() {
        try builder.add(
          [try pattern.read()], id: "r\(number)", action: number,
          at: SourceLocation(file: "test", line: number))
      }
      let table = builder.buildSkippingConflicts().table
      for route in table.routes {
        for _ in 0..<3 {
          let values = Self.values(for: route.patterns[0], &random)
          do {
            let url = try table.generate(route.id, values)
            made += 1
            let match = try #require(try table.match(url), "\(route.patterns[0]) \(values) \(url)")
            #expect(match.route.id == route.id, "\(route.patterns[0]) \(values) \(url)")
            for capture in match.pattern.captures {
              let expected = Self.texts(values[capture.name]) ?? capture.defaultValue.map { [$0] }
              let found = match[list: capture.name].map { Array($0) } ?? match[capture.name].map { [$0] }
              #expect(
                found?.joined(separator: "/").utf8.elementsEqual((expected ?? []).joined(separator: "/").utf8)
                  ?? (expected == nil), "\(route.patterns[0]) \(values) \(url)")
            }
          } catch let error as RouteGenerationError {
            refused["\(error)".split(separator: " ").last.map(String.init) ?? "", default: 0] += 1
            let naive = patterns[route.action]
            if !naive.hasSplitChoice, let url = Self.counterexample(naive, values, table, route.id, &random) {
              Issue.record(
                """
                \(error): \(route.patterns[0]) \(values.mapValues { Self.texts($0) ?? [] }), but there is \(url)
                among \(table.routes.map { "\($0.id): \($0.patterns[0]) \(patterns[$0.action].optionNames)" })
                """)
            }
          }
        }
      }
    }
    #expect(made > 500 && refused.values.reduce(0, +) > 250, "\(made) \(refused)")
  }

  private static func texts(_ value: RouteValue?) -> [String]? {
    value.map { if case .strings(let texts) = $0 { texts } else { [$0.description] } }
  }

  private static func values(
    for pattern: RoutePattern, _ random: inout SeededGenerator
  ) -> [String: RouteValue] {
    var values: [String: RouteValue] = [:]
    for capture in pattern.captures {
      if capture.isOptional, random.oneIn(2) { continue }
      let fitting = awkward.filter { capture.type.matches($0) }
      func text() -> String { random.pick(fitting.isEmpty || random.oneIn(10) ? awkward : fitting) }
      values[capture.name] =
        capture.extent == .single
        ? .string(text()) : .strings((0..<Int.random(in: 1...3, using: &random)).map { _ in text() })
    }
    return values
  }

  /// Returns a URL of these values that the definition generates and that is parsed to these values; `nil` if there is none.
  private static func counterexample(
    _ pattern: NaivePattern, _ values: [String: RouteValue], _ table: RouteTable<Int>, _ id: String,
    _ random: inout SeededGenerator
  ) -> String? {
    for shape in NaiveShape.all(of: pattern) {
      guard var url = NaiveURL.filled(shape, values.compactMapValues { texts($0) }) else { continue }
      let text = url.text(&random)
      guard let match = try? table.match(text), match.route.id == id else { continue }
      let isSame = match.pattern.captures.allSatisfy { capture in
        let found = match[list: capture.name].map { Array($0) } ?? match[capture.name].map { [$0] }
        let expected = texts(values[capture.name]) ?? capture.defaultValue.map { [$0] }
        return (found ?? []).elementsEqual(expected ?? []) { $0.utf8.elementsEqual($1.utf8) }
      }
      if isSame { return text }
    }
    return nil
  }
}
