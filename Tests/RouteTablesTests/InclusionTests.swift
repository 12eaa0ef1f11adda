import Testing

@testable import RouteTables

/// A shape that takes only what another takes, too, wins, whatever stands leftmost.
@Suite struct InclusionTests {
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
      /{r...}/b  leftmost  /{r...}/x/{s...}  /1/x/b
      /{r...}?k=1  narrower  /{s...?}?k  /?k=1
      https://h/{r...}?k=1  narrower  https://h/{s...?}
      /{r...}  equal  /{s...?}
      """))
  func restsThatLookWider(pair: RouterPair) throws { try pair.check() }

  /// What comes between two that change places keeps its place to both.
  @Test func theOthersStayWhereTheyAre() throws {
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

  @Test func noPairOfRandomPathsSpeaksAgainstInclusion() throws {
    let places = [
      "a", "7", "{N}", "{N:int}", "{N:slug}", "a{N}", "{N...}", "{N:slug...}", "{N:int...}", "{N:a|b}",
    ]
    var random = SeededGenerator(seed: 11)
    func pattern() -> String {
      (0..<Int.random(in: 1...4, using: &random)).map {
        "/" + random.pick(places).replacing("N", with: "c\($0)")
      }
      .joined()
    }
    var relations: [String: Int] = [:]
    while relations.values.reduce(0, +) < 800 {
      let pair = (pattern(), pattern())
      guard pair.0 != pair.1, (try? RoutePattern(pair.0)) != nil, (try? RoutePattern(pair.1)) != nil else {
        continue
      }
      let relation = try RouterPair(first: pair.0, word: "", second: pair.1, common: nil).relation(
        pair.0, pair.1)
      relations[relation, default: 0] += 1
      #expect(RouterPair.words.contains(relation), "\(pair): \(relation)")
    }
    #expect(relations["narrower", default: 0] > 40)
  }
}
