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
        .rewrite(try ActionTemplate(url: "other:/1")),
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

  private func isDenied(
    _ rules: [(PolicyLayer, String, RouteAction, [RouteCondition])], from source: SourceApplication
  ) throws -> Bool {
    let (broker, desktop) = try `The policy`.broker(rules)
    let url = try URLString("note:/1")
    var request = OpenRequest(urls: [url], source: source)
    (request.origin, request.isByClick) = ("https://corp.example", true)
    let decision = withExtendedLifetime(desktop) { broker.decide(url, of: request) }
    if case .refuse(.denied) = decision.verdict { return true }
    return false
  }
}
