// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

@Suite struct `If the administrator has disabled grants` {
  private static let file = "/etc/xdg/usher/locks.toml"

  private func question(
    from source: SourceApplication, origin: String? = nil, grants: [Grant] = []
  ) throws -> Question? {
    let (open, desktop) = try `The policy`.broker()
    let broker = Broker(
      layers: [], resolver: open.handlers.resolver, programs: open.applications.programs,
      grantsLockedBy: Self.file)
    let url = try URLString("note:1")
    var request = OpenRequest(urls: [url], source: source)
    (request.caller.origin, request.answers.grants) = (origin, grants)
    let decision = withExtendedLifetime(desktop) { broker.decide(url, of: request) }
    #expect(
      decision.explanation.contains {
        $0.description.contains("stored answers are ignored, because grants are disabled by \(Self.file)")
      })
    return if case .ask(let question) = decision.verdict { question } else { nil }
  }

  @Test func `a stored answer has no effect, and a new answer is for one request`() throws {
    let box = try #require(ApplicationID("org.box.App"))
    let scope = GrantScope(source: box, scheme: "note", isSandboxed: true)
    let asked = try #require(
      try question(
        from: SourceApplication(box, .sandbox), grants: [Grant(scope, .yes, assurance: .sandbox)]))
    #expect(asked.scope == nil)
    #expect(
      asked.unaskedMessage.contains("grants are disabled by \(Self.file)"), "\(asked.unaskedMessage)")
    #expect(!asked.unaskedMessage.contains("usher grants"))
  }

  @Test func `a link of a web page is opened after a click, and not by a grant`() throws {
    let asked = try #require(try question(from: .unknown, origin: "https://shop.example"))
    #expect(asked.scope == nil && asked.unaskedMessage.contains("click the link"), "\(asked.unaskedMessage)")
  }
}
