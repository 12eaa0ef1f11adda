// SPDX-License-Identifier: Apache-2.0
import RouteTablesTestSupport
import TestSupport
import Testing

@testable import RouteTables

@Suite(.computes) struct `Many wins_over rules` {
  private static let count = 40

  /// Adds a route whose pattern has no literal text by which it differs from others at once.
  private func add(
    _ number: Int, _ ending: String, to routes: inout RouteTableBuilder<String>, id: String,
    rank: PolicyLayer = .administrator, directory: Int = 0, winsOver: [String] = [], denies: Bool = false
  ) throws {
    try routes.add(
      [RoutePattern("app:/{x...}/\(number)/\(ending)")], id: id, action: denies ? "deny" : "open",
      at: SourceLocation(file: "a.toml", line: number + 1), rank: rank, directory: directory,
      winsOver: winsOver, denies: denies)
  }

  private func ignoredCount(_ faults: [RouteTableError]) -> Int? {
    guard faults.count == 1, case .tooManyComparisons(let first, let count)? = faults.first?.reason else {
      return nil
    }
    return first.isEmpty ? nil : count
  }

  @Test func `have no effect beyond the budget, which is one error`() throws {
    var routes = RouteTableBuilder<String>(winsOverBudget: WinsOver.Budget(20_000))
    for number in 0..<Self.count {
      let winsOver = number > 0 ? ["\(number - 1)"] : []
      try add(number, "{y...}", to: &routes, id: "\(number)", winsOver: winsOver)
    }
    let (table, conflicts, faults) = routes.buildSkippingAllConflicts()
    let ignored = try #require(ignoredCount(faults), "\(faults)")
    let kept = table.routes.count { !$0.winsOver.isEmpty }
    #expect(conflicts.isEmpty && table.routes.count == Self.count)
    #expect(kept > 0 && kept + ignored == Self.count - 1, "\(kept) \(ignored)")
    #expect(throws: RouteTableError.self) { try routes.build() }
  }

  @Test(arguments: [20_000, 40_000, 80_000])
  func `leave a final denial in force beyond the budget`(budget: Int) throws {
    var routes = RouteTableBuilder<String>(winsOverBudget: WinsOver.Budget(budget))
    try routes.add("app:/{r...}", id: "none", action: "deny", rank: .finalAdministrator, denies: true)
    for number in 0..<Self.count {
      try add(
        number, "{y...}", to: &routes, id: "\(number)", rank: .finalAdministrator, winsOver: ["none"])
    }
    let (table, _, faults) = routes.buildSkippingAllConflicts()
    let ignored = try #require(ignoredCount(faults), "\(faults)")
    let winners = try (0..<Self.count).map { try table.match("app:/x/\($0)/y")?.route.id }
    let denied = winners.count { $0 == "none" }
    #expect(denied == ignored)
    #expect(zip(winners, 0..<Self.count).allSatisfy { $0 == "none" || $0 == "\($1)" }, "\(winners)")
  }

  @Test func `of another directory do not disable those of the administrator's own`() throws {
    var routes = RouteTableBuilder<String>(winsOverBudget: WinsOver.Budget(100_000))
    for number in 0..<Self.count {
      let directory = number >= Self.count - 5 ? -1 : 0
      try add(number, "a", to: &routes, id: "narrow\(number)", directory: directory)
      try add(
        number, "{y...}", to: &routes, id: "wide\(number)", directory: directory,
        winsOver: ["narrow\(number)"], denies: true)
    }
    let (table, _, faults) = routes.buildSkippingAllConflicts()
    #expect(ignoredCount(faults) != nil, "\(faults)")
    for number in (Self.count - 5)..<Self.count {
      #expect(try table.match("app:/x/\(number)/a")?.route.id == "wide\(number)")
    }
  }

  @Test func `of a user do not disable those of the administrator's final routes`() throws {
    var routes = RouteTableBuilder<String>(winsOverBudget: WinsOver.Budget(20_000))
    try routes.add("app:/{r...}", id: "none", action: "deny", rank: .finalAdministrator, denies: true)
    try routes.add(
      "app:/{x...}/ours/{y...}", id: "ours", action: "open", rank: .finalAdministrator, winsOver: ["none"])
    for number in 0..<Self.count {
      try add(number, "a", to: &routes, id: "narrow\(number)", rank: .user)
      try add(
        number, "{y...}", to: &routes, id: "wide\(number)", rank: .user, winsOver: ["narrow\(number)"],
        denies: true)
    }
    let (table, _, faults) = routes.buildSkippingAllConflicts()
    #expect(ignoredCount(faults) != nil, "\(faults)")
    #expect(try table.match("app:/x/ours/a")?.route.id == "ours")
  }

  /// Returns routes of the administrator's own directory, each of which wins over one of them, with a budget.
  private func own(budget: Int) throws -> RouteTableBuilder<String> {
    var routes = RouteTableBuilder<String>(winsOverBudget: WinsOver.Budget(budget))
    for number in 0..<Self.count {
      try add(number, "a", to: &routes, id: "narrow\(number)", directory: -1)
      try add(
        number, "{y...}", to: &routes, id: "wide\(number)", directory: -1, winsOver: ["narrow\(number)"],
        denies: true)
    }
    return routes
  }

  /// Returns the smallest budget, to 1 %, that suffices for the routes of the administrator's own directory.
  private func sufficientBudget() throws -> Int {
    var (low, high) = (1_000, 4_000_000)
    while high - low > low / 100 {
      let middle = (low + high) / 2
      if try own(budget: middle).buildSkippingAllConflicts().faults.isEmpty {
        high = middle
      } else {
        low = middle
      }
    }
    return high
  }

  @Test func `of the administrator's own directory are not disabled by conflicts of another`() throws {
    var routes = try own(budget: try sufficientBudget())
    for id in ["one", "other"] {
      try routes.add(
        [RoutePattern("other:{x}")], id: id, action: id, at: SourceLocation(file: "b.toml", line: 1),
        rank: .administrator)
    }
    let (table, conflicts, faults) = routes.buildSkippingAllConflicts()
    #expect(conflicts.count == 1 && faults.isEmpty, "\(faults)")
    #expect(table.routes.count { !$0.winsOver.isEmpty } == Self.count)
  }

  @Test func `of the administrator's own directory are not disabled by cycles of another`() throws {
    var routes = try own(budget: try sufficientBudget() * 21 / 20)
    // Without the pairs between owners, those of one owner still form a cycle.
    for (owner, id, pattern, winsOver) in [
      ("p", "x1", "other:/a/{x}", ["p/x2", "q/y"]), ("p", "x2", "other:/{x}/b", ["p/x1"]),
      ("q", "y", "other:/{x}/{y:int}", ["p/x1"]),
    ] {
      try routes.add(
        [RoutePattern(pattern)], id: id, owner: owner, action: id,
        at: SourceLocation(file: "b.toml", line: 1), rank: .administrator, winsOver: winsOver)
    }
    let (table, _, faults) = routes.buildSkippingAllConflicts()
    #expect(faults.count == 2, "\(faults)")
    #expect(table.routes.count { !$0.winsOver.isEmpty && $0.owner.isEmpty } == Self.count)
  }

  @Test func `without an effect do not hide a cycle`() throws {
    var routes = RouteTableBuilder<String>()
    for number in 0..<120 {
      try add(number, "a", to: &routes, id: "narrow\(number)")
      try add(number, "{y...}", to: &routes, id: "wide\(number)", winsOver: ["narrow\(number)"])
    }
    try routes.add("other:/a/{x}", id: "x1", action: "open", rank: .administrator, winsOver: ["x2"])
    try routes.add("other:/{x}/b", id: "x2", action: "open", rank: .administrator, winsOver: ["x1"])
    let faults = routes.buildSkippingAllConflicts().faults
    let cycles = faults.count { if case .circularPrecedence = $0.reason { true } else { false } }
    #expect(faults.count == 121 && cycles == 1, "\(faults.count) \(cycles)")
  }

  @Test func `that name their own route are an error and have no effect on others`() throws {
    var routes = RouteTableBuilder<String>(winsOverBudget: WinsOver.Budget(20_000))
    try add(0, "a", to: &routes, id: "self", winsOver: ["self"])
    try add(1, "a", to: &routes, id: "narrow")
    try add(1, "{y...}", to: &routes, id: "wide", winsOver: ["narrow"], denies: true)
    let (table, _, faults) = routes.buildSkippingAllConflicts()
    guard faults.count == 1, case .unreachable("self", by: "self")? = faults.first?.reason else {
      Issue.record("\(faults)")
      return
    }
    #expect(try table.match("app:/x/1/a")?.route.id == "wide")
  }

  /// Tests parts of long lists of exceptions, with the part of the budget that a list of 5,000 hosts would leave to it.
  @Test(arguments: ["https", "{:http|https}"])
  func `of an allowlist need steps in proportion to its hosts`(scheme: String) throws {
    let (count, all) = (100, 5_000)
    var routes = RouteTableBuilder<String>(winsOverBudget: WinsOver.Budget(20_000_000 * count / all))
    try routes.add(
      "\(scheme)://*:*/{p...?}", id: "none", action: "deny", rank: .finalAdministrator, denies: true)
    let hosts = (0..<count).map { "h\($0).example" } + (0..<(count / 10)).map { "*.s\($0).example" }
    for host in hosts {
      try routes.add(
        "\(scheme)://\(host)/{p...?}", id: host, action: "open", rank: .finalAdministrator,
        winsOver: ["none"])
    }
    let (table, _, faults) = routes.buildSkippingAllConflicts()
    #expect(faults.isEmpty, "\(faults)")
    for host in hosts {
      #expect(try table.match("https://\(host.replacing("*", with: "x"))/x")?.route.id == host)
    }
    #expect(try table.match("https://h.example/x")?.route.id == "none")
  }
}

@Suite(.computes) struct `A search for neighbors` {
  private static let pieces = [
    "app:", "web:", "{:app|web}:", "https:", "/", "//h/", "//*.b.h/", "//*/", "//*:*/", "//a.b.h:80/",
    "//{l}.h/", "//u@h/",
  ]
  private static let segments = ["a", "b", "{x}", "{y:int}", "{z...}", "p{v}", "{w?}", "7", "{:a/b|c}"]

  @Test func `finds every variant that matches a common request`() throws {
    var random = SeededGenerator(seed: 7)
    var overlapping = 0
    for _ in 0..<12 {
      let patterns = (0..<12).compactMap { _ -> RoutePattern? in
        var names = 0
        let path = (0..<random.below(4)).map { _ in
          names += 1
          return random.pick(Self.segments).replacing(#/[xyzvw]/#, with: "n\(names)")
        }
        var options = RouteOptions()
        if random.oneIn(6) { options.authority = .segment }
        if random.oneIn(4) { options.ignoresCase = true }
        let start = random.oneIn(8) ? "/" : random.pick(Self.pieces) + random.pick(Self.pieces)
        return try? RoutePattern(start + path.joined(separator: "/"), options: options)
      }
      var tree = RouteTrie()
      let records = patterns.enumerated().map { number, pattern in
        RouteRecord(
          id: "\(number)", owner: "", patterns: [pattern], location: SourceLocation(file: "a", line: 1),
          rank: .user, conditions: [], winsOver: [], patternLocations: [SourceLocation(file: "a", line: 1)],
          directory: 0, generates: true, secretCaptures: [])
      }
      for (number, record) in records.enumerated() {
        for shape in (try? PatternExpansion.shapes(of: record.patterns[0])) ?? [] {
          tree.insert(
            RouteVariant(
              shape, of: record.patterns[0], route: number, index: 0, conditions: [],
              languages: &tree.languages),
            of: record.patterns[0])
        }
      }
      for (number, one) in tree.shapes.enumerated() {
        let requests = RequestSet(one, pattern: patterns[one.route], &tree.languages)
        let found = Set(NeighborSearch(tree, requests).found)
        #expect(found.contains(number))
        for (second, other) in tree.shapes.enumerated() {
          var search = WitnessSearch(
            inside: [requests, RequestSet(other, pattern: patterns[other.route], &tree.languages)])
          guard case .found = search.run(&tree.languages) else { continue }
          overlapping += 1
          #expect(found.contains(second), "\(patterns[one.route]) \(patterns[other.route])")
        }
      }
    }
    #expect(overlapping > 200)
  }
}

@Suite struct `Two equal questions` {
  /// Builds a table in which the second of two questions names a denial; the order of their names is different in both cases.
  @Test(arguments: [["a", "b"], ["b", "a"]])
  func `of which one does not name a final denial are no exception from it`(ids: [String]) throws {
    var routes = RouteTableBuilder<String>()
    func add(_ pattern: String, _ id: String, winsOver: [String] = [], denies: Bool = false) throws {
      try routes.add(
        [RoutePattern(pattern)], id: id, action: id, at: SourceLocation(file: "a.toml", line: 1),
        rank: .finalAdministrator, winsOver: winsOver, denies: denies, asks: !denies)
    }
    try add("app:/{x...}", "none", denies: true)
    try add("app:/{y}/z", ids[0])
    try add("app:/{y}/z", ids[1], winsOver: ["none"])
    try add("app:/{y}/other", "exception", winsOver: ["none"])
    let (table, conflicts, faults) = routes.buildSkippingAllConflicts()
    #expect(conflicts.count == 1 && faults.count == 1, "\(faults)")
    #expect(try table.match("app:/1/z")?.route.id == "none")
    #expect(try table.match("app:/1/other")?.route.id == "exception")
  }
}

@Suite struct `A final denial that an exception does not name` {
  private func table(_ routes: [(pattern: String, id: String, winsOver: [String], isDenial: Bool)]) throws
    -> RouteTable<String>
  {
    var builder = RouteTableBuilder<String>()
    for (number, route) in routes.enumerated() {
      try builder.add(
        [RoutePattern(route.pattern)], id: route.id, action: route.id,
        at: SourceLocation(file: "a.toml", line: number + 1), rank: .finalAdministrator,
        winsOver: route.winsOver, denies: route.isDenial)
    }
    return builder.buildSkippingAllConflicts().table
  }

  /// Tests a denial that must also precede another exception, which the first exception overlaps.
  @Test func `precedes it if the denial precedes other exceptions, too`() throws {
    let table = try table([
      ("notes:/a/{y}", "narrow", [], true), ("notes:/{x}/c", "other", [], true),
      ("notes:/{x}/{y}", "all", [], true), ("notes:/{x:a|b}/{y:a|b}", "exception", ["narrow"], false),
      ("notes:/c/{y}", "second", ["other"], false),
    ])
    for url in ["notes:/a/a", "notes:/b/b", "notes:/c/c", "notes:/c/a"] {
      #expect(try ["narrow", "other", "all"].contains(table.match(url)?.route.id), "\(url)")
    }
  }

  @Test func `precedes it although the named denial wins over that denial`() throws {
    let table = try table([
      ("notes:/a/{y}", "narrow", ["all"], true), ("notes:/{x}/{y}", "all", [], true),
      ("notes:/{x:a|b}/{y:a|b}", "exception", ["narrow"], false),
    ])
    #expect(try ["narrow", "all"].contains(table.match("notes:/a/a")?.route.id))
    #expect(try table.match("notes:/b/a")?.route.id == "all")
  }
}
