// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteFiles
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// The scopes of stored answers.
@Suite(.computes) struct `A stored answer` {
  private static let box = SourceApplication(ApplicationID("org.box.App") ?? .usherHandler, .sandbox)

  private func isAsked(
    by rank: PolicyLayer?, _ grants: [Grant], from source: SourceApplication = .unknown
  ) throws -> Bool {
    let ask = RouteAction.ask([], remember: [.scheme])
    let rules = rank.map { [($0, "note:/{x}", ask, [RouteCondition]())] } ?? []
    let (broker, desktop) = try `The policy`.broker(rules)
    let url = try URLString("note:/1")
    var request = OpenRequest(urls: [url], source: source)
    request.answers.grants = grants
    let decision = withExtendedLifetime(desktop) { broker.decide(url, of: request) }
    if case .ask = decision.verdict { return true }
    return false
  }

  @Test(arguments: [
    (0, "1970-01-01"), (86_399_999_999, "1970-01-01"), (951_782_400_000_000, "2000-02-29"),
    (1_798_761_599_999_999, "2026-12-31"), (4_107_542_400_000_000, "2100-03-01"),
  ])
  func `names the day on which it expires`(expires: Int64, day: String) {
    let scope = GrantScope(scheme: "note", isSandboxed: false)
    #expect(Grant(scope, .no, assurance: .unknown, expires: expires).lastDay == day)
  }

  @Test(arguments: [Int64.min, -1, .max]) func `of any time has a day`(expires: Int64) {
    let grant = Grant(GrantScope(isSandboxed: false), .no, assurance: .unknown, expires: expires)
    #expect(grant.lastDay?.isEmpty == false)
  }

  private func yes(_ scope: GrantScope) -> Grant { Grant(scope, .yes, assurance: .unknown) }

  @Test func `an answer to one route does not answer another route, another layer or a sandboxed caller`()
    throws
  {
    #expect(try !isAsked(by: .user, [yes(.ofNotes())]))
    #expect(try isAsked(by: .user, [yes(.ofNotes("r1"))]))
    #expect(try isAsked(by: .user, [yes(GrantScope(scheme: "note", isSandboxed: false))]))
    // A route that cleans links never asks.
    for rank in PolicyLayer.allCases where rank != .cleaning {
      let others = PolicyLayer.allCases.filter { $0 != rank }.map { yes(.ofNotes(rank: $0)) }
      #expect(try isAsked(by: rank, others), "\(rank)")
      #expect(try !isAsked(by: rank, [yes(.ofNotes(rank: rank))]), "\(rank)")
    }
    #expect(try isAsked(by: .user, [yes(.ofNotes())], from: Self.box))
    #expect(try isAsked(by: .user, [yes(.ofNotes(isSandboxed: true))]))
    #expect(try !isAsked(by: .user, [yes(.ofNotes(isSandboxed: true))], from: Self.box))
    // The answer to a route's question does not answer the broker's own question about a sandboxed application.
    let route = yes(.ofNotes(source: Self.box.id, isSandboxed: true))
    #expect(try isAsked(by: nil, [route], from: Self.box))
    let own = yes(GrantScope(source: Self.box.id, scheme: "note", isSandboxed: true))
    #expect(try !isAsked(by: nil, [own], from: Self.box))
  }

  @Test func `an answer passed on by the caller applies to one question only`() throws {
    let ask = RouteAction.ask([], remember: [.scheme])
    func decide(_ answer: String) throws -> Decision {
      let (broker, desktop) = try `The policy`.broker([
        (.finalAdministrator, "note:/{x}", ask, []),
        (.user, "note:/{x}", .rewrite(try ActionTemplate(url: "other:/{x}")), []),
        (.finalAdministrator, "other:/{x}", ask, []),
      ])
      let url = try URLString("note:/1")
      var request = OpenRequest(urls: [url])
      request.answers.reported = answer
      return withExtendedLifetime(desktop) { broker.decide(url, of: request) }
    }
    guard case .ask(let second) = try decide("yes").verdict else {
      Issue.record("the question about the other URL is not asked")
      return
    }
    #expect(second.reason == .route(PromptingRoute(rank: .finalAdministrator, name: "r2")))
    #expect(try decide("yes").answered.map(\.question.scope) == [.ofNotes(rank: .finalAdministrator)])
    guard case .deliver = try decide("yes yes").verdict else {
      Issue.record("two answers do not open it")
      return
    }
    #expect(try decide("yes yes").answered.count == 2)
    guard case .refuse(.declined) = try decide("yes no").verdict else {
      Issue.record("the second refusal does not count")
      return
    }
  }

  @Test func `a route that asks, and the final routes that deny, are found by name and scheme`() throws {
    let (broker, desktop) = try `The policy`.broker([
      (.user, "note:/{x}", .ask([], remember: [.source, .scheme]), []),
      (.vendor, "note:/{x}", .allow, []),
      (.finalAdministrator, "note:/secret", .deny(reason: "no"), []),
      (.administrator, "other:/{x}", .deny(reason: "no"), []),
    ])
    withExtendedLifetime(desktop) {
      let found = broker.askingRoutes(named: "r0")
      #expect(found.map(\.route) == [PromptingRoute(rank: .user, name: "r0")])
      #expect(found.first?.remembered == [.source, .scheme])
      #expect(broker.askingRoutes(named: "r1").isEmpty)
      func denials(_ scheme: String?) -> [String] {
        broker.finalDenials(of: GrantScope(scheme: scheme, isSandboxed: true), .unit).routes
      }
      #expect(denials("note") == ["r2"])
      #expect(denials("other").isEmpty && denials(nil).isEmpty)
    }
  }

  @Test
  func `final routes that deny all links of a grant are distinguished from those that deny some or none`()
    throws
  {
    let chat = try #require(ApplicationID(rawValue: "org.example.Chat"))
    let programs = ProgramSearch(path: nil)
    let resolver = ApplicationResolver(directories: BaseDirectories(environment: [:]), programs: programs)
    func denials(_ route: String, _ scope: GrantScope) -> (routes: [String], denyAll: Bool) {
      let text = "format = 1\nowner = \"o\"\n\(route)"
      let source = RouteFileSource(name: "a.toml", text: text, rank: .administrator)
      let layer = RouteLayer(owner: .administrator, table: RouteFileSet([source]).table)
      return Broker(layers: [layer], resolver: resolver, programs: programs).finalDenials(of: scope, .unit)
    }
    let scope = GrantScope(source: chat, scheme: "note", isSandboxed: true)
    let deny = "deny = \"no\"\nfinal = true\n"
    for (route, routes, all) in [
      ("[route.a]\nscheme = \"note\"\n" + deny, ["o/a"], true),
      ("[route.a]\nscheme = \"*\"\n" + deny, ["o/a"], true),
      ("[route.a]\nscheme = \"other\"\n" + deny, [], false),
      ("[route.a]\nmatch = \"note:{x...?}\"\n" + deny, ["o/a"], false),
      ("[route.a]\nmatch = [\"note:{x...?}\", \"/{x...?}\"]\n" + deny, ["o/a"], true),
      ("[route.a]\nscheme = \"note\"\nsource = { sandboxed = true }\n" + deny, ["o/a"], true),
      ("[route.a]\nscheme = \"note\"\nsource = { sandboxed = false }\n" + deny, [], false),
      ("[route.a]\nscheme = \"note\"\nsource = \"org.example.Other\"\n" + deny, [], false),
      ("[route.a]\nscheme = \"note\"\nsource = \"org.example.*\"\n" + deny, ["o/a"], true),
      ("[route.a]\nscheme = \"note\"\nsource = { assurance = \"< unit\" }\n" + deny, [], false),
      ("[route.a]\nscheme = \"note\"\nsource = { assurance = \"unit\" }\n" + deny, ["o/a"], false),
      ("[route.a]\nscheme = \"note\"\nsource = { origin = \"web\" }\n" + deny, ["o/a"], false),
      (
        "[route.a]\nscheme = \"note\"\n\(deny)[route.b]\nmatch = \"note:{x}\"\nallow = true\nfinal = true\nwins_over = \"a\"\n",
        ["o/a"], false
      ),
      // Neither a narrower route nor one that asks about all other links is an exception.
      (
        "[route.a]\nscheme = \"note\"\n\(deny)[route.b]\nmatch = \"note:{x}\"\nallow = true\nfinal = true\n",
        ["o/a"], true
      ),
      (
        "[route.a]\nscheme = [\"note\", \"other\"]\n\(deny)[route.b]\nscheme = \"*\"\nask = true\nfinal = true\n",
        ["o/a"], true
      ),
    ] {
      let found = denials(route, scope)
      #expect(found.routes == routes && found.denyAll == all, "\(route): \(found)")
    }
    let host = GrantScope(source: chat, scheme: "https", host: "a.example", isSandboxed: true)
    #expect(denials("[route.a]\nmatch = \"https://b.example/{x...?}\"\n" + deny, host).routes == [])
    #expect(denials("[route.a]\nmatch = \"https://a.example/{x...?}\"\n" + deny, host).routes == ["o/a"])
  }
}

extension GrantScope {
  /// Returns the scope of an answer to a route of the tests about `note:`.
  static func ofNotes(
    _ route: String = "r0", rank: PolicyLayer = .user, source: ApplicationID? = nil, host: String? = nil,
    isSandboxed: Bool = false
  ) -> GrantScope {
    GrantScope(
      source: source, scheme: "note", host: host, askedBy: .route(PromptingRoute(rank: rank, name: route)),
      isSandboxed: isSandboxed)
  }
}
