// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import Foundation
import TestSupport
import Testing

@testable import RouteExplanations
@testable import RouteTables

/// Comparisons of explanations with the definition of the language.
///
/// `ROUTE_FUZZ_ROUNDS` sets the number of tables for each seed, and `ROUTE_FUZZ_SEED` selects other seeds.
@Suite struct `Explanations are correct` {
  private static let rounds = Int(ProcessInfo.processInfo.environment["ROUTE_FUZZ_ROUNDS"] ?? "") ?? 240
  private static let seed = UInt64(ProcessInfo.processInfo.environment["ROUTE_FUZZ_SEED"] ?? "") ?? 0

  @Test func `A backslash is found and explained as it is matched`() throws {
    let table = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add("app:/docs/{path...}/end/{more...}", id: "docs", action: 1)
    }
    let url = #"app:/docs/a\b/end/x"#
    let match = try #require(try table.match(url))
    #expect(match.values.map { "\($0.value)" } == [#"a\b"#, "x"])
    #expect(try table.explain(url).winner?.route.id == "docs")
    let found = try #require(try table.find(url))
    #expect(table.match(url, at: found).values.map(\.value) == match.values.map(\.value))
    #expect(throws: RouteTableError.self) { try table.find(#"https:\/h"#) }
  }

  @Test(.computes, arguments: 11...12 as ClosedRange<UInt64>)
  func `for random tables: winner, losers, rules, near misses and suggested URLs`(seed: UInt64) throws {
    var random = SeededGenerator(seed: Self.seed &* 1_000 &+ seed)
    let precedence = NaivePrecedence()
    var (rules, mismatchCount, edits) = ([String: Int](), 0, 0)
    for _ in 0..<Self.rounds {
      let patterns = (0..<Int.random(in: 1...8, using: &random)).map {
        ("r\($0)", NaivePattern.random(&random))
      }
      var builder = RouteTableBuilder<Int>()
      for (number, (id, pattern)) in patterns.enumerated() {
        try builder.add(
          [try pattern.read()], id: id, action: number, at: SourceLocation(file: "test", line: number + 1))
      }
      let table = builder.buildSkippingConflicts().table
      let naive = NaiveMatcher(table.routes.map { ($0.id, patterns[$0.action].1) }, precedence)
      guard !naive.shapes.isEmpty else { continue }
      for _ in 0..<40 {
        var url = NaiveURL.filling(random.pick(naive.shapes).shape, &random)
        let text = url.text(&random)
        let reported = try table.explain(text, limit: 100)
        // A failed expectation alone describes the table, because the description takes longer than the check.
        func about() -> String {
          "\(text)\n\(reported)\n" + table.routes.map { "\($0.id) \($0.patterns[0])" }.joined(separator: "\n")
        }
        // The winner equals that of `match`.
        #expect(reported.winner?.route.index == (try table.match(text)?.routeIndex), "\(about())")
        // The losers are all other routes that match.
        let matching = naive.shapes.filter { NaiveReader(url: url, shape: $0.shape).captures() != nil }
        let named = ([reported.winner?.route.id].compactMap { $0 } + reported.losers.map(\.route.id)).sorted()
        #expect(named == Set(matching.map(\.id)).sorted(), "\(about())")
        for loser in reported.losers {
          rules[loser.rule.name, default: 0] += 1
          let shapes = [reported.winner?.route.id, loser.route.id].map { id in
            matching.filter { $0.id == id }.map(\.shape)
          }
          // Several variants of one pattern may match, and the definition does not select the best of them.
          guard shapes[0].count == 1, shapes[1].count == 1 else { continue }
          try check(loser.rule, shapes[0][0], shapes[1][0], precedence, &random, about)
        }
        for miss in reported.nearMisses {
          mismatchCount += 1
          #expect(!matching.contains { $0.id == miss.route.id }, "\(about())")
          #expect(
            !miss.mismatches.isEmpty
              && miss.mismatches.allSatisfy { ($0.range?.upperBound ?? 0) <= text.utf8.count })
          guard let suggestion = miss.suggestion else { continue }
          edits += 1
          #expect(try table.match(suggestion)?.routeIndex == miss.route.index, "\(suggestion): \(about())")
        }
      }
    }
    #expect(rules["narrower", default: 0] > 50 && rules["first-difference", default: 0] > 20, "\(rules)")
    #expect(mismatchCount > 500 && edits > 50, "\(mismatchCount) \(edits)")
  }

  private func check(
    _ rule: PrecedenceRule, _ winner: NaiveShape, _ loser: NaiveShape, _ precedence: NaivePrecedence,
    _ random: inout SeededGenerator, _ about: () -> String
  ) throws {
    switch rule {
    case .narrower:
      for _ in 0..<40 {
        var url = NaiveURL.filling(winner, &random)
        _ = url.text(&random)
        guard NaiveReader(url: url, shape: winner).captures() != nil else { continue }
        #expect(NaiveReader(url: url, shape: loser).captures() != nil, "not narrower: \(url): \(about())")
      }
    case .firstDifference(let difference):
      #expect(precedence.compare(winner, loser) != .second, "not first: \(about())")
      let component = precedence.differingComponent(winner, loser)
      if case .afterCatchAll = difference {
        #expect(component == "path", "\(difference): \(about())")
      } else if case .place(let place, _, _, _) = difference,
        !["query", "fragment"].contains(place.component)
      {
        #expect(component == place.component, "\(place): \(about())")
      } else {
        #expect(component == nil, "\(difference): \(about())")
      }
    case .undecided, .owners, .transitive: break
    case .layer, .winsOver, .denies, .directory: Issue.record("no route says so: \(about())")
    }
  }

  @Test func `wins_over and layers are named, and the route between two`() throws {
    var builder = RouteTableBuilder<Int>()
    try builder.add("/a/{x}", id: "one", action: 1)
    try builder.add("/{x}/b", id: "two", action: 2, winsOver: ["one"])
    try builder.add("/a/b", id: "three", action: 3, rank: .vendor)
    try builder.add("/a/{x...}", id: "four", action: 4)
    let reported = try builder.build().explain("/a/b")
    let rules = Dictionary(uniqueKeysWithValues: reported.losers.map { ($0.route.id, $0.rule) })
    #expect(reported.winner?.route.id == "two")
    #expect(rules["one"] == .winsOver && rules["three"] == .layer(.user, over: .vendor))
    #expect(rules["four"] == .transitive(of: "one"), "\(reported)")
  }

  @Test func `If it is undecided which route is narrower, the explanation says only that`() throws {
    var builder = RouteTableBuilder<Int>()
    try builder.add("h:/x?a%2Bb", id: "literal", action: 1, options: RouteOptions(plus: .literal))
    try builder.add("h:/x?a%2Bb", id: "form", action: 2)
    let rule = try builder.build().explain("h:/x?a%2Bb").losers.first?.rule
    #expect(rule == .undecided(.literalPlus, .plusInKey) && rule?.name == "undecided")
    #expect(
      rule?.description
        == "cannot decide whether one is narrower (a key of the query has a `+` or a space, and the patterns interpret `+` differently), "
        + "so the first difference decides: they differ only in `+` in the query, which is a plus for the winner"
    )
    builder = RouteTableBuilder()
    // Each of the two languages accepts the values of the other, but their types alone do not prove that.
    try builder.add("h:/x?a={v:/a[+]b|c/}", id: "literal", action: 1, options: RouteOptions(plus: .literal))
    try builder.add("h:/x?a={v:/a[+]b|c/}", id: "form", action: 2)
    let reported = try builder.build().explain("h:/x?a=c")
    #expect(reported.losers.map(\.rule) == [.undecided(.literalPlus, .unordered)], "\(reported)")
  }

  @Test(arguments: [
    "https://h/reset/hush", "https://h/reset/hush/", "https://h/reset/hush/x", "https://h/rest/hush",
    "https://h/reset/hush%2Fhush", "https://h/reset/hush/hush", "http://h/reset/hush", "https://g/reset/hush",
    "app:/h/reset/hush", "https://h/in?t=hush&t=hush&u=1", "https://h/in?u=1&t=hush",
    "https://h/else?t=hush",
    "https://h/in?%74=hush&u=1", "https://h/in?t=hush", "https://h/x#hush", "https://h/y#hush",
    "https://h/v-hush-w", "https://www.h/reset/hush", "https://h/reset//hush", "https://h/RESET/hush",
    "https://h/callback#hush", "https://h/reset/hu/sh=hush",
    "https://hush@h/me", "https://hush@h/you", "https://h/all/hush/b/hush", "https://h/num/hush",
    "https://h/opt?n=hush", "https://h/reset/./hush", "https://h/a/../reset/hush", "https://h:444/reset/hush",
    // URLs far from every route.
    "https://g/a/b/c/hush", "https://hush.g/a/b/c", "htps://g/a/b/hush", "https://g/hush/../x/y/z",
    "https://g/a/b/c?hush", "https://g/a/b/c?hush=1", "https://g/a/b/c?k=hush", "https://g/a/b/c#hush",
    "https://hush@g/a/b/c", "https://x:hush@g:8443/a/b/c", "/a/b/c/hush", "//x:hush@g/a", "app:hush",
    "app:/a/b/c/hush", "http://g/a/b/c/hush", "other:hush", "hushh:a/hush?b=hush",
    "https://g/a/b/c/v-hush-w",
    "https://g/%68ush/a/b/c?t+hush=%68ush", "https://g/a/b/c/reset,hush", "https://h/v-hushw/all/x/y",
    "https://g./a/b/c/reset=hush&t=hush",
  ])
  func `Values of secret captures appear nowhere`(url: String) throws {
    var builder = RouteTableBuilder<Int>()
    let patterns = [
      "https://h/reset/{t}", "https://h/in?t={t}&u={u}", "https://h/x#{t}", "https://h/v-{t}-{w}",
      "https://{t}@h/me", "https://h/all/{t...}", "https://h/num/{t:uint}", "https://h/opt?n={t:uint?}",
    ]
    for (number, pattern) in patterns.enumerated() {
      try builder.add(pattern, id: "s\(number)", action: number, secretCaptures: ["t"])
    }
    // Tested beside routes that match all other URLs.
    for isAlone in [true, false] {
      if !isAlone {
        for (number, pattern) in ["http://*/{any...}", "https://*/{any...?}", "https://{u}@*/{any...}"]
          .enumerated()
        {
          try builder.add(pattern, id: "any\(number)", action: number)
        }
      }
      let reported = try builder.build().explain(url, limit: 100)
      var all = "\(reported)"
      dump(reported, to: &all)
      #expect(!all.contains("hush") || url.hasPrefix("hushh:"), "\(reported)")
      #expect(!reported.url.dropFirst(6).contains("hush"), "\(reported)")
    }
  }

  @Test
  func `For a URL that may be intended for a route with secrets, only literal parts of patterns are shown`()
    throws
  {
    let routes = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add(
        "https://{:www.|}h.example:*/reset/{t}?u={u}", id: "reset", action: 1, secretCaptures: ["t"])
      try routes.add("https://*/{any...}", id: "any", action: 2)
      try routes.add("tel:{n}", id: "call", action: 3)
    }
    for (url, shown) in [
      ("https://www.h.example:81/reset/x?u=7", "https://www.h.example:81/reset/…?u=…"),
      (
        "https://ada@www.g.example./reset/b/c/../reset?v=7&u#f",
        "https://…@www.….example./reset/…/…/../reset?…=…&u#…"
      ),
      ("tls:/reset/x", "tls:/reset/…"), ("mailto:ada@h.example", "mailto:…"), ("/reset/x", "/reset/…"),
      ("tel:112", "tel:112"), ("tell:112", "tell:…"),
    ] { #expect(try routes.explain(url).url == shown) }
    let reported = try routes.explain("https://h.example/reste/x?u=7")
    #expect(reported.winner?.captures.allSatisfy { $0.isSecret && $0.text == nil } == true)
    #expect(reported.nearMisses.first?.suggestion == "https://h.example/reset/…?u=…", "\(reported)")
    #expect(reported.notes.contains(.mayBeSecret(route: "reset")))
    // A URL with one error in a literal, at the position of the secret.
    let taken = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add("a:/{t}", id: "secret", action: 1, secretCaptures: ["t"])
      try routes.add("a:/new", id: "new", action: 2)
    }
    #expect(try taken.explain("a:/nwe").nearMisses.map(\.suggestion) == [nil])
  }

  @Test func `A limit keeps the nearest, and reports the number of others`() throws {
    let routes = try table((0..<30).map { "https://h/word\($0)" })
    let reported = try routes.explain("https://h/word311", limit: 3)
    #expect(reported.nearMisses.count == 3 && reported.furtherNearMisses > 0 && reported.winner == nil)
    #expect(reported.nearMisses.allSatisfy { $0.mismatches.count == 1 })
    #expect(try routes.explain("https://h/word3x", limit: 1).nearMisses.first?.suggestion != nil)
    #expect(try routes.explain("https://h/x", limit: 0).nearMisses.isEmpty)
  }

  /// Otherwise nothing shows why a narrower route does not win the URL.
  @Test func `A type with a name excludes a URL visibly, also if it lists its texts`() throws {
    let team = try RouteType("team", matching: "platform|payments|mobile")
    let routes = try RouteTable<Int> { routes throws(RouteTableError) in
      try routes.add(
        "https://git/{team:team}/{project}/{path...}", id: "repository", action: 0, types: [team])
      try routes.add("https://git/{kind:epics|boards}/{project}/{path...}", id: "choice", action: 0)
      try routes.add("https://git/{any...}", id: "any", action: 0)
    }
    let reported = try routes.explain("https://git/design/tokens/issues")
    #expect(reported.winner?.route.id == "any" && reported.nearMisses.map(\.route.id) == ["repository"])
    let sentence = reported.nearMisses.first?.mismatches.map(\.description).joined() ?? ""
    #expect(
      sentence
        == "segment 1 is `design` (bytes 13 to 18), but `team` must be a `team`: one of `mobile`, `payments`, `platform`"
    )
    #expect(try routes.explain("https://git/mobile/app/issues").nearMisses.isEmpty)
  }

  /// The other pattern has exactly one mismatch, its scheme.
  @Test func `A pattern of another scheme does not hide that a route is near by its second one`() throws {
    var builder = RouteTableBuilder<Int>()
    try builder.add("other://note/{x}", "paper://note/{id:int}", id: "note", action: 0)
    let reported = try builder.build().explain("paper://note/seven")
    #expect(reported.nearMisses.map(\.route.id) == ["note"])
  }

  @Test(arguments: ["/%zz", "a b", "x", "https://127.1/", ""])
  func `An invalid URL is rejected as by match`(url: String) throws {
    let routes = try table(["/a", "https://h/{x}"])
    let error = refusal { () throws(RouteTableError) in _ = try routes.match(url) }
    #expect(error != nil)
    #expect(refusal { () throws(RouteTableError) in _ = try routes.explain(url) } == error)
  }
}
