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
      let patterns = (0..<Int.random(in: 1...8, using: &random)).map {
        ("r\($0)", NaivePattern.random(&random))
      }
      var builder = RouteTableBuilder<Int>()
      for (number, (id, pattern)) in patterns.enumerated() {
        try builder.add(
          [try pattern.read()], id: id, action: number, at: SourceLocation(file: "test", line: number))
      }
      let table = builder.buildSkippingConflicts().table
      let kept = table.routes.map { ($0.id, patterns[$0.action].1) }
      let naive = NaiveMatcher(kept, precedence)
      for _ in 0..<80 {
        let isRandom = naive.shapes.isEmpty || random.oneIn(5)
        var url =
          isRandom ? NaiveURL.random(&random) : NaiveURL.filling(random.pick(naive.shapes).shape, &random)
        let text = url.text(&random)
        let found = try table.match(text)
        let winners = naive.winners(url)
        pairs += 1
        hits += found == nil ? 0 : 1
        open += winners.count > 1 ? 1 : 0
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
            among \(kept.map { "\($0.0): \($0.1.text) \($0.1.optionNames)" }.joined(separator: "\n      "))
            """)
          return
        }
      }
    }
    #expect(hits > pairs / 3, "the alphabet is small enough that routes are hit")
    #expect(open < pairs / 20, "the definition nearly always names one")
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
