// SPDX-License-Identifier: Apache-2.0
import RegularLanguages
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

@Suite(.computes) struct `An unverified claim` {
  @Test func `of a sandboxed application can only remove rights`() throws {
    let chat = try #require(ApplicationID("org.example.Chat"))
    let claimed = SourceApplication(chat, .claimed)
    let origin = RouteCondition(
      RouteCondition.Name.origin, try RegularLanguage(anyOf: ["https://corp.example"]))
    let name = try RouteCondition(RouteCondition.Name.source, anyOf: [chat.rawValue])
    let no = RouteAction.deny(reason: "no")
    for condition in [origin, name] {
      for action in [
        RouteAction.allow, .open(application: "org.example.Other"),
        .rewrite(try ActionTemplate(url: "other:/1")), .ask([], remember: [.route]),
        .ask([.application("org.example.Other")], remember: [.route]),
      ] {
        let rules = [
          (PolicyLayer.finalAdministrator, "note:/1", action, [condition]), (.user, "note:/{x}", no, []),
        ]
        #expect(try isDenied(rules, from: claimed.sandboxed), "\(condition.name) \(action)")
        #expect(try !isDenied(rules, from: claimed), "\(condition.name) \(action)")
      }
      // A rule that restricts the claimed source applies.
      let rules = [(PolicyLayer.finalAdministrator, "note:/1", no, [condition])]
      #expect(try isDenied(rules, from: claimed.sandboxed), "\(condition.name)")
    }
  }

  @Test func `lifts no denial by a question, in its layer or another one`() throws {
    let chat = try #require(ApplicationID("org.example.Chat"))
    let claimed = SourceApplication(chat, .claimed)
    for condition in [
      try RouteCondition(RouteCondition.Name.origin, anyOf: ["https://corp.example"]),
      try RouteCondition(RouteCondition.Name.source, anyOf: [chat.rawValue]),
    ] {
      for rank in [PolicyLayer.user, .administrator, .vendor] {
        let rules = [
          (PolicyLayer.user, "note:/1", RouteAction.ask([], remember: [.route]), [condition]),
          (rank, "note:/{x}", .deny(reason: "no"), []),
        ]
        #expect(try isDenied(rules, from: claimed.sandboxed), "\(condition.name) \(rank)")
        #expect(try !isDenied(rules, from: claimed), "\(condition.name) \(rank)")
      }
    }
  }

  @Test func `does not lift a denial of callers without a name`() throws {
    let chat = try #require(ApplicationID("org.example.Chat"))
    let unnamed = [
      try RouteCondition(RouteCondition.Name.sandboxed, anyOf: ["yes"]),
      try RouteCondition(RouteCondition.Name.assurance, anyOf: ["unknown"]),
    ]
    for rank in [PolicyLayer.finalAdministrator, .user, .administrator] {
      let denial = (rank, "note:/1", RouteAction.deny(reason: "no"), unnamed)
      for rules in [[denial], [denial, (rank, "note:/{x}", .allow, [])]] {
        #expect(try isDenied(rules, from: .unseen), "\(rank)")
        #expect(try isDenied(rules, from: SourceApplication(chat, .claimed).sandboxed), "\(rank)")
        #expect(try !isDenied(rules, from: SourceApplication(chat, .unit).sandboxed), "\(rank)")
      }
    }
  }

  @Test func `adds a question, whose answer replaces no other one and does not choose the application`()
    throws
  {
    let chat = try #require(ApplicationID("org.example.Chat"))
    let origin = try RouteCondition(RouteCondition.Name.origin, anyOf: ["https://corp.example"])
    let rules = [
      (PolicyLayer.user, "note:/1", RouteAction.ask([], remember: [.route]), [origin]),
      (.user, "note:/{x}", .open(application: "org.example.Other"), []),
    ]
    let source = SourceApplication(chat, .claimed).sandboxed
    let own = Grant(
      GrantScope(source: chat, scheme: "note", isSandboxed: true), .yes, assurance: .claimed)
    let route = Grant(
      GrantScope(askedBy: .route(PromptingRoute(rank: .user, name: "r0")), isSandboxed: true), .yes,
      assurance: .claimed)
    func verdict(_ grants: [Grant]) throws -> Decision.Verdict {
      try decide(rules, from: source, grants).verdict
    }
    for grants in [[], [route]] {
      guard case .ask(let question) = try verdict(grants) else { return #expect(Bool(false)) }
      #expect(question.reason == .sandbox)
    }
    guard case .ask(let added) = try verdict([own]) else { return #expect(Bool(false)) }
    #expect(added.scope == route.scope)
    guard case .deliver(let target) = try verdict([own, route]) else { return #expect(Bool(false)) }
    #expect(target.id.rawValue == "org.example.Other")
  }

  @Test func `is not inserted into a URL, for which another route may grant something`() throws {
    let chat = try #require(ApplicationID("org.example.Chat"))
    let rewrite = RouteAction.rewrite(try ActionTemplate(url: "other://{@source=unknown}/1"))
    let rules: [(PolicyLayer, String, RouteAction, [RouteCondition])] = [
      (.user, "note:/1", rewrite, []), (.user, "other://org.example.chat/1", .allow, []),
      (.user, "other://unknown/1", .deny(reason: "no"), []),
    ]
    #expect(try isDenied(rules, from: .unseen))
    #expect(try isDenied(rules, from: SourceApplication(chat, .claimed).sandboxed))
    #expect(try !isDenied(rules, from: SourceApplication(chat, .claimed)))
    #expect(try !isDenied(rules, from: SourceApplication(chat, .unit).sandboxed))
  }

  @Test func `lets a caller with a verified name run no program by its origin`() throws {
    let chat = try #require(ApplicationID("org.example.Chat"))
    let name = try RouteCondition(RouteCondition.Name.source, anyOf: [chat.rawValue])
    let origin = try RouteCondition(RouteCondition.Name.origin, anyOf: ["https://corp.example"])
    let run = RouteAction.exec([try ActionTemplate(argument: "viewer")])
    let rules = [(PolicyLayer.user, "note:/1", run, [name, origin])]
    let source = SourceApplication(chat, .unit)
    guard case .ask = try decide(rules, from: source.sandboxed).verdict else { return #expect(Bool(false)) }
    guard case .run = try decide(rules, from: source).verdict else { return #expect(Bool(false)) }
  }

  private func isDenied(
    _ rules: [(PolicyLayer, String, RouteAction, [RouteCondition])], from source: SourceApplication
  ) throws -> Bool {
    if case .refuse(.denied) = try decide(rules, from: source).verdict { return true }
    return false
  }

  private func decide(
    _ rules: [(PolicyLayer, String, RouteAction, [RouteCondition])], from source: SourceApplication,
    _ grants: [Grant] = []
  ) throws -> Decision {
    let (broker, desktop) = try `The policy`.broker(rules)
    let url = try URLString("note:/1")
    var request = OpenRequest(urls: [url], source: source)
    (request.origin, request.isByClick, request.grants) = ("https://corp.example", true, grants)
    return withExtendedLifetime(desktop) { broker.decide(url, of: request) }
  }
}
