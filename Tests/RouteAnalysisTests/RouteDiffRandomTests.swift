// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import RouteTables
@testable import RouteTablesTestSupport

@testable import RouteAnalysis

/// Comparisons of `diff` for random tables and their changes with the matches of the tables.
///
/// `ROUTE_FUZZ_ROUNDS` sets the number of tables for each seed, and `ROUTE_FUZZ_SEED` selects other seeds.
@Suite struct RouteDiffRandomTests {
  private static let rounds = Int(ProcessInfo.processInfo.environment["ROUTE_FUZZ_ROUNDS"] ?? "") ?? 80
  private static let seed = UInt64(ProcessInfo.processInfo.environment["ROUTE_FUZZ_SEED"] ?? "") ?? 0

  @Test(.computes, arguments: 1...3)
  func `Every URL whose action changes is in a reported class, and every witness belongs to its class`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: Self.seed &* 1_000 &+ seed)
    var (reported, undecided, differing, pale) = (0, 0, 0, 0)
    for _ in 0..<Self.rounds {
      let draft = TableDraft.random(&random)
      let changed = draft.mutated(&random)
      let (old, new) = (try draft.table(), try changed.table())
      let diff = new.diff(from: old)
      #expect(diff.isComplete)
      reported += diff.changes.count
      // Some pairs are undecided if one table reads a host where the other reads a segment.
      undecided += draft.readsInTwoWays || changed.readsInTwoWays ? 0 : diff.undecided.count
      let names = "\(draft)\nbecomes \(changed)"
      for change in diff.changes {
        let (before, after) = (try old.match(change.witness), try new.match(change.witness))
        #expect(
          change.sides.old == before.map(side) && change.sides.new == after.map(side), "\(change): \(names)")
        if effect(before, beside: after) == effect(after, beside: before) { pale += 1 }
      }
      let classes = Set(diff.changes.map(\.sides) + diff.undecided.map(\.sides)).map { [$0.old, $0.new] }
      let shapes = (draft.shapes + changed.shapes)
      for _ in 0..<80 {
        var url =
          shapes.isEmpty || random.oneIn(6)
          ? NaiveURL.random(&random) : .filling(random.pick(shapes), &random)
        let text = url.text(&random)
        let (before, after) = (try old.match(text), try new.match(text))
        guard effect(before, beside: after) != effect(after, beside: before) else { continue }
        differing += 1
        guard !classes.contains([before.map(side), after.map(side)]) else { continue }
        Issue.record(
          "\(text) goes from \(before?.route.id ?? "none") to \(after?.route.id ?? "none"), untold: \(names)")
        return
      }
    }
    #expect(reported > Self.rounds && differing > 4 * Self.rounds, "\(reported) told, \(differing) differ")
    #expect(undecided < reported / 50, "\(undecided) undecided of \(reported)")
    #expect(pale < reported / 20, "\(pale) witnesses of \(reported) show no other text")
  }

  @Test(.computes, arguments: 1...2)
  func `A table does not differ from itself or from an equivalent one`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Self.rounds {
      let draft = TableDraft.random(&random)
      let table = try draft.table()
      var other = draft
      other.routes.shuffle(using: &random)
      #expect(table.diff(from: table).isEmpty)
      #expect(try other.table().diff(from: table).isEmpty, "\(draft)")
    }
  }

  private func side(_ match: RouteMatch<String>) -> RouteConflict.Side {
    let place = match.route.patterns.firstIndex(of: match.pattern) ?? 0
    return RouteConflict.Side(
      id: match.route.id, owner: match.route.owner, pattern: match.pattern,
      location: match.route.record.patternLocations[place])
  }

  /// Returns the effect of a match that an application can observe.
  private func effect(_ match: RouteMatch<String>?, beside other: RouteMatch<String>?) -> [String?] {
    guard let match else { return [] }
    let names = Set([match, other].compactMap(\.self).flatMap { $0.pattern.captures.map(\.name) }).sorted()
    return [match.action] + names.map { match[$0] }
  }
}

/// The routes of a random table, before it is built.
private struct TableDraft: CustomStringConvertible {
  struct Route {
    let id: String
    var patterns: [NaivePattern]
    var action: String
    var rank = PolicyLayer.user
    var winsOver: [String] = []
  }

  var routes: [Route] = []

  static func random(_ random: inout SeededGenerator) -> TableDraft {
    TableDraft(routes: (0..<Int.random(in: 1...6, using: &random)).map { route("r\($0)", &random) })
  }

  private static func route(_ id: String, _ random: inout SeededGenerator) -> Route {
    let patterns = (0..<(random.oneIn(5) ? 2 : 1)).map { _ in NaivePattern.random(&random) }
    return Route(id: id, patterns: patterns, action: random.pick(["a", "b", "c"]))
  }

  /// Returns a copy with some routes added, removed or changed.
  func mutated(_ random: inout SeededGenerator) -> TableDraft {
    var draft = self
    for number in 0..<Int.random(in: 1...3, using: &random) {
      let place = draft.routes.indices.randomElement(using: &random)
      switch (Int.random(in: 0..<7, using: &random), place) {
      case (0, let place?): draft.routes.remove(at: place)
      case (1, let place?): draft.routes[place].action += "!"
      case (2, let place?): draft.routes[place].patterns[0] = .random(&random)
      case (3, let place?): draft.routes[place].rank = random.pick(PolicyLayer.allCases)
      case (4, let place?): draft.routes[place].winsOver = [random.pick(draft.routes).id]
      case (5, let place?): draft.routes[place].patterns.append(.random(&random))
      default: draft.routes.append(Self.route("n\(number)", &random))
      }
    }
    return draft
  }

  var readsInTwoWays: Bool { routes.contains { $0.patterns.contains { $0.isJoined } } }

  var shapes: [NaiveShape] { routes.flatMap { $0.patterns.flatMap { NaiveShape.all(of: $0) } } }

  func table() throws -> RouteTable<String> {
    var builder = RouteTableBuilder<String>()
    for (line, route) in routes.enumerated() {
      try builder.add(
        try route.patterns.map { try $0.read() }, id: route.id, action: route.action,
        at: SourceLocation(file: "test", line: line), rank: route.rank,
        winsOver: route.winsOver.filter { $0 != route.id })
    }
    return builder.buildSkippingConflicts().table
  }

  var description: String {
    routes.map { route in
      let patterns = route.patterns.map { "\($0.text) \($0.optionNames)" }.joined(separator: ", ")
      return "\(route.id) \(route.action) \(route.rank) over \(route.winsOver): \(patterns)"
    }.joined(separator: "\n      ")
  }
}
