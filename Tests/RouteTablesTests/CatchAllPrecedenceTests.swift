// SPDX-License-Identifier: Apache-2.0
@testable import RouteTables
@testable import RouteTablesTestSupport
import TestSupport
import Testing

/// Tests of the numbers of segments by which paths with a common catch-all are compared.
@Suite(.computes) struct CatchAllPrecedenceTests {
  private static let segments = ["a", "b", "{NAME}", "{NAME:int}", "{NAME:a|c}", "v{NAME}", ""]

  /// Returns a random path with one or two catch-alls.
  private func pattern(_ random: inout SeededGenerator) -> String {
    var count = 0
    func segments(_ range: ClosedRange<Int>, _ random: inout SeededGenerator) -> [String] {
      (0..<Int.random(in: range, using: &random)).map { _ in
        count += 1
        return random.pick(Self.segments).replacing("NAME", with: "x\(count)")
      }
    }
    let prefix = random.pick([[], [], ["a"], ["{first}"]])
    var path = prefix + ["{r...}"]
    if Bool.random(using: &random) {
      let literal = random.pick(["a", "b"])
      path += segments(0...1, &random) + [literal] + segments(0...1, &random) + ["{s...}"]
    }
    return "/" + (path + segments(0...2, &random)).joined(separator: "/")
  }

  private func variant(_ text: String, _ languages: inout LanguageInterner) throws -> (
    shape: RouteVariant, pattern: RoutePattern
  ) {
    let pattern = try RoutePattern(text)
    return (try #require(try shapes(of: pattern, &languages).first), pattern)
  }

  @Test(arguments: [
    // pattern; literal, restricted and all segments
    ("/a/{r...}", 0, 0, 0), ("/a/b", 0, 0, 0), ("/{r...}/{p}", 0, 0, 1), ("/{r...}/{p}/-/{s...}", 1, 1, 3),
    ("/{r...}/a/{s...}/{n:int}/b", 2, 3, 4), ("/{r...}/v{x}/", 1, 2, 2), ("/{r...}/a/{s:int...}", 1, 2, 2),
    ("/{r...}/{x:A|a}/{y:a|b}", 1, 2, 2),
  ])
  func `Segments after the first catch-all are counted`(
    text: String, literals: Int, restricted: Int, segments: Int
  ) throws {
    var languages = LanguageInterner()
    let found = try variant(text, &languages).shape.specificity
    #expect([found.literals, found.restricted, found.segments] == [literals, restricted, segments])
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `An included path never requires fewer segments of a kind`(seed: UInt64) throws {
    var (random, languages, inclusions) = (SeededGenerator(seed: seed), LanguageInterner(), 0)
    for _ in 0..<1_500 {
      let (one, other) = (pattern(&random), pattern(&random))
      let (first, second) = (try variant(one, &languages), try variant(other, &languages))
      let start = { (text: String) in text.prefix { $0 != "." } }
      guard start(one) == start(other),
        PatternInclusion(first.shape, pattern: first.pattern, second.shape, pattern: second.pattern)
          .isFirstInSecond(&languages)
      else { continue }
      inclusions += 1
      let (own, others) = (first.shape.specificity, second.shape.specificity)
      #expect(
        own.literals >= others.literals && own.restricted >= others.restricted
          && own.segments >= others.segments, "\(one) is in \(other)")
    }
    #expect(inclusions > 20)
  }

  /// Compares the winner among many routes with the winner of each pair, in both orders, so that no third route has an influence.
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `A route that wins among many wins over each of them alone`(seed: UInt64) throws {
    var (random, pairs) = (SeededGenerator(seed: seed), 0)
    for _ in 0..<60 {
      let patterns = Set((0..<6).map { _ in pattern(&random) }).sorted()
      guard let all = try? table(patterns), let reversed = try? table(patterns.reversed()) else { continue }
      for _ in 0..<30 {
        let texts = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          random.pick(["a", "b", "c", "7", "vx", "v7", ""])
        }
        let url = "/" + texts.joined(separator: "/")
        guard let winner = try all.match(url)?.route.id else { continue }
        #expect(try reversed.match(url)?.route.id == winner, "\(url) \(patterns)")
        for other in patterns where other != winner {
          guard try matches(other, url) else { continue }
          pairs += 1
          #expect(
            try RouteTablesTestSupport.winner(url, among: winner, other) == winner, "\(url) \(patterns)")
          #expect(
            try RouteTablesTestSupport.winner(url, among: other, winner) == winner, "\(url) \(patterns)")
        }
      }
    }
    #expect(pairs > 200)
  }

  @Test func `Overlapping segments conflict only if the paths are equally specific`() throws {
    _ = try table(["/{r...}/-/compare/{from}...{to}", "/{r...}/badges/{ref...}/coverage.{format}"])
    #expect(
      refusal { () throws(RouteTableError) in
        _ = try table(["/{r...}/{from}...{to}", "/{r...}/coverage.{format}"])
      } != nil)
  }
}
