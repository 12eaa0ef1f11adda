// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Web links of other machines to services of this desktop and of its private networks.
@Suite struct `A link of another machine into the local network` {
  private static let remote: SourceApplication? = RemoteMachine("container:work").map { .remote($0) }

  private static func grant(_ answer: Answer, scheme: String = "http") throws -> Grant {
    let machine = try #require(RemoteMachine("container:work"))
    return Grant(
      GrantScope(machine: machine, scheme: scheme, isSandboxed: true), answer, assurance: .unknown)
  }

  private static func question(
    _ link: String, _ rules: WorkplaceRules, grants: [Grant] = []
  ) throws -> Question? {
    guard case .ask(let question)? = rules.verdict(link, grants: grants, from: try #require(remote)) else {
      return nil
    }
    return question
  }

  @Test(arguments: [
    "http://localhost:631/admin", "http://LOCALHOST./", "http://127.0.0.2:8080/",
    "http://[::1]:3000/", "http://[::ffff:7f00:1]/", "http://app.localhost/", "http://router.lan/",
    "http://192.168.1.1/reboot", "http://10.0.0.7/", "http://169.254.169.254/latest", "http://printer/",
    "http://a:b@localhost/",
  ])
  func `is asked about each time, whatever the user has allowed`(link: String) throws {
    let rules = try WorkplaceRules(user: "")
    let question = try #require(try Self.question(link, rules, grants: [Self.grant(.yes)]))
    #expect(question.scope == nil && question.eachLinkReason == .localNetwork)
    #expect(
      question.remedy.contains("allow = true for the link") && !question.remedy.contains("grants"),
      "\(question.remedy)")
    // A stored refusal holds.
    let remote = try #require(Self.remote)
    #expect(rules.outcome(link, grants: [try Self.grant(.no)], from: remote) == .denied)
  }

  @Test(arguments: ["http://127.1/", "http://0x7f000001/", "http://[::ffff:127.0.0.1]/", "http:localhost/"])
  func `is rejected in a spelling that programs read differently`(link: String) throws {
    let rules = try WorkplaceRules(user: "")
    let remote = try #require(Self.remote)
    #expect(rules.outcome(link, grants: [try Self.grant(.yes)], from: remote) == .unreadable)
  }

  @Test(arguments: ["http://example.org/", "http://localhost.example.org/", "http://8.8.8.8/"])
  func `is a link whose host is there, and no other`(link: String) throws {
    let rules = try WorkplaceRules(user: "")
    let remote = try #require(Self.remote)
    #expect(rules.outcome(link, grants: [try Self.grant(.yes)], from: remote) == .opened)
    #expect(try Self.question(link, rules)?.scope != nil)
  }

  @Test func `is not opened by an answer that a route stores`() throws {
    let rules = try WorkplaceRules(
      user: """
        [route.web]
        match = "http://*:*/{path...?}"
        ask = true
        remember = "scheme"
        """)
    let far = try #require(try Self.question("http://example.org/", rules)?.scope)
    let answer = Grant(far, .yes, assurance: .unknown)
    let remote = try #require(Self.remote)
    #expect(rules.outcome("http://example.org/", grants: [answer], from: remote) == .opened)
    let question = try #require(try Self.question("http://localhost:631/", rules, grants: [answer]))
    #expect(question.scope == nil)
    // Programs of the desktop are asked by their own rules.
    #expect(rules.outcome("http://localhost:631/") == .asked)
  }

  @Test func `is opened by a route that names the machine`() throws {
    let rules = try WorkplaceRules(
      user: """
        [route.development]
        match = "http://localhost:3000/{path...?}"
        source = { remote = "container:work" }
        allow = true
        """)
    let remote = try #require(Self.remote)
    #expect(rules.outcome("http://localhost:3000/", from: remote) == .opened)
    #expect(rules.outcome("http://localhost:631/", from: remote) == .asked)
  }

  @Test func `shows its port in the prompt`() throws {
    let rules = try WorkplaceRules(user: "")
    let question = try #require(try Self.question("http://localhost:631/admin?x=secret", rules))
    let text = QuestionText(question, opener: nil, title: { _ in nil })
    #expect(
      text.body
        == """
        The container work wants to open http://localhost:631/admin…
        Your answer applies only to this link, because it leads into your local network.
        """)
  }
}
