// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Decisions on sign-ins of programs on other machines.
@Suite struct `A sign-in of another machine` {
  private static let url =
    "https://accounts.example/authorize?client_id=cli&state=s1&redirect_uri=http%3A%2F%2Flocalhost%3A8085%2Fcb"

  private func decide(
    _ url: String = url, _ rules: [(PolicyLayer, String, RouteAction, [RouteCondition])] = [],
    on name: String? = "build", _ change: (inout OpenRequest) -> Void = { _ in }
  ) throws -> Decision.Verdict {
    let open = RouteAction.open(application: "org.example.Viewer")
    let (broker, desktop) = try `The policy`.broker(
      rules + [(.vendor, "https://accounts.example/{x...}", open, [])])
    let text = try URLString(url)
    var request = OpenRequest(urls: [text])
    if let name { request.caller.source = .remote(try #require(RemoteMachine(name))) }
    change(&request)
    return withExtendedLifetime(desktop) { broker.decide(text, of: request).verdict }
  }

  private func question(_ verdict: Decision.Verdict) -> Question? {
    if case .ask(let question) = verdict { question } else { nil }
  }

  private func denial(_ verdict: Decision.Verdict) -> String? {
    switch verdict {
    case .refuse(.denied(let reason)), .refuse(.declined(let reason)): reason
    default: nil
    }
  }

  @Test func `is asked about each time, whatever routes and stored answers allow`() throws {
    let machine = try #require(RemoteMachine("build"))
    let remote = try RouteCondition(RouteCondition.Name.remote, anyOf: ["build"])
    let allow = [
      (PolicyLayer.finalAdministrator, "https://accounts.example/{x...}", RouteAction.allow, [remote])
    ]
    let grant = Grant(
      GrantScope(machine: machine, scheme: "https", isSandboxed: true), .yes, assurance: .unknown)
    for verdict in [
      try decide(), try decide(Self.url, allow), try decide { $0.answers.grants = [grant] },
      try decide { $0.answers.reported = "yes" },
    ] {
      let asked = try #require(question(verdict))
      guard case .signIn(let redirect) = asked.reason else {
        Issue.record("\(asked)")
        return
      }
      #expect(redirect.port == 8_085 && redirect.client == "cli" && asked.scope == nil)
      #expect(asked.unaskedMessage.contains("the user is asked each time"), "\(asked.unaskedMessage)")
      let allowed = try decide { $0.answers.given[asked.identity] = .yes }
      guard case .deliver(let target) = allowed else {
        Issue.record("\(allowed)")
        return
      }
      #expect(target.id.rawValue == "org.example.Viewer")
      #expect(denial(try decide { $0.answers.given[asked.identity] = .no }) == "the user refused it")
    }
  }

  @Test func `has an answer of its own for each state, port and machine`() throws {
    let asked = try #require(question(try decide()))
    let others = [
      Self.url.replacing("s1", with: "s2"), Self.url.replacing("8085", with: "8086"),
      Self.url.replacing("=cli&", with: "=other&"), Self.url + "&scope=all",
    ]
    for url in others {
      #expect(question(try decide(url) { $0.answers.given[asked.identity] = .yes }) != nil)
    }
    #expect(question(try decide(on: "other") { $0.answers.given[asked.identity] = .yes }) != nil)
  }

  @Test func `is rejected where a rule or a stored answer rejects the link`() throws {
    let deny = [
      (
        PolicyLayer.administrator, "https://accounts.example/{x...}", RouteAction.deny(reason: "no"),
        [RouteCondition]()
      )
    ]
    #expect(denial(try decide(Self.url, deny))?.hasSuffix("no") == true)
    let asked = try #require(question(try decide()))
    let scope = try #require(asked.answeringScopes.first)
    let refused = try decide { $0.answers.grants = [Grant(scope, .no, assurance: .unknown)] }
    #expect(denial(refused)?.contains("usher grants revoke --remote build --scheme https") == true)
  }

  @Test func `is refused together with other links, and if its redirect is unclear`() throws {
    let other = try URLString("note:1")
    #expect(denial(try decide { $0.urls.append(other) })?.contains("open its link alone") == true)
    let twice = Self.url + "&redirect_uri=http%3A%2F%2Flocalhost%3A8086%2F"
    #expect(denial(try decide(twice))?.contains("redirect_uri more than once") == true)
  }

  @Test func `that waits for its answer lets no stored answer open other web links of the machine`() throws {
    let machine = try #require(RemoteMachine("build"))
    let link = "https://accounts.example/help"
    func grant(_ answer: Answer, _ scheme: String = "https") -> Grant {
      Grant(GrantScope(machine: machine, scheme: scheme, isSandboxed: true), answer, assurance: .unknown)
    }
    #expect(question(try decide(link) { $0.answers.grants = [grant(.yes)] }) == nil)
    func decideWaiting(
      _ url: String, _ rules: [(PolicyLayer, String, RouteAction, [RouteCondition])] = [],
      _ grants: [Grant]? = nil, on name: String? = "build", answered: Question.Identity? = nil
    ) throws -> Decision.Verdict {
      try decide(url, rules, on: name) { request in
        request.answers.grants = grants ?? [grant(.yes)]
        request.caller.signInWaits = true
        if let answered { request.answers.given[answered] = .yes }
      }
    }
    let asked = try #require(question(try decideWaiting(link)))
    #expect(asked.reason == .sandbox && asked.scope == nil)
    #expect(
      asked.remedy.contains("while a sign-in of the machine waits")
        && asked.remedy.contains("allow = true for the link"), "\(asked.remedy)")
    #expect(
      QuestionText(asked, opener: nil, title: { _ in nil }).body
        == """
        The machine build wants to open https://accounts.example/help
        Your answer applies only to this link, because a sign-in of the machine waits, and this page could lead to another site that answers it.
        """)
    guard case .deliver = try decideWaiting(link, answered: asked.identity) else {
      Issue.record("the answer has no effect")
      return
    }
    #expect(question(try decideWaiting("\(link)?2", answered: asked.identity)) != nil)
    #expect(denial(try decideWaiting(link, [], [grant(.no)])) != nil)
    // A route allows what it names, and the user is asked once about a further sign-in.
    let remote = try RouteCondition(RouteCondition.Name.remote, anyOf: ["build"])
    let allow = [
      (PolicyLayer.administrator, "https://accounts.example/{x...}", RouteAction.allow, [remote])
    ]
    let allowed = try decideWaiting(link, allow)
    #expect(question(allowed) == nil && denial(allowed) == nil)
    let further = try #require(question(try decideWaiting(Self.url)))
    guard case .signIn = further.reason,
      case .deliver = try decideWaiting(Self.url, answered: further.identity)
    else {
      Issue.record("\(further)")
      return
    }
    // Other links do not lead a browser to a site, and programs here have no sign-in.
    let note = [
      (
        PolicyLayer.vendor, "note:{x...}", RouteAction.open(application: "org.example.Viewer"),
        [RouteCondition]()
      )
    ]
    #expect(question(try decideWaiting("note:1", note, [grant(.yes, "note")])) == nil)
    #expect(question(try decideWaiting(link, on: nil)) == nil)
  }

  @Test func `of a program here is a link like any other`() throws {
    let verdict = try decide(on: nil)
    #expect(question(verdict) == nil && denial(verdict) == nil)
    let twice = Self.url + "&redirect_uri=http%3A%2F%2Flocalhost%3A8086%2F"
    #expect(denial(try decide(twice, on: nil)) == nil)
  }

  @Test func `names machine, application, site, client and port in the question`() throws {
    let url =
      "https://accounts.example/authorize?client_id=c%20%22l%E2%80%9Di&state=secret&redirect_uri=http://[::1]:8085/"
    let asked = try #require(question(try decide(url)))
    let text = QuestionText(
      asked, opener: ApplicationID("org.example.Viewer"), title: { _ in "Viewer" })
    #expect(text.summary == "Sign in for a program on build?")
    #expect(
      text.body
        == """
        The machine build wants Viewer (org.example.Viewer) to open https://accounts.example/authorize…
        If you sign in at https://accounts.example, or at a site to which it leads, the program “c%20%22l%E2%80%9Di” at port 8085 of build gets access to your account there.
        Allow this only if you have just started it yourself. You are asked each time.
        """)
    #expect(text.options.map(\.label) == ["Sign In", "Refuse"])
  }
}
