// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RouteTables
@testable import RouteTablesTestSupport

@testable import RouteAnalysis

@Suite struct RouteLintTests {
  /// Compares every finding with many URLs, and checks that every problem which these show is found.
  @Test(.computes, arguments: 1...2 as ClosedRange<UInt64>)
  func `Diagnostics are correct and complete`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (never, crossings, gaps) = (0, 0, 0)
    for _ in 0..<150 {
      let patterns = (0..<Int.random(in: 2...6, using: &random)).map { _ in NaivePattern.random(&random) }
      var builder = RouteTableBuilder<Int>()
      for (number, pattern) in patterns.enumerated() {
        try builder.add(
          [try pattern.read()], id: "r\(number)", action: number, at: SourceLocation(file: "t", line: number))
      }
      let table = builder.buildSkippingConflicts().table
      let kept = table.routes.map { patterns[$0.action] }
      let check = table.check(isStrict: true)
      gaps += check.isComplete ? 0 : 1
      let names = "among \(kept.map { "\($0.text) \($0.optionNames)" })"
      var named: Set<Set<String>> = []
      var (silent, unusual) = (Set<String>(), Set<String>())
      for finding in check.findings {
        switch finding.kind {
        case .crossing(let decision):
          crossings += 1
          named.insert([decision.winner.id, decision.loser.id])
          for side in [decision.winner, decision.loser] {
            #expect(
              try RouteTablesTestSupport.table(of: side.pattern).match(decision.witness) != nil,
              "\(finding) \(names)")
          }
          #expect(
            try table.match(decision.witness)?.route.id == decision.witnessWinner ?? decision.winner.id,
            "\(finding) \(names)")
        case .matchesNothing, .neverWins:
          never += 1
          silent.insert(finding.route.id)
          guard !finding.rivals.isEmpty else { break }
          var repaired = RouteTableBuilder<Int>()
          for route in table.routes {
            let rivals = route.id == finding.route.id ? Set(finding.rivals.map(\.id)).sorted() : []
            try repaired.add(
              route.patterns, id: route.id, action: route.action, at: route.location, winsOver: rivals)
          }
          #expect(throws: Never.self, "\(finding) \(names)") { _ = try repaired.build() }
        case .winsOnlyEmptySegments(_, let witness):
          #expect(try table.match(witness)?.route.id == finding.route.id, "\(finding) \(names)")
          unusual.insert(finding.route.id)
        case .neverHolds, .nothingToWin, .winsAnyway, .layerDecides: Issue.record("\(finding)")
        }
      }
      let shapes = kept.map { NaiveShape.all(of: $0) }
      for _ in 0..<60 {
        guard let shape = shapes.flatMap(\.self).randomElement(using: &random) else { break }
        var url = NaiveURL.filling(shape, &random)
        let text = url.text(&random)
        guard let match = try table.match(text) else { continue }
        #expect(!silent.contains(match.route.id), "\(text) is won by \(match.route.id) \(names)")
        #expect(
          !unusual.contains(match.route.id) || url.segments.contains(""),
          "\(text) is won by \(match.route.id) \(names)")
        guard check.isComplete else { continue }
        for (number, route) in table.routes.enumerated() where route.id != match.route.id {
          guard shapes[number].contains(where: { NaiveReader(url: url, shape: $0).captures() != nil }),
            try !isOrdered(match.pattern, route.patterns[0])
          else { continue }
          #expect(
            named.contains([match.route.id, route.id]),
            "\(text): \(match.pattern), \(route.patterns[0]) \(names)")
        }
      }
    }
    #expect(never > 0 && crossings > 30 && gaps < 40, "\(never) never, \(crossings) crossings, \(gaps) gaps")
  }

  /// Tests that many query keys are checked quickly: different ones for each route, or equal ones with other values.
  @Test(.computes, arguments: 0..<3)
  func `Routes with many keys are checked within the limit`(kind: Int) throws {
    var builder = RouteTableBuilder<Int>()
    for number in 0..<24 {
      let items = (0..<60).map { key in
        switch kind {
        case 0: "k\(number)_\(key)"
        case 1: "k\(key)={:" + (0...number + 1).map { "v\($0)" }.joined(separator: "|") + "}"
        default: (key < 30 ? "" : "!") + "k\(number)_\(key)"
        }
      }
      try builder.add("/x?" + items.joined(separator: "&"), id: "r\(number)", action: number)
    }
    try builder.add("/x", id: "plain", action: -1)
    let check = try builder.build().check()
    #expect(check.findings.isEmpty && check.isComplete)
  }

  /// Returns `true` if each pair of variants of two patterns is ordered by inclusion or disjoint.
  private func isOrdered(_ one: RoutePattern, _ other: RoutePattern) throws -> Bool {
    var languages = LanguageInterner()
    let (own, others) = (try shapes(of: one, &languages), try shapes(of: other, &languages))
    return own.allSatisfy { shape in
      others.allSatisfy { second in
        let (product, back) = (
          PatternInclusion(shape, pattern: one, second, pattern: other),
          PatternInclusion(second, pattern: other, shape, pattern: one)
        )
        return product.isFirstInSecond(&languages) || back.isFirstInSecond(&languages)
          || product.witness(&languages) == nil
      }
    }
  }

  private func findings(
    _ add: (inout RouteTableBuilder<Int>) throws(RouteTableError) -> Void
  ) throws -> [String] {
    var builder = RouteTableBuilder<Int>()
    try add(&builder)
    return try builder.build().check().findings.map { "\($0.route.id): \($0.kind)" }
  }

  @Test(arguments: [
    "http://{n:uint}/", "hdtps://*.", "/{x:/\\.\\.?/}/a", "https://{a}.{n:uint}/",
  ])
  func `A pattern that no URL matches is reported`(pattern: String) throws {
    let found = try findings { (routes) throws(RouteTableError) in
      try routes.add(pattern, id: "none", action: 1)
      try routes.add("app:y", id: "one", action: 2)
    }
    #expect(found == ["none: matchesNothing"])
  }

  @Test(arguments: [
    "http://{n:/[0-9]+a?/}/", "hdtps://*", "/{x:/\\.\\.?\\.?/}/a", "hdtps://{n:int}/", "http://1.2.3.4/",
    "app:..",
    "http://{x}/", "hdtps://..",
  ])
  func `A pattern that some URL matches is not reported`(pattern: String) throws {
    #expect(
      try findings { (routes) throws(RouteTableError) in try routes.add(pattern, id: "a", action: 1) } == [])
  }

  @Test func `A route whose URLs all match other routes first is reported`() throws {
    let flags = try findings { (routes) throws(RouteTableError) in
      try routes.add("/{flag:bool}", id: "flag", action: 1)
      try routes.add("/true", id: "yes", action: 2)
      try routes.add("/false", id: "no", action: 3)
    }
    #expect(flags.count == 1 && flags[0].hasPrefix("flag: neverWins("))
    #expect(flags[0].contains("`yes`") && flags[0].contains("`no`"))
    let words = try findings { (routes) throws(RouteTableError) in
      try routes.add("/{x:a|b|c}?k", id: "some", action: 1)
      try routes.add("/a", id: "a", action: 2)
      try routes.add("/b", id: "b", action: 3)
    }
    #expect(words == [])
  }

  @Test(arguments: [
    // Narrower routes, for which no URL would be left, except if the other denies.
    ("/{flag:bool}", ["/true", "/false"], [], false, []),
    ("/{flag:bool}", ["/true", "/false"], [], true, ["r0", "r1"]),
    // Two that only the first difference orders.
    ("/{x:a|b}/c", ["/a/{q}", "/b/{q}"], [], false, ["r0", "r1"]),
    // One that has such a rule itself.
    ("/{x:a|b}/c", ["/a/{q}", "/b/{q}"], ["own"], false, ["r1"]),
  ])
  func `A route that never wins is to name in wins_over what it can win over`(
    pattern: String, others: [String], rules: [String], denies: Bool, rivals: [String]
  ) throws {
    func lint(naming rivals: [String]) throws -> [RouteDiagnostic] {
      var builder = RouteTableBuilder<Int>()
      try builder.add(pattern, id: "own", action: 0, winsOver: rivals, denies: denies)
      for (number, other) in others.enumerated() {
        try builder.add(other, id: "r\(number)", action: number, winsOver: number == 0 ? rules : [])
      }
      return try builder.build().check().findings.filter { $0.route.id == "own" }
    }
    let found = try #require(lint(naming: []).first { if case .neverWins = $0.kind { true } else { false } })
    #expect(found.rivals.map(\.id) == rivals)
    #expect(found.description.contains("wins_over") == !rivals.isEmpty, "\(found)")
    if !rivals.isEmpty { #expect(try lint(naming: rivals).isEmpty) }
  }

  /// Returns the routes that the route `own` is to name in `wins_over`, as its diagnostic names them.
  private func proposal(
    _ add: (inout RouteTableBuilder<Int>) throws(RouteTableError) -> Void
  ) throws -> [String] {
    var builder = RouteTableBuilder<Int>()
    try add(&builder)
    let finding = try #require(
      try builder.build().check().findings.first { finding in
        if case .neverWins = finding.kind { finding.route.id == "own" } else { false }
      })
    let names = finding.rivals.map { $0.owner == finding.route.owner ? $0.id : "\($0.owner)/\($0.id)" }
    #expect(names.allSatisfy { finding.description.contains("`\($0)`") }, "\(finding)")
    return names
  }

  @Test
  func `A route of another owner is named in wins_over with its owner, and one of another layer is not`()
    throws
  {
    let names = try proposal { (routes) throws(RouteTableError) in
      try routes.add("/{x:a|b}/c", id: "own", owner: "x", action: 0)
      try routes.add("/a/{q}", id: "one", owner: "x", action: 1)
      try routes.add("/b/{q}", id: "own", owner: "y", action: 2)
    }
    #expect(names == ["one", "y/own"])
    let ranks = try proposal { (routes) throws(RouteTableError) in
      try routes.add("/{x:a|b}/c", id: "own", action: 0, rank: .vendor)
      try routes.add("/a/{q}", id: "one", action: 1, rank: .vendor)
      try routes.add("/b/{q}", id: "two", action: 2)
    }
    #expect(ranks == ["one"])
  }

  @Test(arguments: [
    // The third route is wider than the first.
    ("/a/{q...}", ["own"], [], ["r1"]),
    // Two rules from the first route to `own`.
    ("/c/d", ["own"], ["third"], ["r1"]),
    // A rule that does not matter.
    ("/c/d", [], ["third"], ["r0", "r1"]),
  ])
  func `Rules of a third route can forbid a wins_over`(
    third: String, rules: [String], firstRules: [String], rivals: [String]
  ) throws {
    func add(
      naming names: [String], to routes: inout RouteTableBuilder<Int>
    ) throws(RouteTableError) {
      try routes.add("/{x:a|b}/c", id: "own", action: 0, winsOver: names)
      try routes.add("/a/{q}", id: "r0", action: 1, winsOver: firstRules)
      try routes.add("/b/{q}", id: "r1", action: 2)
      try routes.add(third, id: "third", action: 3, winsOver: rules)
    }
    let names = try proposal { (routes) throws(RouteTableError) in try add(naming: [], to: &routes) }
    #expect(names == rivals)
    var repaired = RouteTableBuilder<Int>()
    try add(naming: names, to: &repaired)
    _ = try repaired.build()
    var broken = RouteTableBuilder<Int>()
    try add(naming: ["r0", "r1"], to: &broken)
    if names != ["r0", "r1"] { #expect(throws: RouteTableError.self) { _ = try broken.build() } }
  }

  @Test func `The loser of an overlap is to name only a winner over which it can win`() throws {
    var builder = RouteTableBuilder<Int>()
    try builder.add("/a/{q}", "/x/y/z", id: "first", action: 1)
    try builder.add("/{p}/b", "/x/{r...}", id: "wide", action: 2)
    try builder.add("/c/{q}", id: "other", action: 3)
    let found = try builder.build().check(isStrict: true).findings.filter { $0.route.id == "wide" }
    let named = found.compactMap { finding in
      if case .crossing(let overlap) = finding.kind {
        [overlap.winner.id] + finding.rivals.map(\.id)
      } else {
        nil
      }
    }
    // A pattern of the first is narrower than one of the loser.
    #expect(named.sorted { $0[0] < $1[0] } == [["first"], ["other", "other"]], "\(found)")
  }

  @Test func `A route that wins only URLs with an empty segment in a catch-all is reported`() throws {
    let found = try findings { (routes) throws(RouteTableError) in
      try routes.add("/docs/{path...}", id: "all", action: 1)
      try routes.add("/docs/{page}", id: "page", action: 2)
      try routes.add("/docs/{path...}/{page}", id: "deep", action: 3)
    }
    #expect(found.count == 1 && found[0].hasPrefix("all: winsOnlyEmptySegments("), "\(found)")
    let typed = try findings { (routes) throws(RouteTableError) in
      try routes.add("/docs/{path:/[a-z]+/...}", id: "all", action: 1)
      try routes.add("/docs/{page:/[a-z]+/}", id: "page", action: 2)
      try routes.add("/{rest...}", id: "rest", action: 3)
    }
    #expect(typed == [])
  }

  @Test func `A higher layer may match everything`() throws {
    let found = try findings { (routes) throws(RouteTableError) in
      try routes.add("/{x}", id: "below", action: 1, rank: .vendor)
      try routes.add("/{x...}", id: "above", action: 2)
    }
    #expect(found == [])
  }

  @Test func `A condition that no request meets is reported`() throws {
    let nothing = try RouteCondition("source", matching: "[^\\s\\S]")
    let found = try findings { (routes) throws(RouteTableError) in
      try routes.add("/{x}", id: "none", action: 1, when: [nothing])
      try routes.add("/a", id: "one", action: 2)
    }
    #expect(found == [#"none: neverHolds("source")"#])
  }

  @Test func `A superfluous wins_over is reported`() throws {
    let found = try findings { (routes) throws(RouteTableError) in
      try routes.add("/a", id: "narrow", action: 1, winsOver: ["wide"])
      try routes.add("/{x}", id: "wide", action: 2, winsOver: ["other"])
      try routes.add("app:x", id: "other", action: 3)
      try routes.add("/b/{n:uint}", id: "crossing", action: 4, winsOver: ["signed"])
      try routes.add("/b/{n:int}", id: "signed", action: 5)
    }
    #expect(found == [#"narrow: winsAnyway(over: "wide")"#, #"wide: nothingToWin(over: "other")"#])
  }

  @Test(arguments: [
    (["http://*:*/{rest...?}"], ["{:https|http}://*:*/{rest...?}"]),
    (["https://h/a", "https://h/b"], ["https://h/b", "https://h/c"]),
    // Overlapping types of which only equal or included texts remain, because no URL has a dot segment.
    (["https://h/{a:/x|[.][.]/}"], ["https://h/{a:/x|y|[.]/}"]),
    (["https://h/{a:/x|[.][.]/}"], ["https://h/{a:/x|[.]/}"]),
  ])
  func `A wins_over without which the routes conflict is not superfluous`(
    patterns: [String], others: [String]
  ) throws {
    func builder(winsOver: [String]) throws -> RouteTableBuilder<Int> {
      let place = SourceLocation(file: "t", line: 1)
      var routes = RouteTableBuilder<Int>()
      try routes.add(
        patterns.map { pattern throws(RouteTableError) in try RoutePattern(pattern) }, id: "one", action: 1,
        at: place, winsOver: winsOver, denies: true)
      try routes.add(
        others.map { pattern throws(RouteTableError) in try RoutePattern(pattern) }, id: "two", action: 2,
        at: place)
      return routes
    }
    #expect(throws: RouteTableError.self) { _ = try builder(winsOver: []).build() }
    let findings = try builder(winsOver: ["two"]).build().check().findings
    let superfluous = findings.filter { finding in
      switch finding.kind {
      case .winsAnyway, .nothingToWin: true
      default: false
      }
    }
    #expect(superfluous == [])
  }

  /// Values are compared as written if two routes interpret `+` differently; the effect on keys is undecided.
  @Test func `Two interpretations of a plus sign are reported`() throws {
    func check(_ literal: String, _ other: String) throws -> RouteLint {
      var builder = RouteTableBuilder<Int>()
      try builder.add(literal, id: "a", action: 1, options: RouteOptions(plus: .literal))
      try builder.add(other, id: "b", action: 2)
      return try builder.build().check(isStrict: true)
    }
    let inside = try check("g:/x?q=a%2Bb", "g:/x?q={q}")
    #expect(inside.findings.isEmpty && inside.isComplete)
    let crossing = try check("g:/x?q={q:/a[+]b/}", "g:/x?q={q:/a[ ]b/}")
    guard case .crossing(let decision)? = crossing.findings.first?.kind else {
      Issue.record("\(crossing)")
      return
    }
    #expect(decision.witness.url == "g:/x?q=a+b" && decision.winner.id == "b" && crossing.isComplete)
    let apart = try check("g:/x?q={q:/a[+]c/}", "g:/x?q={q:/a[ ]b/}")
    #expect(apart.findings.isEmpty && apart.isComplete)
    let mail = try check("mailto:x?q={q:/a[+]b/}", "mailto:x?q={q:/a[ ]b/}")
    #expect(mail.findings.isEmpty && mail.isComplete)
    let keys = try check("g:/x?a%2Bb=1", "g:/x?a%2Bb")
    #expect(keys.findings.isEmpty && keys.gaps.limits.isEmpty)
    #expect(keys.gaps.undecided.map(\.reason) == [.plusInKey])
  }

  /// Many variants in one path that differ in the query; disjoint pairs need not be compared.
  @Test(.computes) func `Many values of one key are checked quickly`() throws {
    var builder = RouteTableBuilder<Int>()
    // More pairs than the limit of comparisons.
    for number in 0..<5_000 {
      try builder.add("https://h/index.php?page=p\(number)", id: "r\(number)", action: number)
    }
    try builder.add("https://h/index.php?list", id: "list", action: -1)
    let table = try builder.build()
    let gaps = table.overlaps(limit: 10_000).gaps
    #expect(table.overlaps(limit: 10_000).decisions.count == 5_000 && gaps.isEmpty, "\(gaps)")
  }

  /// Tests that literal values of a key, of the fragment and of a condition make variants disjoint.
  @Test func `Routes with different literals are not compared`() throws {
    var builder = RouteTableBuilder<Int>()
    for number in 0..<20 {
      let source = try RouteCondition("source", anyOf: ["s\(number % 2)"])
      try builder.add("/?a=x\(number / 4)&b={:u|v}#f\(number % 4)", id: "f\(number)", action: number)
      try builder.add("/?a&b=x\(number / 2)", id: "c\(number)", action: number, when: [source])
    }
    try builder.add("/?!a", id: "none", action: -1)
    let table = try builder.build()
    var search = OverlapSearch(
      try PrecedenceOracle(table.routes.map(\.record), table.storage.index), limit: 10_000)
    search.run { _, _ in true }
    // The key `b` is `u` or `v` for some and `x…` for the others, and `a` is arbitrary for these: such pairs are compared.
    #expect(search.decisions.isEmpty && search.gaps.isEmpty && search.compared == 20 * 21)
  }

  /// Half of the routes overlap the other half: a hundred findings are reported, with a note that there are more.
  @Test func `The check of a table full of overlaps ends, and reports the limit`() throws {
    var builder = RouteTableBuilder<Int>()
    for number in 0..<30 {
      try builder.add("/a\(number)/{x}", id: "a\(number)", action: number)
      try builder.add("/{y}/b\(number)", id: "b\(number)", action: number)
    }
    let table = try builder.build()
    let check = table.check(isStrict: true)
    #expect(check.findings.count == RouteLint.limit && check.gaps.limits == [.reported(RouteLint.limit)])
    #expect(table.check().findings.isEmpty && table.check().isComplete)
    #expect(table.overlaps(limit: .max).decisions.count == 900)
  }
}
