// SPDX-License-Identifier: Apache-2.0
@testable import RouteTablesTestSupport
import TestSupport
import Testing

@testable import RouteTables

/// Tests that an included variant wins, regardless of the first difference.
@Suite(.computes) struct InclusionTests {
  @Test(
    arguments: RouterPair.pairs(
      """
      /{r:int...}/a  narrower  /{x:int}/{y...}  /7/a
      /{r:int...}/7/{s:slug...}  narrower  /{x:int}/{y...}
      /{r:slug...}/{x}  narrower  /{y:slug}/{z...}
      /{r:/a/...}/b  narrower  /a/{x...}
      /{r...}/a/{s:slug...}  narrower  /{r...}/{x:slug}
      /{r:int...}/{x:int}  equal  /{y:int}/{s:int...}
      /{x:int}  narrower  /{r:int...}
      /{x:int}/a  narrower  /{r:int...}/a
      /{x:int}/{y}  leftmost  /{r:int...}/a  /7/a
      /{r...}/x/{s...}  leftmost  /{r...}/b  /1/x/b
      /{r...}?k=1  narrower  /{s...?}?k  /?k=1
      https://h/{r...}?k=1  narrower  https://h/{s...?}
      /{r...}  equal  /{s...?}
      """))
  func restsThatLookWider(pair: RouterPair) throws { try pair.check() }

  /// Tests that variants between two exchanged ones keep their order relative to both.
  @Test func `The other routes keep their order`() throws {
    let patterns = [
      "/{x:int}/{y...}", "/{r:int...}/a", "/{r:int...}/7/a", "/{x:int}/a", "/{x:int}/{y}", "/{r:int...}",
      "/{x}/{y...}",
    ]
    for patterns in [patterns, patterns.reversed()] {
      let routes = try table(patterns)
      #expect(try routes.match("/7/a")?.route.id == "/{x:int}/a")
      #expect(try routes.match("/7/b")?.route.id == "/{x:int}/{y}")
      #expect(try routes.match("/7/7/a")?.route.id == "/{r:int...}/7/a")
      #expect(try routes.match("/7/8/a")?.route.id == "/{r:int...}/a")
      #expect(try routes.match("/7/8/b")?.route.id == "/{x:int}/{y...}")
      #expect(try routes.match("/7/8")?.route.id == "/{x:int}/{y}")
      #expect(try routes.match("/7")?.route.id == "/{r:int...}")
      #expect(try routes.match("/b/8")?.route.id == "/{x}/{y...}")
    }
  }

  /// Compares pairs of patterns, the second often a small change of the first, so that they overlap.
  @Test(arguments: [1, 2] as [UInt64])
  func `No sampled URL contradicts a proven inclusion`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var relations: [String: Int] = [:]
    while relations.values.reduce(0, +) < 100 {
      let first = Self.pattern(&random)
      let pair = (first, random.oneIn(4) ? Self.pattern(&random) : Self.changed(first, &random))
      guard pair.0 != pair.1, (try? RoutePattern(pair.0)) != nil, (try? RoutePattern(pair.1)) != nil else {
        continue
      }
      let relation = try RouterPair(pair.0, pair.1).relation
      relations[relation, default: 0] += 1
      #expect(RouterPair.words.contains(relation), "\(pair): \(relation)")
      #expect(try RouterPair(pair.1, pair.0).relation == RouterPair.inverse(of: relation), "\(pair)")
    }
    #expect(relations["narrower", default: 0] > 10)
  }

  private static let openings = [
    "", "", "https://h", "https://{N}.h", "https://a.h", "https://*", "https://{N...}.h",
    "https://{N:slug...}.h",
    "https://{N...?}.h", "https://h:*", "https://h:8443", "{:http|https}://h", "https://{:a.|}h",
    "https://u@h",
    "https://{N}@h", "https://{N}.a.h", "https://a{N}.h", "app://h", "app://", "app:{N...}", "app:a",
  ]
  private static let places = [
    "a", "b", "7", "{N}", "{N:int}", "{N:slug}", "a{N}", "{N}a", "{N}-{M}", "{N:int}-{M}", "{N...}",
    "{N:slug...}",
    "{N:/a/...}", "{N...?}", "{:a|b}", "{N:a|b}", "{:a/b|7}", "x{:a|}", "", "%2F", "{N:/[^a]+/}",
    "{N:string(2)}",
    "{N?}", "{N:uint=1}",
  ]
  private static let queries = [
    "", "", "", "", "?k", "?k=1", "?k={N}", "?!k", "?k={N:int}", "?k={N:int*}", "?k&l", "?l", "?!l&k=1",
    "?k={N?}",
    "?k=a{N}", "?k=", "?k={N:a|b}&l={M*}",
  ]
  private static let fragments = ["", "", "", "#f", "#{N}", "#{N:int}", "#", "#{N?}", "#a{N}"]
  private static let changes = [
    ("a", "{z1}"), ("{:a|b}", "a"), ("/7", "/{z2:int}"), (":int}", "}"), (":slug}", "}"), ("...}", "}"),
    ("?k", "?k=1"), ("?k=1", "?k={z3:int}"), ("#f", ""), ("#{", "#a{"), ("https://h", "https://{z4...}"),
    ("https://", "https://{z5...?}."), (":int", ":slug"), ("https://h", "https://*"), ("*}", "}"),
    ("}/", "}/{z6...?}/"), ("/a", "/{z7...}"), ("...?}", "...}"),
  ]

  private static func pattern(_ random: inout SeededGenerator) -> String {
    let count = Int.random(in: 1...3, using: &random)
    let parts =
      [random.pick(openings)] + (0..<count).map { _ in "/" + random.pick(places) }
      + [random.pick(queries), random.pick(fragments)]
    return parts.enumerated().map { number, part in
      part.replacing("N", with: "c\(number)").replacing("M", with: "d\(number)")
    }.joined()
  }

  private static func changed(_ pattern: String, _ random: inout SeededGenerator) -> String {
    var pattern = pattern
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let (old, new) = random.pick(changes)
      if let range = pattern.firstRange(of: old) { pattern.replaceSubrange(range, with: new) }
    }
    return pattern
  }
}
