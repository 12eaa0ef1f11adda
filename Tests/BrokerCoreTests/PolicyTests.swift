// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// The policy without any file, and with routes that change it.
@Suite(.computes) struct `The policy` {
  /// Creates a desktop with a viewer for `note:` and `https:`, and another for `other:`.
  static func broker(
    _ rules: [(PolicyLayer, String, RouteAction, [RouteCondition])] = []
  ) throws -> (Broker, ThrowAwayDesktop) {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry(
      "org.example.Viewer", exec: "viewer %u", schemes: ["note", "https", "file", "javascript", "ms-x"])
    try desktop.installDesktopEntry("org.example.Other", exec: "viewer %u", schemes: ["other"])
    try desktop.setDefaults(["note": ["org.example.Viewer"], "other": ["org.example.Other"]])
    let layers = try RouteLayer.Owner.allCases.map { owner in
      var builder = RouteTableBuilder<RouteAction>()
      for (number, (rank, pattern, action, conditions)) in rules.enumerated() {
        let isFinal = rank == .finalAdministrator
        guard owner.rank(isFinal: isFinal) == rank else { continue }
        try builder.add(pattern, id: "r\(number)", action: action, rank: rank, when: conditions)
      }
      return RouteLayer(owner: owner, table: try builder.build())
    }
    let programs = ProgramSearch(path: desktop.environment["PATH"])
    let resolver = ApplicationResolver(
      directories: BaseDirectories(environment: desktop.environment), programs: programs)
    return (Broker(layers: layers, resolver: resolver, programs: programs), desktop)
  }

  private func decide(
    _ url: String, _ rules: [(PolicyLayer, String, RouteAction, [RouteCondition])] = [],
    _ change: (inout OpenRequest) -> Void = { _ in }
  ) throws -> Decision {
    let (broker, desktop) = try Self.broker(rules)
    let text = try URLString(url)
    var request = OpenRequest(urls: [text])
    change(&request)
    return withExtendedLifetime(desktop) { broker.decide(text, of: request) }
  }

  private static let box = ApplicationID("org.box.App").map { SourceApplication($0, .sandbox) } ?? .unknown
  private static let chat = ApplicationID("org.example.Chat")
  private func opener(_ decision: Decision) -> String? {
    if case .deliver(let target) = decision.verdict { target.id.rawValue } else { nil }
  }
  private func question(_ decision: Decision) -> Question? {
    if case .ask(let question) = decision.verdict { question } else { nil }
  }
  private func denial(_ decision: Decision) -> String? {
    switch decision.verdict {
    case .refuse(.denied(let reason)), .refuse(.declined(let reason)): reason
    default: nil
    }
  }
  /// Returns the message of a denial by the administrator's first final route.
  private static func final(_ reason: String) -> String {
    "the administrator's final route “r0” denies the link: \(reason)"
  }
  private func condition(_ name: String, _ text: String) throws -> RouteCondition {
    try RouteCondition(name, anyOf: [text])
  }

  @Test func `outside a sandbox every caller may open registered schemes, identified or not`() throws {
    let chat = try #require(Self.chat)
    for source in [
      SourceApplication.unknown, .hidden(by: chat), .init(chat, .claimed), .init(chat, .executable),
      .init(chat, .unit),
    ] {
      #expect(opener(try decide("note:1") { $0.caller.source = source }) == "org.example.Viewer")
    }
  }

  @Test func `a sandboxed source causes one question for each scheme`() throws {
    let asked = try #require(question(try decide("note:1") { $0.caller.source = Self.box }))
    #expect(asked.reason == .sandbox && asked.choices.isEmpty)
    #expect(asked.scope == GrantScope(source: Self.box.id, scheme: "note", isSandboxed: true))
    let scope = try #require(asked.scope)
    let yes = Grant(scope, .yes, assurance: .sandbox)
    let change: (inout OpenRequest) -> Void = { ($0.caller.source, $0.answers.grants) = (Self.box, [yes]) }
    #expect(opener(try decide("note:2", [], change)) == "org.example.Viewer")
    // The answer applies neither to another scheme nor to another source.
    #expect(question(try decide("other:2", [], change)) != nil)
    let other = SourceApplication(try #require(Self.chat), .sandbox)
    #expect(question(try decide("note:2") { ($0.caller.source, $0.answers.grants) = (other, [yes]) }) != nil)
    // 2000-02-29, 12:00 UTC.
    for (expires, time) in [(951_825_600_000_000, "until 2000-02-29 (UTC)"), (nil, "without expiry")]
      as [(Int64?, String)]
    {
      let no = Grant(scope, .no, assurance: .sandbox, expires: expires)
      let reason = denial(try decide("note:2") { ($0.caller.source, $0.answers.grants) = (Self.box, [no]) })
      #expect(
        reason
          == "you have refused such links, and your answer is stored \(time); to be asked again, run: usher grants revoke --source org.box.App --scheme note"
      )
    }
    // A link without an application needs no question.
    #expect(question(try decide("nothing:2") { $0.caller.source = Self.box }) == nil)
  }

  @Test func `the command that answers in advance quotes the names in it`() throws {
    let source = SourceApplication(try #require(ApplicationID("Foo & Bar's;x")), .unit)
    let box = SourceApplication(try #require(source.id), .sandbox)
    let asked = try #require(question(try decide("note:1") { $0.caller.source = box }))
    let quoted = #"usher grants allow --source 'Foo & Bar'\''s;x' --scheme note"#
    #expect(asked.remedy.hasSuffix("run: \(quoted)"), "\(asked.remedy)")
    let scope = try #require(asked.scope)
    #expect(scope.options == #"--source 'Foo & Bar'\''s;x' --scheme note"#)
    #expect(
      GrantScope(.notifications, of: try #require(source.id)).options
        == #"--permission notifications 'Foo & Bar'\''s;x'"#)
    // zsh takes brackets for a pattern.
    let web = try #require(question(try decide("note:1") { $0.caller.origin = "http://[::1]:8080" }))
    #expect(
      web.remedy.hasSuffix("run: usher grants allow --origin 'http://[::1]:8080' --scheme note"),
      "\(web.remedy)")
    let asker = PromptingRoute(rank: .user, name: "user/two words")
    let route = GrantScope(scheme: "note", askedBy: .route(asker), isSandboxed: false)
    #expect(route.options == "--scheme note --route 'user/two words'")
  }

  @Test func `a web page without a click causes one question for its origin and scheme`() throws {
    let chat = SourceApplication(try #require(Self.chat), .unit)
    for origin in ["https://shop.example/basket?id=secret", "HTTPS://u:p@Shop.example:443"] {
      let asked = try #require(
        question(try decide("note:1") { ($0.caller.source, $0.caller.origin) = (chat, origin) }))
      let web = try #require(WebOrigin("https://shop.example"))
      #expect(asked.reason == .web(web))
      #expect(asked.scope == GrantScope(origin: web, scheme: "note", isSandboxed: false))
      let grant = Grant(try #require(asked.scope), .yes, assurance: .unknown)
      #expect(
        opener(try decide("note:1") { ($0.caller.origin, $0.answers.grants) = (origin, [grant]) }) != nil)
      #expect(
        opener(try decide("note:1") { ($0.caller.origin, $0.caller.isByClick) = (origin, true) }) != nil)
    }
    // An opaque origin is asked about every time.
    #expect(try #require(question(try decide("note:1") { $0.caller.origin = "null" })).scope == nil)
    for origin in ["org.example.Chat", "app://page", "file:///x", "ftp://x"] {
      #expect(opener(try decide("note:1") { $0.caller.origin = origin }) != nil, "\(origin)")
    }
  }

  @Test func `a route that requires a user activation does not accept the claim of a sandboxed application`()
    throws
  {
    let userActivation = try condition(RouteCondition.Name.userActivation, "clicked")
    let outside = try condition(RouteCondition.Name.sandboxed, "")
    let open = RouteAction.open(application: "org.example.Other")
    let rules = [(PolicyLayer.user, "note:1", open, [userActivation])]
    #expect(opener(try decide("note:1", rules)) == "org.example.Viewer")
    #expect(opener(try decide("note:1", rules) { $0.caller.isByClick = true }) == "org.example.Other")
    let boxed: (inout OpenRequest) -> Void = { ($0.caller.source, $0.caller.isByClick) = (Self.box, true) }
    #expect(question(try decide("note:1", rules + [(.vendor, "note:{x}", .allow, [])], boxed)) == nil)
    #expect(
      opener(try decide("note:1", rules + [(.vendor, "note:{x}", .allow, [])], boxed)) == "org.example.Viewer"
    )
    #expect(opener(try decide("note:1", [(.user, "note:1", open, [outside])])) == "org.example.Other")
    #expect(
      question(try decide("note:1", [(.user, "note:1", open, [outside])]) { $0.caller.source = Self.box })
        != nil)
  }

  @Test func `a consent given in a prompt is reported, and not as a grant`() throws {
    let ask = [(PolicyLayer.user, "note:{x}", RouteAction.ask([], remember: [.scheme]), [RouteCondition]())]
    #expect(try decide("note:1", ask) { $0.answers.reported = "yes" }.isAllowedByUser)
    #expect(try !decide("note:1", ask) { $0.answers.reported = "no" }.isAllowedByUser)
    #expect(
      try !decide("note:1", ask) {
        $0.answers.grants = [Grant(GrantScope.ofNotes(), .yes, assurance: .unknown)]
      }.isAllowedByUser)
    #expect(try !decide("note:1").isAllowedByUser)
  }

  @Test func `a click, an answer or an origin that a sandboxed application claims is ignored`() throws {
    let change: (inout OpenRequest) -> Void = { request in
      request.caller.source = Self.box
      request.caller.isByClick = true
      request.answers.reported = "yes"
      request.caller.origin = "https://trusted.example"
    }
    #expect(question(try decide("note:1", [], change))?.reason == .sandbox)
    let trusting = try condition(RouteCondition.Name.origin, "https://trusted.example")
    let open = RouteAction.open(application: "org.example.Other")
    #expect(question(try decide("note:1", [(.user, "note:1", open, [trusting])], change)) != nil)
    // A caller outside a sandbox is trusted, because it could start the program itself.
    #expect(
      opener(
        try decide("note:1", [(.user, "note:1", open, [trusting])]) {
          $0.caller.origin = "https://trusted.example"
        }) == "org.example.Other")
  }

  @Test func `a sandboxed source with a claimed name gets no rights of that name`() throws {
    let id = try #require(Self.box.id)
    let named = try condition(RouteCondition.Name.source, "org.box.App")
    let exec = RouteAction.exec([try ActionTemplate(argument: "viewer")])
    let open = RouteAction.open(application: "org.example.Other")
    for (assurance, isBelieved) in [(Assurance.claimed, false), (.unit, true), (.sandbox, true)] {
      let source = SourceApplication(id, assurance).sandboxed
      let ran = try decide("note:1", [(.user, "note:1", exec, [named])]) { $0.caller.source = source }
      #expect((denial(ran) == nil) == isBelieved, "\(assurance)")
      let opened = try decide("note:1", [(.user, "note:1", open, [named])]) { $0.caller.source = source }
      #expect((question(opened) == nil) == isBelieved, "\(assurance)")
    }
    // An unidentified caller has no scope that could be stored.
    let unidentified = try #require(question(try decide("note:1") { $0.caller.source = .unseen }))
    #expect(unidentified.reason == .sandbox && unidentified.scope == nil)
  }

  @Test func `a route that allows, or names the source, avoids the question`() throws {
    let named = try condition(RouteCondition.Name.source, "org.box.App")
    let open = RouteAction.open(application: "org.example.Other")
    for (action, conditions, isAsked) in [
      (RouteAction.allow, [RouteCondition](), false), (open, [named], false), (open, [], true),
      (.handler("x"), [named], true),
    ] {
      let decision = try decide("note:1", [(.user, "note:1", action, conditions)]) {
        $0.caller.source = Self.box
      }
      #expect((question(decision) != nil) == isAsked, "\(action)")
    }
  }

  @Test func `a rewrite that names the source or its page avoids no question`() throws {
    // Of the URLs, the rewrite keeps one and removes the query of the other.
    let rewrite = RouteAction.rewrite(try ActionTemplate(url: "note:/{x}"))
    let source = [try condition(RouteCondition.Name.source, "org.box.App")]
    let page = [try condition(RouteCondition.Name.origin, "https://page.example")]
    for url in ["note:/1", "note:/1?utm=1"] {
      for target in [nil, ApplicationID("org.example.Viewer")] {
        let boxed = try decide(url, [(.user, "note:/{x}", rewrite, source)]) { request in
          (request.caller.source, request.target) = (Self.box, target)
        }
        #expect(question(boxed)?.reason == .sandbox, "\(url)")
        let opened = try decide(url, [(.user, "note:/{x}", rewrite, page)]) { request in
          (request.caller.origin, request.target) = ("https://page.example", target)
        }
        guard case .web? = question(opened)?.reason else { return #expect(Bool(false), "\(url)") }
      }
    }
  }

  @Test func `a sandboxed caller cannot open file: URLs, not even by a rewrite or with a grant`() throws {
    let scope = GrantScope(source: Self.box.id, scheme: "file", isSandboxed: true)
    let rules: [(PolicyLayer, String, RouteAction, [RouteCondition])] = [
      (.user, "note:/{x...}", .rewrite(try ActionTemplate(url: "file:///{x}")), []),
      (.user, "file:///{x...}", .allow, []),
    ]
    for url in ["file:///etc/passwd", "FILE:///etc/passwd", "note:/etc/passwd"] {
      let decision = try decide(url, rules) { request in
        request.caller.source = Self.box
        request.answers.grants = [Grant(scope, .yes, assurance: .sandbox)]
      }
      #expect(denial(decision)?.contains("may not open local files") == true, "\(url): \(decision.verdict)")
    }
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x", "view-source:x", "blob:x",
    "chrome://settings", "chrome-extension://x", "moz-extension://x", "ms-msdt:/id", "search-ms:x", "jar:x",
    "about:blank", "ws://x", "urn:x", "x-scheme-handler:x",
  ])
  func `schemes that no route may open`(url: String) throws {
    let scheme = try URLString(url).scheme
    let allow: [(PolicyLayer, String, RouteAction, [RouteCondition])] = [
      (
        .finalAdministrator, scheme == "ws" ? "ws://*/{x...?}" : "\(scheme):{x...?}",
        .open(application: "org.example.Viewer"), []
      )
    ]
    for rules in [[], allow] {
      #expect(denial(try decide(url, rules))?.contains("never opened") == true, "\(url)")
      let target = ApplicationID("org.example.Viewer")
      #expect(denial(try decide(url, rules) { $0.target = target }) != nil, "\(url)")
    }
  }

  @Test(arguments: ["ms-word", "ms-excel", "ms-powerpoint", "ms-visio", "microsoft-edge", "nntp", "chrome-x"])
  func `A scheme beside a reserved one is opened`(scheme: String) throws {
    #expect(SchemePolicy.refusal(of: scheme) == nil)
    #expect(URLScheme(scheme)?.refusal == nil)
  }

  @Test(arguments: [
    "note:/javascript%3Aalert(1)", "note:/JaVaScRiPt%3Ax", "note:/%20javascript%3Ax",
    "note:/java%0Ascript%3Ax",
    "note:/data%3Atext%2Fhtml,x", "note:/view-source%3Ahttp%3A%2F%2Fx",
  ])
  func `a forbidden scheme is never an argument of a program`(url: String) throws {
    for argument in ["{x}", "--app={x}"] {
      let run = RouteAction.exec([
        try ActionTemplate(argument: "viewer"), try ActionTemplate(argument: "--"),
        try ActionTemplate(argument: argument),
      ])
      #expect(denial(try decide(url, [(.user, "note:/{x}", run, [])])) != nil, "\(argument)")
      #expect(denial(try decide("note:/https%3A%2F%2Fh", [(.user, "note:/{x}", run, [])])) == nil)
    }
    // The author of the route wrote this URL.
    let written = RouteAction.exec([
      try ActionTemplate(argument: "viewer"), try ActionTemplate(argument: "about:blank"),
    ])
    #expect(denial(try decide("note:/x", [(.user, "note:/{x}", written, [])])) == nil)
  }

  @Test func `an explanation says that a route is final`() throws {
    let decision = try decide("note:/x", [(.finalAdministrator, "note:/{x}", .deny(reason: "no"), [])])
    #expect(decision.explanation.contains { $0.text.hasPrefix("the administrator's final route “") })
  }

  @Test func `a rewrite to a forbidden scheme is rejected`() throws {
    let rewrite = RouteAction.rewrite(try ActionTemplate(url: "javascript:{x}"))
    let decision = try decide("note:/alert", [(.user, "note:/{x}", rewrite, [])])
    #expect(denial(decision)?.contains("never opened") == true)
    #expect(decision.url.scheme == "javascript")
  }

  @Test(arguments: [
    "file:///tmp", "http://h.example/", "https://h.example/", "ftp://h/", "mailto:a", "tel:1", "sms:1",
  ])
  func `everyday schemes are not forbidden`(url: String) throws {
    #expect(denial(try decide(url)) == nil)
  }

  @Test func `a user's file cannot override a final deny`() throws {
    let deny = RouteAction.deny(reason: "not from here")
    let attempts: [[(PolicyLayer, String, RouteAction, [RouteCondition])]] = [
      [(.user, "note:/{x}", .allow, [])],
      [(.user, "note:/{x}", .open(application: "org.example.Other"), [])],
      [(.user, "note:/1", .exec([try ActionTemplate(argument: "viewer")]), [])],
      [(.user, "note:/1", .ask(["org.example.Other"], remember: [.scheme]), [])],
    ]
    for attempt in attempts {
      let rules = [(PolicyLayer.finalAdministrator, "note:/{x...?}", deny, [RouteCondition]())] + attempt
      let decision = try decide("note:/1", rules) { request in
        request.answers.reported = "yes"
        request.target = ApplicationID("org.example.Other")
        request.caller.isByClick = true
        request.answers.grants = [Grant(GrantScope.ofNotes("r1"), .yes, assurance: .unknown)]
      }
      #expect(denial(decision) == Self.final("not from here"), "\(attempt)")
    }
    // A rewrite to the denied URL does not help either.
    let detour = (
      PolicyLayer.user, "other:/{x}", RouteAction.rewrite(try ActionTemplate(url: "note:/{x}")),
      [RouteCondition]()
    )
    let rules = [(PolicyLayer.finalAdministrator, "note:/{x...?}", deny, [RouteCondition]()), detour]
    #expect(denial(try decide("other:/1", rules)) == Self.final("not from here"))
  }

  @Test func `a target named by the caller replaces the choice of the application, not the permission`()
    throws
  {
    let target = try #require(ApplicationID("org.example.Other"))
    func decided(
      _ action: RouteAction, _ rank: PolicyLayer = .user, from source: SourceApplication = .unknown
    )
      throws -> Decision
    {
      try decide("note:/1", [(rank, "note:/{x}", action, [])]) {
        ($0.target, $0.caller.source) = (target, source)
      }
    }
    #expect(opener(try decided(.open(application: "org.example.Viewer"))) == "org.example.Other")
    #expect(
      opener(try decided(.rewrite(try ActionTemplate(url: "https://x.example/")))) == "org.example.Other")
    #expect(
      opener(try decided(.open(application: "org.example.Viewer"), .finalAdministrator))
        == "org.example.Viewer")
    #expect(denial(try decided(.deny(reason: "no"))) == "the user's route “r0” denies the link: no")
    #expect(question(try decided(.ask([], remember: []))) != nil)
    #expect(opener(try decided(.ask(["org.example.Other"], remember: []))) == "org.example.Other")
    #expect(question(try decided(.ask(["org.example.Viewer"], remember: []))) != nil)
    // A sandboxed caller cannot name a target that does not open such links, regardless of routes.
    #expect(
      denial(try decided(.allow, from: Self.box))?.contains("only for schemes that the desktop entry of")
        == true)
    #expect(
      denial(try decided(.open(application: "org.example.Viewer"), from: Self.box))?
        .contains("only for schemes that the desktop entry of") == true)
    #expect(question(try decided(.ask(["org.example.Other"], remember: []), from: Self.box)) != nil)
  }

  @Test func `a target replaces a rewrite, and not the rules that the rewrite precedes`() throws {
    let target = try #require(ApplicationID("org.example.Other"))
    let rewrite = RouteAction.rewrite(try ActionTemplate(url: "https://x.example/"))
    for rank in [PolicyLayer.user, .administrator, .vendor] {
      func decided(_ action: RouteAction, to target: ApplicationID?) throws -> Decision {
        try decide("note:/1", [(.user, "note:/1", rewrite, []), (rank, "note:/{x}", action, [])]) {
          $0.target = target
        }
      }
      #expect(denial(try decided(.deny(reason: "no"), to: target)) != nil, "\(rank)")
      #expect(question(try decided(.ask([], remember: []), to: target)) != nil, "\(rank)")
      let allowed = try decided(.allow, to: target)
      #expect(opener(allowed) == target.rawValue && allowed.url.text == "note:/1", "\(rank)")
      let steps = allowed.explanation.map(\.text)
      #expect(
        steps.contains { $0.contains("does not rewrite it, because the caller requested org.example.Other") },
        "\(steps)")
      // Without the target, the rewrite precedes the denial.
      #expect(try decided(.deny(reason: "no"), to: nil).url.text == "https://x.example/", "\(rank)")
    }
  }

  @Test
  func
    `a final rewrite to another scheme replaces the target that the caller names, unless the target declares the scheme`()
    throws
  {
    func decided(_ pattern: String, _ rewrite: String, _ target: String, _ rank: PolicyLayer) throws
      -> Decision
    {
      let rewrite = RouteAction.rewrite(try ActionTemplate(url: rewrite))
      return try decide(
        pattern == "note:/{x}" ? "note:/1" : "https://h.example/", [(rank, pattern, rewrite, [])]
      ) {
        $0.target = ApplicationID(target)
      }
    }
    let replaced = try decided("note:/{x}", "other:/{x}", "org.example.Viewer", .finalAdministrator)
    #expect(opener(replaced) == "org.example.Other" && replaced.url.text == "other:/1")
    #expect(replaced.explanation.contains { $0.text.contains("does not declare the scheme other:") })
    // An application that declares the new scheme, or opens the old one under another URL, remains the caller's choice.
    let declared = try decided("note:/{x}", "https://h.example/", "org.example.Viewer", .finalAdministrator)
    #expect(opener(declared) == "org.example.Viewer" && declared.url.scheme == "https")
    let cleaned = try decided(
      "https://h.example/{x...?}", "https://i.example/", "org.example.Other", .finalAdministrator)
    #expect(opener(cleaned) == "org.example.Other" && cleaned.url.host == "i.example")
    #expect(
      opener(try decided("note:/{x}", "other:/{x}", "org.example.Viewer", .administrator))
        == "org.example.Viewer")
  }

  @Test func `an answer applies to its scope, and to a source with at least the same assurance`() throws {
    let chat = try #require(Self.chat)
    let rule: (PolicyLayer, String, RouteAction, [RouteCondition]) = (
      .user, "note://{host...}:*/{x}", .ask([], remember: [.source, .scheme, .host, .route]), []
    )
    let scope = GrantScope.ofNotes(source: chat, host: "h.example")
    func decided(_ url: String, _ source: SourceApplication, _ grants: [Grant]) throws -> Decision {
      try decide(url, [rule]) { ($0.caller.source, $0.answers.grants) = (source, grants) }
    }
    let asked = try decided("note://H.example:80/1", .init(chat, .unit), [])
    #expect(question(asked)?.scope == scope)
    let grant = Grant(scope, .yes, assurance: .unit)
    #expect(opener(try decided("note://h.example/1", .init(chat, .unit), [grant])) != nil)
    #expect(question(try decided("note://h.example/1", .init(chat, .sandbox), [grant])) != nil)
    #expect(
      opener(try decided("note://h.example/1", .init(chat, .unit), [Grant(scope, .yes, assurance: .claimed)]))
        != nil)
    #expect(question(try decided("note://h.example/1", .init(chat, .claimed), [grant])) != nil)
    #expect(question(try decided("note://i.example/1", .init(chat, .unit), [grant])) != nil)
    // Two unidentified callers cannot be assumed to be the same.
    #expect(question(try decided("note://h.example/1", .unknown, []))?.scope == nil)
    let wider = Grant(GrantScope.ofNotes(source: chat), .yes, assurance: .unit)
    #expect(question(try decided("note://h.example/1", .init(chat, .unit), [wider])) != nil)
  }

  @Test func `an answer that the caller passes on is returned, so that it can be stored`() throws {
    let rule: (PolicyLayer, String, RouteAction, [RouteCondition]) = (
      .user, "note:/{x}", .ask(["org.example.Other", "org.example.Viewer"], remember: [.scheme]), []
    )
    let decision = try decide("note:/1", [rule]) { $0.answers.reported = "org.example.Other" }
    #expect(opener(decision) == "org.example.Other")
    #expect(decision.answered.map(\.answer.text) == ["org.example.Other"])
    #expect(decision.answered.first?.question.scope == GrantScope.ofNotes())
    #expect(denial(try decide("note:/1", [rule]) { $0.answers.reported = "no" }) == "the user refused it")
    let again = try #require(question(try decide("note:/1", [rule])))
    let answers = [again.identity: Answer.application(try #require(ApplicationID("org.example.Viewer")))]
    let known = try decide("note:/1", [rule]) { $0.answers.given = answers }
    #expect(opener(known) == "org.example.Viewer" && known.answered.isEmpty)
    let gone = Grant(GrantScope.ofNotes(), .application(try #require(Self.chat)), assurance: .unknown)
    #expect(question(try decide("note:/1", [rule]) { $0.answers.grants = [gone] }) != nil)
  }

  @Test
  func `a question without choices takes no application as its answer, of the caller, the user or a grant`()
    throws
  {
    let rule: (PolicyLayer, String, RouteAction, [RouteCondition]) = (
      .user, "note:/{x}", .ask([], remember: [.scheme]), []
    )
    let viewer = Answer.application(try #require(ApplicationID("org.example.Viewer")))
    let asked = try #require(question(try decide("note:/1", [rule])))
    #expect(asked.takes(.yes) && asked.takes(.no) && !asked.takes(viewer))
    #expect(question(try decide("note:/1", [rule]) { $0.answers.reported = viewer.text }) == asked)
    #expect(question(try decide("note:/1", [rule]) { $0.answers.given = [asked.identity: viewer] }) == asked)
    let stored = Grant(GrantScope.ofNotes(), viewer, assurance: .unknown)
    #expect(question(try decide("note:/1", [rule]) { $0.answers.grants = [stored] }) == asked)
    // A negative answer that is stored beside it still applies.
    let refusal = Grant(GrantScope.ofNotes(), .no, assurance: .unknown)
    #expect(denial(try decide("note:/1", [rule]) { $0.answers.grants = [stored, refusal] }) != nil)
  }

  @Test func `two questions are identical if one answer applies to both`() throws {
    func asked(_ url: String, _ source: SourceApplication) throws -> Question.Identity {
      try #require(question(try decide(url) { $0.caller.source = source })).identity
    }
    #expect(try asked("note:1", Self.box) == asked("note:2", Self.box))
    #expect(try asked("note:1", Self.box) != asked("other:1", Self.box))
    let other = SourceApplication(try #require(Self.chat), .sandbox)
    #expect(try asked("note:1", Self.box) != asked("note:1", other))
    // A source that only claims a name shares no question with a verified source of that name.
    let page = (PolicyLayer.user, "note:{x}", RouteAction.ask([], remember: [.source]), [RouteCondition]())
    func named(_ assurance: Assurance) throws -> Question.Identity {
      let chat = try #require(Self.chat)
      let decision = try decide("note:1", [page]) { $0.caller.source = .init(chat, assurance) }
      return try #require(question(decision)).identity
    }
    #expect(try named(.unit) == named(.unit))
    #expect(try named(.unit) != named(.claimed))
    func once(_ url: String) throws -> Question.Identity {
      let rule: (PolicyLayer, String, RouteAction, [RouteCondition]) = (
        .user, "note:/{x}", .ask([], remember: []), []
      )
      return try #require(question(try decide(url, [rule]))).identity
    }
    #expect(try once("note:/1") == once("note:/1"))
    #expect(try once("note:/1") != once("note:/2"))
  }

  @Test func `two questions whose answers are not stored are identical for one target only`() throws {
    func asked(
      to target: String?, _ choices: [RouteAction.Choice] = [], remember: [RouteAction.AnswerKey] = [],
      from source: SourceApplication = .unknown
    ) throws -> Question.Identity {
      let rule: (PolicyLayer, String, RouteAction, [RouteCondition]) = (
        .user, "note:/{x}", .ask(choices, remember: remember), []
      )
      let decision = try decide("note:/1", [rule]) { request in
        (request.caller.source, request.target) = (source, target.flatMap { ApplicationID($0) })
      }
      return try #require(question(decision)).identity
    }
    let (viewer, other) = ("org.example.Viewer", "org.example.Other")
    #expect(try asked(to: viewer) == asked(to: viewer))
    #expect(try asked(to: viewer) != asked(to: other))
    #expect(try asked(to: viewer) != asked(to: nil))
    #expect(try asked(to: viewer, from: .unseen) != asked(to: nil, from: .unseen))
    // A stored answer applies to all targets, and a choice replaces the target.
    #expect(try asked(to: viewer, remember: [.scheme]) == asked(to: other, remember: [.scheme]))
    #expect(try asked(to: other, ["org.example.Viewer"]) == asked(to: nil, ["org.example.Viewer"]))
    // The broker's own question, whose answer is not stored for an unidentified caller.
    func own(_ target: String?) throws -> Question.Identity {
      let decision = try decide("note:/1") { request in
        (request.caller.source, request.target) = (
          SourceApplication.unseen, target.flatMap { ApplicationID($0) }
        )
      }
      return try #require(question(decision)).identity
    }
    #expect(try own(viewer) == own(viewer))
    #expect(try own(viewer) != own(nil))
  }
}
