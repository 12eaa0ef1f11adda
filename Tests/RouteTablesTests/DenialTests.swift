// SPDX-License-Identifier: Apache-2.0
import RouteExplanations
@testable import RouteTablesTestSupport
@testable import RouteTables
import RouteAnalysis
import Testing

@Suite struct `A route that denies` {
  private struct Rule {
    let id: String
    let pattern: String
    var denies = false
    var winsOver: [String] = []
    var rank = PolicyLayer.finalAdministrator
    var isSandboxed: Bool?
  }

  private func builder(_ rules: [Rule]) throws -> RouteTableBuilder<String> {
    var routes = RouteTableBuilder<String>()
    for rule in rules {
      try routes.add(
        rule.pattern, id: rule.id, action: rule.denies ? "deny" : "open", rank: rule.rank,
        when: try rule.isSandboxed.map { [try RouteCondition("sandboxed", anyOf: [$0 ? "yes" : ""])] } ?? [],
        winsOver: rule.winsOver, denies: rule.denies)
    }
    return routes
  }

  private func winner(_ url: String, _ rules: [Rule]) throws -> String? {
    try builder(rules).build().match(url)?.route.id
  }

  private static let denial = Rule(id: "none", pattern: "app:/x/{a}", denies: true)

  @Test func `and is final precedes a narrower one that does not deny`() throws {
    let rules = [
      Self.denial, Rule(id: "team", pattern: "app:/x/team"), Rule(id: "rest", pattern: "app:/{r...}"),
    ]
    #expect(try winner("app:/x/team", rules) == "none")
    #expect(try winner("app:/y", rules) == "rest")
    let explained = try builder(rules).build().explain("app:/x/team")
    #expect(explained.description.contains("denials take precedence"))
  }

  @Test func `and overlaps another that denies is not reported, even with isStrict`() throws {
    func findings(_ denies: Bool) throws -> Int {
      try builder([
        Rule(id: "a", pattern: "app:/a/{x}", denies: true),
        Rule(id: "b", pattern: "app:/{y}/b", denies: denies),
      ]).build().check(isStrict: true).findings.count
    }
    #expect(try findings(true) == 0)
    #expect(try findings(false) == 1)
  }

  @Test(arguments: [PolicyLayer.user, .administrator, .vendor])
  func `and is not final leaves narrower ones theirs`(rank: PolicyLayer) throws {
    let rules = [
      Rule(id: "none", pattern: "app:/x/{a}", denies: true, rank: rank),
      Rule(id: "team", pattern: "app:/x/team", rank: rank),
    ]
    #expect(try winner("app:/x/team", rules) == "team")
    #expect(try winner("app:/x/other", rules) == "none")
  }

  @Test func `comes after the route whose wins_over names it, and no other`() throws {
    let rules = [
      Self.denial, Rule(id: "team", pattern: "app:/x/team", winsOver: ["none"]),
      Rule(id: "staff", pattern: "app:/x/staff"),
    ]
    #expect(try winner("app:/x/team", rules) == "team")
    #expect(try winner("app:/x/staff", rules) == "none")
    // Another denial still precedes.
    let wider = rules + [Rule(id: "nothing", pattern: "app:/{r...}", denies: true)]
    #expect(try winner("app:/x/team", wider) == "nothing")
  }

  @Test func `delays no route that only other callers could lose to its exception`() throws {
    let rules = [
      Rule(id: "none", pattern: "app:/{r...}", denies: true, isSandboxed: true),
      Rule(id: "boxed", pattern: "app:/x/{r...}", winsOver: ["none"], isSandboxed: true),
      Rule(id: "free", pattern: "app:/x/{r...}", isSandboxed: false),
      Rule(id: "meetings", pattern: "app:/x/{y}/meet"),
      Rule(id: "long", pattern: "app:/x/{y}/{z}/{r...}", isSandboxed: false),
    ]
    for rules in [rules, rules.reversed()] {
      let table = try builder(rules).build()
      func winner(_ url: String, isSandboxed: Bool) throws -> String? {
        try table.match(url, when: ["sandboxed": isSandboxed ? "yes" : ""])?.route.id
      }
      #expect(try winner("app:/x/1/meet", isSandboxed: false) == "meetings")
      #expect(try winner("app:/x/1/meet", isSandboxed: true) == "boxed")
      #expect(try winner("app:/x/1", isSandboxed: false) == "free")
      #expect(try winner("app:/x/1/2/3", isSandboxed: false) == "long")
      #expect(try winner("app:/y", isSandboxed: true) == "none")
    }
  }

  @Test func `leaves a narrower route before its exception, if that route may come before the denial`() throws
  {
    let rules = [
      Rule(id: "none", pattern: "app:/{r...}", denies: true, isSandboxed: true),
      Rule(id: "all", pattern: "app:/x/{r...}", winsOver: ["none"]),
      Rule(id: "inner", pattern: "app:/x/{y}", isSandboxed: false),
      Rule(id: "innermost", pattern: "app:/x/1", isSandboxed: false),
    ]
    let table = try builder(rules).build()
    for (url, winner) in [("app:/x/1", "innermost"), ("app:/x/2", "inner"), ("app:/x/2/3", "all")] {
      #expect(try table.match(url, when: ["sandboxed": ""])?.route.id == winner)
      #expect(try table.match(url, when: ["sandboxed": "yes"])?.route.id == "all")
    }
  }

  @Test func `stays in force if no order is possible, and the message opens nothing that it denies`() throws {
    let rules = [
      Rule(id: "none", pattern: "app:/x/{a}", denies: true),
      Rule(id: "teams", pattern: "app:/x/{t:team|staff}", winsOver: ["none"]),
      Rule(id: "team", pattern: "app:/x/team"),
    ]
    let routes = try builder(rules)
    #expect(throws: RouteTableError.self) { try routes.build() }
    let (table, conflicts, faults) = routes.buildSkippingAllConflicts()
    #expect(conflicts.isEmpty)
    #expect(faults.count == 1)
    #expect(
      faults.first?.message.hasSuffix(
        "change the patterns or conditions of `team` so that it matches nothing that `none` denies, or remove a `wins_over`"
      )
        == true, "\(faults)")
    for url in ["app:/x/team", "app:/x/staff"] { #expect(try table.match(url)?.route.id == "none") }
  }

  @Test func `of another cause keeps its exception if two exceptions cannot be satisfied`() throws {
    let rules = [
      Rule(id: "lan", pattern: "app:/lan/{r...}", denies: true),
      Rule(id: "printer", pattern: "app:/lan/printer", winsOver: ["lan"]),
      Rule(id: "boxed", pattern: "app:/{r...}", denies: true, isSandboxed: true),
      Rule(id: "some", pattern: "app:/{:lan|web}/{r...}", winsOver: ["boxed"], isSandboxed: true),
      Rule(id: "calls", pattern: "tel:{n}", denies: true),
      Rule(id: "help", pattern: "tel:112", winsOver: ["calls"]),
    ]
    for rules in [rules, rules.reversed()] {
      let (table, conflicts, faults) = try builder(rules).buildSkippingAllConflicts()
      #expect(conflicts.isEmpty && faults.count == 1, "\(faults)")
      guard case .circularPrecedence(_, let ignored)? = faults.first?.reason else {
        Issue.record("\(faults)")
        return
      }
      #expect(Set(ignored.map { "\($0.first.id) \($0.second.id)" }) == ["printer lan", "some boxed"])
      #expect(try table.match("tel:112")?.route.id == "help")
      #expect(try table.match("app:/lan/printer", when: ["sandboxed": ""])?.route.id == "lan")
      #expect(try table.match("app:/web/x", when: ["sandboxed": "yes"])?.route.id == "boxed")
      #expect(Set(table.routes.filter { !$0.winsOver.isEmpty }.map(\.id)) == ["help"])
    }
    // With conditions that exclude each other, as the message says, both exceptions apply.
    var corrected = rules
    corrected[1].isSandboxed = false
    let table = try builder(corrected).build()
    #expect(try table.match("app:/lan/printer", when: ["sandboxed": ""])?.route.id == "printer")
    #expect(try table.match("app:/web/x", when: ["sandboxed": "yes"])?.route.id == "some")
    #expect(table.routes.count == 6)
  }

  @Test func `keeps the exception of its owner if a route of another owner makes that impossible`() throws {
    var routes = RouteTableBuilder<String>()
    func add(_ pattern: String, _ id: String, _ owner: String, denies: Bool = false, winsOver: [String] = [])
      throws
    {
      try routes.add(
        pattern, id: id, owner: owner, action: denies ? "deny" : "open", rank: .finalAdministrator,
        winsOver: winsOver,
        denies: denies)
    }
    try add("app:/{x}/b", "one", "admin", denies: true)
    try add("app:/{:a|c}/b", "first", "admin", winsOver: ["one"])
    try add("app:/a/{y}", "two", "admin", denies: true)
    try add("app:/a/{:b|d}", "second", "sales", winsOver: ["admin/two"])
    let (table, _, faults) = routes.buildSkippingAllConflicts()
    #expect(faults.count == 1, "\(faults)")
    #expect(try table.match("app:/c/b")?.route.id == "first")
    #expect(try table.match("app:/a/d")?.route.id == "two")
    #expect(table.routes.filter { !$0.winsOver.isEmpty }.map(\.id) == ["first"])
  }

  @Test(arguments: [PolicyLayer.user, .administrator, .finalAdministrator])
  func `stays in force if another route matches the same URLs`(rank: PolicyLayer) throws {
    let rules = [
      Rule(id: "one", pattern: "app:/x/{a}", denies: true, rank: rank),
      Rule(id: "two", pattern: "app:/x/{b}", rank: rank),
    ]
    let (table, conflicts) = try builder(rules).buildSkippingConflicts()
    #expect(table.routes.map(\.id) == ["one"])
    #expect(conflicts.map(\.denials) == [["one"]])
    #expect(
      conflicts.first?.description.hasSuffix("remove one of them; until then, `one` denies these URLs")
        == true)
  }

  @Test func `stays in force if another denial matches the same URLs`() throws {
    let rules = [
      Self.denial, Rule(id: "never", pattern: "app:/x/{b}", denies: true),
      Rule(id: "open", pattern: "app:/x/{c}"),
    ]
    let (table, conflicts) = try builder(rules).buildSkippingConflicts()
    #expect(Set(table.routes.map(\.id)) == ["none", "never"])
    #expect(conflicts.contains { $0.denials == ["none", "never"] })
    #expect(try table.match("app:/x/1")?.action == "deny")
  }

  @Test func `and overlaps another is reported by a check without options`() throws {
    let rules = [
      Rule(id: "none", pattern: "app:/x/{a}", denies: true), Rule(id: "open", pattern: "app:/{b}/y"),
    ]
    let findings = try builder(rules).build().check().findings.map(\.description)
    #expect(findings.count == 1)
    #expect(
      findings.first?.hasSuffix(": the first wins because it denies") == true,
      "\(findings)")
    // A denial is meant as an exception from a wider permission, which is no finding.
    let exception = [Self.denial, Rule(id: "open", pattern: "app:/{r...}")]
    #expect(try builder(exception).build().check().findings.isEmpty)
    let never = [Self.denial, Rule(id: "open", pattern: "app:/x/y")]
    #expect(try builder(never).build().check().findings.map(\.route.id) == ["open"])
  }
}
