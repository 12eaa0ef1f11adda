// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Tests of `universal-links-only`, with which only an application that claims the link may open it.
@Suite(.computes) struct `A link with universal-links-only` {
  private static let viewer = "org.example.Viewer"
  private static let browser = "org.example.Browser"

  private func decide(
    _ url: String, _ rules: [(String, RouteAction)] = [], by owner: RouteLayer.Owner = .user,
    _ change: (inout OpenRequest) -> Void = { _ in }
  ) throws -> Decision {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry(
      Self.viewer, exec: "viewer %u", schemes: ["note"],
      lines: ["Actions=edit;", "[Desktop Action edit]", "Name=Edit", "Exec=viewer --edit %u"])
    try desktop.installDesktopEntry(Self.browser, exec: "viewer %u", schemes: ["http", "https"])
    try desktop.setDefaults([
      "note": [Self.viewer], "http": [Self.browser], "https": [Self.browser], "odd": [Self.browser],
      "file": [Self.browser],
    ])
    var builder = RouteTableBuilder<RouteAction>()
    for (number, (pattern, action)) in rules.enumerated() {
      try builder.add(pattern, id: "r\(number)", action: action)
    }
    let programs = ProgramSearch(path: desktop.environment["PATH"])
    let broker = Broker(
      layers: [RouteLayer(owner: owner, table: try builder.build())],
      resolver: ApplicationResolver(
        directories: BaseDirectories(environment: desktop.environment), programs: programs),
      programs: programs)
    let text = try URLString(url)
    var request = OpenRequest(urls: [text])
    request.isUniversalLinksOnly = true
    change(&request)
    return broker.decide(text, of: request)
  }

  private func opener(_ decision: Decision) -> String? {
    if case .deliver(let target) = decision.verdict { target.id.rawValue } else { nil }
  }
  private func refusal(_ decision: Decision) -> Refusal? {
    if case .refuse(let refusal) = decision.verdict { refusal } else { nil }
  }
  private func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(text)) }

  private static let web = "https://notes.example/1"
  private static let pattern = "https://notes.example/{n}"
  private static let toViewer = (pattern, RouteAction.open(application: viewer))

  @Test func `is not opened by a browser`() throws {
    for url in [Self.web, "http://notes.example/1"] {
      let decision = try decide(url)
      #expect(refusal(decision) == .noUniversalLink)
      #expect(decision.explanation.contains { $0.text.contains("no route names an application") })
      #expect(opener(try decide(url) { $0.isUniversalLinksOnly = false }) == Self.browser)
    }
  }

  @Test(arguments: RouteLayer.Owner.allCases)
  func `is opened by the application that a route of any layer names`(owner: RouteLayer.Owner) throws {
    #expect(opener(try decide(Self.web, [Self.toViewer], by: owner)) == Self.viewer)
    let edit = RouteAction.perform(application: Self.viewer, action: "edit")
    #expect(opener(try decide(Self.web, [(Self.pattern, edit)], by: owner)) == Self.viewer)
    let rewrite = RouteAction.rewrite(try ActionTemplate(url: "note:/{n}"))
    #expect(opener(try decide(Self.web, [(Self.pattern, rewrite)], by: owner)) == Self.viewer)
    let run = RouteAction.exec([try ActionTemplate(argument: "viewer")])
    guard case .run = try decide(Self.web, [(Self.pattern, run)], by: owner).verdict else {
      return #expect(Bool(false))
    }
  }

  @Test func `of another scheme is opened by an application whose entry declares the scheme`() throws {
    #expect(opener(try decide("note:/1")) == Self.viewer)
    // The desktop's list names a browser that does not claim the link itself.
    #expect(refusal(try decide("odd:/1")) == .noUniversalLink)
    #expect(refusal(try decide("nobody:/1")) == .noHandler(scheme: "nobody"))
    #expect(refusal(try decide("file:///etc/hostname")) == .noUniversalLink)
  }

  @Test func `is owned by no application if a route asks which one, whatever the user answered before`()
    throws
  {
    let ask = RouteAction.ask([.application(Self.viewer), .application(Self.browser)], remember: [])
    for answer in [nil, Self.viewer] {
      let decision = try decide(Self.web, [(Self.pattern, ask)]) { $0.answers.reported = answer }
      #expect(refusal(decision) == .noUniversalLink)
    }
    let target = try id(Self.viewer)
    #expect(
      refusal(try decide(Self.web, [(Self.pattern, ask)]) { $0.target = target }) == .noUniversalLink)
  }

  @Test func `is asked about only if an application would open it after consent`() throws {
    let whether = RouteAction.ask([], remember: [])
    #expect(refusal(try decide(Self.web, [(Self.pattern, whether)])) == .noUniversalLink)
    guard case .ask(let question) = try decide("note:/1", [("note:/{n}", whether)]).verdict else {
      return #expect(Bool(false))
    }
    #expect(question.choices.isEmpty)
    // The restriction applies to the broker's own questions, too.
    let box = SourceApplication(try id("org.box.App"), .sandbox)
    #expect(refusal(try decide(Self.web) { $0.caller.source = box }) == .noUniversalLink)
    guard case .ask = try decide("note:/1", [], by: .user, { $0.caller.source = box }).verdict else {
      return #expect(Bool(false))
    }
  }

  @Test func `is opened by a requested target only if that owns the link`() throws {
    let (viewer, browser) = (try id(Self.viewer), try id(Self.browser))
    #expect(opener(try decide(Self.web, [Self.toViewer]) { $0.target = viewer }) == Self.viewer)
    #expect(refusal(try decide(Self.web, [Self.toViewer]) { $0.target = browser }) == .noUniversalLink)
    #expect(refusal(try decide(Self.web) { $0.target = browser }) == .noUniversalLink)
    #expect(opener(try decide("note:/1") { $0.target = viewer }) == Self.viewer)
    #expect(refusal(try decide("note:/1") { $0.target = browser }) == .noUniversalLink)
  }

  @Test func `is denied like other links`() throws {
    let deny = RouteAction.deny(reason: "no")
    #expect(
      refusal(try decide(Self.web, [(Self.pattern, deny)]))
        == .denied(reason: "the user's route “r0” denies the link: no"))
    guard case .denied? = refusal(try decide("javascript:alert(1)")) else { return #expect(Bool(false)) }
  }
}
