// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import RouteTables
@testable import RouteTablesTestSupport

@testable import RouteAnalysis

@Suite(.computes) struct OverlapTests {
  @Test func `An overlap names the route that wins its witness`() throws {
    let patterns = [
      "/a/{x}", "/{x}/b", "/{x:int}/{y...}", "/{x...}/c", "/a/{x}?k", "/{x}/b?l", "/a", "https://h/{x...}",
      "https://{h...}/b", "/a/{x}#f", "/{x}/{y}",
    ]
    var builder = RouteTableBuilder<Int>()
    for (number, pattern) in patterns.enumerated() {
      try builder.add(pattern, id: "r\(number)", action: number)
    }
    let table = try builder.build()
    let (decisions, gaps) = table.overlaps()
    #expect(gaps.isEmpty && decisions.count > 10)
    for decision in decisions {
      var pair = RouteTableBuilder<Int>()
      for number in decision.routeIndices { try pair.add(patterns[number], id: "r\(number)", action: number) }
      let match = try #require(try pair.build().match(decision.witness))
      #expect(match.action == decision.routeIndices[0], "\(decision)")
    }
    // Pairs that are not named are decided by inclusion, or do not overlap.
    let named = Set(decisions.map { Set($0.routeIndices) })
    #expect(
      named.contains([0, 1]) && named.contains([4, 5]) && !named.contains([0, 6]) && !named.contains([0, 4]))
    #expect(table.overlaps(limit: 3).gaps.limits == [.reported(3)])
  }

  @Test func `A search that stops at a limit reports it`() throws {
    let table = try table(["/a/{x}", "/{x}/b", "/c/{x}", "/{x}/d"])
    for (comparisons, limits) in [
      (1, [.comparisons(1)]), (3, [.comparisons(3)]), (1_000, []),
    ] as [(Int, [AnalysisLimit])] {
      var search = OverlapSearch(
        try PrecedenceOracle(table.routes.map(\.record), table.storage.index), limit: 100,
        comparisons: comparisons)
      search.run { _, _ in true }
      #expect(search.gaps.limits == limits && search.gaps.undecided.isEmpty, "\(comparisons) comparisons")
      #expect((search.decisions.count == 4) == limits.isEmpty, "\(comparisons) comparisons")
    }
  }

  @Test func `wins_over and layers decide it`() throws {
    var builder = RouteTableBuilder<Int>()
    try builder.add("/a/{x}", id: "one", action: 1, winsOver: ["two"])
    try builder.add("/{x}/b", id: "two", action: 2)
    try builder.add("/{x}/{y...}/c", id: "three", action: 3, rank: .vendor)
    #expect(try builder.build().overlaps().decisions.isEmpty)
  }
}
