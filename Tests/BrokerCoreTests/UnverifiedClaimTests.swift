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

  @Test func `to be a part of the caller evades no rule for the application`() throws {
    let (application, part) = try Self.boxed()
    let name = try RouteCondition(RouteCondition.Name.source, anyOf: ["org.example.Boxed"])
    let assurance = try RouteCondition(RouteCondition.Name.assurance, anyOf: ["sandbox"])
    for rank in [PolicyLayer.finalAdministrator, .user, .administrator, .vendor] {
      for conditions in [[name], [name, assurance]] {
        // Neither a broader route of the layer nor one of a later layer opens the URL instead.
        let others: [Rule] = [(rank, "note:/{x}", .allow, []), (.vendor, "note:/{x...?}", .allow, [])]
        let denial: Rule = (rank, "note:/1", .deny(reason: "no"), conditions)
        #expect(try isDenied([denial] + others, from: application), "\(rank)")
        #expect(try isDenied([denial] + others, from: part, in: application), "\(rank)")
        let asking: Rule = (rank, "note:/1", .ask([], remember: [.route]), conditions)
        let decided = try decide([asking] + others, from: part, in: application)
        guard case .ask(let question) = decided.verdict else { return #expect(Bool(false), "\(rank)") }
        #expect(question.reason == .route(PromptingRoute(rank: rank, name: "r0")))
      }
    }
  }

  @Test func `to be a part of the caller gives it no rights of that name`() throws {
    let (application, part) = try Self.boxed()
    let conditions = [
      try RouteCondition(RouteCondition.Name.source, anyOf: ["org.example.Boxed.Part"]),
      try RouteCondition(RouteCondition.Name.assurance, anyOf: ["unit", "sandbox"]),
    ]
    for action in [
      RouteAction.allow, .open(application: "org.example.Other"),
      .perform(application: "org.example.Other", action: "edit"),
      .exec([try ActionTemplate(argument: "viewer")]),
      .ask([.application("org.example.Other")], remember: [.route]),
    ] {
      let rules: [Rule] = [(.user, "note:/1", action, conditions)]
      guard case .ask(let question) = try decide(rules, from: part, in: application).verdict else {
        return #expect(Bool(false), "\(action)")
      }
      // The application is asked the same question without the route.
      #expect(question.reason == .sandbox && question.scope?.source == application.id, "\(action)")
      #expect(try isDenied(rules + [Self.denial], from: part, in: application), "\(action)")
      // An application that has this name itself gets the rights.
      guard case .ask(let own) = try decide(rules, from: part).verdict else { continue }
      #expect(own.reason != .sandbox, "\(action)")
    }
    // A rule for the part restricts it.
    let rules: [Rule] = [(.user, "note:/1", .deny(reason: "no"), conditions)]
    #expect(try isDenied(rules, from: part, in: application))
    #expect(try !isDenied(rules, from: application, in: application))
  }

  @Test func `to be a part of the caller does not lend it the installation of that part`() throws {
    let (application, part) = try Self.boxed()
    let conditions = [
      try RouteCondition(RouteCondition.Name.source, matching: #"org\.example\.Boxed.*"#),
      try RouteCondition(RouteCondition.Name.installed, anyOf: ["system"]),
    ]
    let rules: [Rule] = [(.user, "note:/1", .allow, conditions), Self.denial]
    let installed = part.installed(by: .system)
    #expect(try isDenied(rules, from: installed, in: application))
    #expect(try !isDenied(rules, from: installed, in: application.installed(by: .system)))
  }

  @Test func `to be a part of the caller is not in a question`() throws {
    let (application, part) = try Self.boxed()
    let long = "org.example.Boxed.\(String(repeating: "a", count: 70)).org.mozilla.firefox"
    let forged = SourceApplication(try #require(ApplicationID(long)), .sandbox)
    for remembered in [[], [RouteAction.AnswerKey.source]] {
      let asking: Rule = (.user, "note:/1", .ask([], remember: remembered), [])
      let cases: [([Rule], SourceApplication)] = [
        ([], part), ([asking], part), ([], forged), ([asking], forged),
      ]
      for (rules, source) in cases {
        guard case .ask(let question) = try decide(rules, from: source, in: application).verdict,
          case .ask(let own) = try decide(rules, from: application, in: application).verdict
        else { return #expect(Bool(false)) }
        #expect(question == own && question.identity == own.identity)
        let text = QuestionText(question, opener: nil, title: { _ in nil })
        #expect(text.body.hasPrefix("org.example.Boxed wants"), "\(text.body)")
      }
    }
  }

  @Test func `to be a part of the caller is not inserted into a URL`() throws {
    let (application, part) = try Self.boxed()
    let rewrite = RouteAction.rewrite(try ActionTemplate(url: "other://{@source=unknown}/1"))
    let rules: [Rule] = [
      (.user, "note:/1", rewrite, []), (.user, "other://org.example.boxed/1", .deny(reason: "no"), []),
      (.user, "other://{host...}/1", .allow, []),
    ]
    #expect(try isDenied(rules, from: part, in: application))
    #expect(try !isDenied(rules, from: part))
  }

  private typealias Rule = (PolicyLayer, String, RouteAction, [RouteCondition])

  private static let denial: Rule = (.user, "note:/{x}", .deny(reason: "no"), [])

  /// Returns a sandboxed application, and the part of it that it claims to be.
  private static func boxed() throws -> (application: SourceApplication, part: SourceApplication) {
    let part = SourceApplication(try #require(ApplicationID("org.example.Boxed.Part")), .sandbox)
    return (part.inSandbox(of: try #require(ApplicationID("org.example.Boxed"))), part)
  }

  private func isDenied(
    _ rules: [(PolicyLayer, String, RouteAction, [RouteCondition])], from source: SourceApplication,
    in sandbox: SourceApplication? = nil
  ) throws -> Bool {
    if case .refuse(.denied) = try decide(rules, from: source, in: sandbox).verdict { return true }
    return false
  }

  private func decide(
    _ rules: [(PolicyLayer, String, RouteAction, [RouteCondition])], from source: SourceApplication,
    in sandbox: SourceApplication? = nil, _ grants: [Grant] = []
  ) throws -> Decision {
    let (broker, desktop) = try `The policy`.broker(rules)
    let url = try URLString("note:/1")
    var request = OpenRequest(urls: [url], source: source)
    (request.caller.sandbox, request.caller.isByClick, request.answers.grants) = (sandbox, true, grants)
    // The claim to be a part of the application is the only one.
    if sandbox == nil { request.caller.origin = "https://corp.example" }
    return withExtendedLifetime(desktop) { broker.decide(url, of: request) }
  }
}
