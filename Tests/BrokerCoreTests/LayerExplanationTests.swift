// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// The explanations of routes in a decision.
@Suite struct `The explanation of a link` {
  private struct Rule {
    let owner: RouteLayer.Owner
    let id: String
    let pattern: String
    let action: RouteAction
    var secret: Set<String> = []
    var winsOver: [String] = []
  }

  private func decide(
    _ url: String, _ rules: [Rule], tellsWhy: Bool = true, _ change: (inout OpenRequest) -> Void = { _ in }
  ) throws -> Decision {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry("org.example.Viewer", exec: "viewer %u", schemes: ["note"])
    try desktop.setDefaults(["note": ["org.example.Viewer"]])
    let directories = BaseDirectories(environment: desktop.environment)
    let layers = try RouteLayer.Owner.allCases.map { owner in
      var builder = RouteTableBuilder<RouteAction>()
      for (number, rule) in rules.enumerated() where rule.owner == owner {
        try builder.add(
          [try RoutePattern(rule.pattern)], id: rule.id, action: rule.action,
          at: SourceLocation(file: "\(owner).toml", line: number + 1), rank: owner.rank(isFinal: false),
          winsOver: rule.winsOver, secretCaptures: rule.secret)
      }
      return RouteLayer(owner: owner, table: try builder.build())
    }
    let programs = ProgramSearch(path: desktop.environment["PATH"])
    let broker = Broker(
      layers: layers, resolver: ApplicationResolver(directories: directories, programs: programs),
      programs: programs)
    let text = try URLString(url)
    var request = OpenRequest(urls: [text])
    change(&request)
    return broker.decide(text, of: request, tellsWhy: tellsWhy)
  }

  private static let viewer = RouteAction.open(application: "org.example.Viewer")

  @Test func `names the deciding route, its layer, the rule, and the routes that lose`() throws {
    let decision = try decide(
      "note:/a/b",
      [
        Rule(owner: .user, id: "wide", pattern: "note:/{x}/{y}", action: .allow),
        Rule(owner: .user, id: "mine", pattern: "note:/a/{y}", action: Self.viewer),
        Rule(owner: .user, id: "close", pattern: "note:/a/c", action: Self.viewer),
        Rule(owner: .administrator, id: "theirs", pattern: "note:/a/b", action: .deny(reason: "no")),
      ])
    let reported = [
      "the user's route “mine” (user.toml:2:1) opens it with org.example.Viewer",
      "over `wide` (note:/{x}/{y}, user.toml:1:1): the winner is narrower: this route matches all its URLs and more",
      "over the administrator's `theirs` (note:/a/b, administrator.toml:4:1): the user's routes come before "
        + "the administrator's routes",
      "not `close` (note:/a/c, user.toml:3:1): segment 2 is `b` (byte 9), but this route has `c` there"
        + "; did you mean note:/a/c?",
      "org.example.Viewer opens it",
    ]
    #expect(decision.explanation.map(\.text) == reported, "\(decision.explanation)")
    // The same for programs.
    #expect(decision.routes.map(\.id) == ["mine", "wide", "theirs", "close"])
    #expect(decision.routes.map(\.location.line) == [2, 1, 4, 3])
    #expect(decision.routes.map(\.pattern) == ["note:/a/{y}", "note:/{x}/{y}", "note:/a/b", "note:/a/c"])
    let rules = decision.routes.map { route -> String in
      switch route.part {
      case .winner: "winner"
      case .loser(let rule, let sentence): reported.contains { $0.hasSuffix(sentence) } ? rule : sentence
      case .nearMiss(let sentence): reported.contains { $0.hasSuffix(sentence) } ? "near" : sentence
      }
    }
    #expect(rules == ["winner", "narrower", "layer", "near"])
  }

  @Test func `names the last route that decides, and none if the caller names a target`() throws {
    let rules = [
      Rule(
        owner: .user, id: "old", pattern: "note:/old", action: .rewrite(try ActionTemplate(url: "note:/new"))),
      Rule(owner: .user, id: "new", pattern: "note:/new", action: Self.viewer),
      Rule(owner: .user, id: "fine", pattern: "note:/fine", action: .allow),
    ]
    func winners(_ url: String, _ change: (inout OpenRequest) -> Void = { _ in }) throws -> [String] {
      try decide(url, rules, change).routes.filter { $0.part == .winner }.map(\.id)
    }
    #expect(try winners("note:/old") == ["new"])
    #expect(try winners("note:/fine") == ["fine"])
    #expect(try winners("note:/other") == [])
    let target = try #require(ApplicationID("org.example.Viewer"))
    #expect(try winners("note:/new") { $0.target = target } == [])
    #expect(try decide("note:/new", rules, tellsWhy: false).routes.isEmpty)
  }

  @Test func `names near misses if no route decides, and continues with the desktop's files`()
    throws
  {
    let decision = try decide(
      "note:/seven",
      [
        Rule(owner: .user, id: "number", pattern: "note:/{n:uint}", action: .deny(reason: "no")),
        Rule(owner: .vendor, id: "shelf", pattern: "note:/sevn", action: .allow),
      ])
    let steps = decision.explanation.map(\.text)
    let reported = [
      "no route of the user matches",
      "not `number` (note:/{n:uint}, user.toml:1:1): segment 1 is `seven` (bytes 7 to 11), but `n` must be a `uint`: "
        + "a 64-bit integer without sign or leading zeros",
      "no route of the vendor matches",
      "not `shelf` (note:/sevn, vendor.toml:2:1): segment 1 is `seven` (bytes 7 to 11), but this route has `sevn` there"
        + "; did you mean note:/sevn?",
    ]
    #expect(Array(steps.prefix(4)) == reported, "\(steps)")
    #expect(decision.routes.map(\.id) == ["number", "shelf"])
    #expect(
      steps[4].hasPrefix("org.example.Viewer") && steps.last == "org.example.Viewer opens it", "\(steps)")
  }

  @Test func `Text that is secret to a route of any layer is omitted`() throws {
    let rewrite = RouteAction.rewrite(try ActionTemplate(url: "note:/gone/{token}"))
    let decision = try decide(
      "note:/reset/hush",
      [
        Rule(owner: .user, id: "almost", pattern: "note:/reset/{n:uint}", action: .allow),
        Rule(
          owner: .administrator, id: "reset", pattern: "note:/reset/{token}", action: rewrite,
          secret: ["token"]),
        Rule(owner: .vendor, id: "gone", pattern: "note:/gone/{n:uint}", action: .allow),
      ])
    let steps = decision.explanation.map(\.text)
    #expect(decision.url.text == "note:/gone/hush" && decision.shownURL == "note:/reset/…")
    #expect(!steps.contains { $0.contains("hush") }, "\(steps)")
    #expect(steps.contains { $0.contains("segment 2 is `…` (bytes 13 to 16)") }, "\(steps)")
    #expect(steps.contains { $0.contains("rewrites it to another URL, which is not shown") }, "\(steps)")
  }

  @Test(arguments: [
    ("note:/far/from/it/hush", "note:/…/…/…/…"), ("note:/reset/hush%zz", "note:…"),
    ("note:/go/hush", "note:/…/…"),
  ])
  func `Possibly secret text is omitted even if the URL hardly matches the route or cannot be parsed`(
    url: String, shown: String
  ) throws {
    let decision = try decide(
      url,
      [
        Rule(owner: .user, id: "reset", pattern: "note:/reset/{token}", action: .allow, secret: ["token"]),
        Rule(
          owner: .vendor, id: "go", pattern: "note:/go/{x}",
          action: .rewrite(try ActionTemplate(url: "note:/gone/{x}"))),
      ])
    let steps = decision.explanation.map(\.text)
    #expect(decision.shownURL == shown && !steps.contains { $0.contains("hush") }, "\(steps)")
  }

  @Test func `A sandboxed caller sees no routes that do not decide`() throws {
    let rules = [
      Rule(owner: .user, id: "number", pattern: "note:/{n:uint}", action: .deny(reason: "no")),
      Rule(owner: .user, id: "any", pattern: "note:/{x}", action: .deny(reason: "no")),
    ]
    let reported = try decide("note:/7", rules).explanation.map(\.text)
    #expect(reported.contains { $0.hasPrefix("over `any`") }, "\(reported)")
    let source = SourceApplication(try #require(ApplicationID("org.example.Boxed")), .sandbox)
    let boxed = try decide("note:/7", rules) { $0.caller.source = source }
    #expect(boxed.explanation.count == 2, "\(boxed.explanation)")
    #expect(boxed.routes.map(\.part) == [.winner])
    // Otherwise the hidden part of a URL would disclose the texts of the rules.
    let secret =
      rules + [
        Rule(owner: .vendor, id: "s", pattern: "note:/{s}/x", action: .allow, secret: ["s"])
      ]
    #expect(try decide("note:/7", secret) { $0.caller.source = source }.shownURL == nil)
    #expect(try decide("note:/7", secret).shownURL == "note:/…")
  }

  @Test func `Opening a link without an explanation makes the same decision`() throws {
    let rules = [
      Rule(owner: .user, id: "one", pattern: "note:/{x}", action: Self.viewer, secret: ["x"]),
      Rule(owner: .user, id: "two", pattern: "note:/{x...}", action: .allow),
    ]
    let (plain, reported) = (try decide("note:/7", rules, tellsWhy: false), try decide("note:/7", rules))
    #expect(plain.shownURL == nil && plain.explanation.count == 2 && reported.explanation.count == 4)
    #expect(plain.verdict.description == reported.verdict.description)
  }
}
