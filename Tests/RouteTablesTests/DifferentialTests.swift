// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import Foundation
import TestSupport
import Testing

@testable import RouteTables

/// Comparisons of the index with the definition of the language, including captures.
///
/// `ROUTE_FUZZ_ROUNDS` sets the number of tables for each seed, and `ROUTE_FUZZ_SEED` selects other seeds.
@Suite struct DifferentialTests {
  private static let rounds = Int(ProcessInfo.processInfo.environment["ROUTE_FUZZ_ROUNDS"] ?? "") ?? 640
  private static let seed = UInt64(ProcessInfo.processInfo.environment["ROUTE_FUZZ_SEED"] ?? "") ?? 0

  /// Compares tables of up to eight routes, each with as many URLs as lead to 100,000 pairs in total.
  @Test(.computes, arguments: 1...2 as ClosedRange<UInt64>)
  func `The index agrees with the definition`(seed: UInt64) throws {
    var random = SeededGenerator(seed: Self.seed &* 1_000 &+ seed)
    let precedence = NaivePrecedence()
    var (hits, pairs, open) = (0, 0, 0)
    for _ in 0..<Self.rounds {
      let patterns = (0..<Int.random(in: 1...8, using: &random)).map { _ in NaivePattern.random(&random) }
      let comparison = try Comparison(patterns, precedence)
      for _ in 0..<80 {
        var url = comparison.url(&random)
        let text = url.text(&random)
        guard let outcome = try comparison.outcome(of: url, text) else { return }
        pairs += 1
        hits += outcome.isHit ? 1 : 0
        open += outcome.winners > 1 ? 1 : 0
      }
    }
    #expect(hits > pairs / 3, "the alphabet is small enough that routes are hit")
    #expect(open < pairs / 20, "the definition nearly always names one")
  }

  /// Tests texts that only their bytes distinguish from each other and from the empty text.
  @Test(.computes) func `A text whose hash is zero is matched by the definition`() throws {
    var random = SeededGenerator(seed: Self.seed &* 1_000 &+ 67)
    let precedence = NaivePrecedence()
    let texts = CollidingTexts.labels + [""]
    var hits = 0
    for _ in 0..<200 {
      let patterns = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        NaivePattern.random(&random).opened(&random)
      }
      let comparison = try Comparison(patterns, precedence)
      for _ in 0..<40 {
        var url = comparison.url(&random)
        url.segments = url.segments.map { random.oneIn(3) ? random.pick(texts) : $0 }
        url.labels = url.labels?.map { random.oneIn(3) ? random.pick(CollidingTexts.labels) : $0 }
        url.settle()
        let text = url.text(&random)
        guard let outcome = try comparison.outcome(of: url, text) else { return }
        let isColliding = (url.segments + (url.labels ?? [])).contains(where: CollidingTexts.labels.contains)
        hits += outcome.isHit && isColliding ? 1 : 0
      }
    }
    #expect(hits > 100, "such texts are often matched")
  }

  /// Tests that the order in which routes are added has no effect.
  @Test func `The order of routes has no effect`() throws {
    var random = SeededGenerator(seed: 99)
    for _ in 0..<100 {
      let patterns = try (0..<10).map { ("r\($0)", try NaivePattern.random(&random).read()) }
      var builders = [RouteTableBuilder<Int>(), RouteTableBuilder<Int>()]
      let place = SourceLocation(file: "test", line: 1)
      for (id, pattern) in patterns { try builders[0].add([pattern], id: id, action: 0, at: place) }
      for (id, pattern) in patterns.shuffled(using: &random) {
        try builders[1].add([pattern], id: id, action: 0, at: place)
      }
      let tables = builders.map { $0.buildSkippingConflicts().table }
      for _ in 0..<10 {
        var url = NaiveURL.random(&random)
        let text = url.text(&random)
        #expect(try tables[0].match(text)?.route.id == tables[1].match(text)?.route.id)
      }
    }
  }

  /// Tests that the text of every pattern parses as an equal pattern.
  @Test func `Printed patterns parse to equal patterns`() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<1_000 {
      let pattern = try NaivePattern.random(&random).read()
      let again = try RoutePattern(pattern.description, options: pattern.options)
      #expect(again == pattern, "\(pattern)")
      #expect(again.description == pattern.description)
    }
  }
}

/// A table of patterns and the matcher of the same patterns by the definition.
private struct Comparison {
  private let table: RouteTable<Int>
  private let kept: [(id: String, pattern: NaivePattern)]
  private let naive: NaiveMatcher

  init(_ patterns: [NaivePattern], _ precedence: NaivePrecedence) throws {
    var builder = RouteTableBuilder<Int>()
    for (number, pattern) in patterns.enumerated() {
      try builder.add(
        [try pattern.read()], id: "r\(number)", action: number, at: SourceLocation(file: "test", line: number)
      )
    }
    table = builder.buildSkippingConflicts().table
    kept = table.routes.map { ($0.id, patterns[$0.action]) }
    naive = NaiveMatcher(kept, precedence)
  }

  /// Returns a random URL, which a pattern usually matches.
  func url(_ random: inout SeededGenerator) -> NaiveURL {
    naive.shapes.isEmpty || random.oneIn(5)
      ? .random(&random) : .filling(random.pick(naive.shapes).shape, &random)
  }

  /// Matches a URL with both, and records an issue and returns `nil` if they disagree.
  func outcome(of url: NaiveURL, _ text: String) throws -> (isHit: Bool, winners: Int)? {
    let found = try table.match(text)
    let winners = naive.winners(url)
    let captures = found.map { match in
      Dictionary(uniqueKeysWithValues: match.values.map { ($0.name, $0.value.description) })
    }
    let agrees =
      found == nil
      ? winners.isEmpty : winners.contains { $0.id == found?.route.id && $0.captures == captures }
    guard agrees else {
      let expected = winners.map { "\($0.id) \($0.captures)" }
      Issue.record(
        """
        \(text): \(found?.route.id ?? "none") \(captures ?? [:])
        by definition \(expected)
        among \(kept.map { "\($0.id): \($0.pattern.text) \($0.pattern.optionNames)" }.joined(separator: "\n      "))
        """)
      return nil
    }
    return (found != nil, winners.count)
  }
}

extension NaivePattern {
  /// Returns the pattern with captures of any text in place of some of its segments and labels.
  fileprivate func opened(_ random: inout SeededGenerator) -> NaivePattern {
    var pattern = self
    var names = 0
    func open(_ places: inout [ComponentMatcher]) {
      for index in places.indices {
        guard case .one = places[index], random.oneIn(2) else { continue }
        names += 1
        places[index] = .one([.hole("z\(names)", NaiveType.all[0])])
      }
    }
    open(&pattern.labels)
    // Between two catch-alls, there must be a literal.
    let rests = pattern.segments.count { if case .rest = $0 { true } else { false } }
    if rests < 2 { open(&pattern.segments) }
    return pattern
  }
}
