// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

/// Decisions about a URL by the routes of the broker's layers.
@Suite(.computes) struct `Decisions by routes` {
  /// A route of a layer.
  struct Rule {
    var pattern: String
    var action: RouteAction
    var rank = PolicyLayer.user
    var source: String?
    var target: String?
    var running: RunningApplications?

    var owner: RouteLayer.Owner {
      switch rank {
      case .user, .cleaning: .user
      case .administrator, .finalAdministrator: .administrator
      case .vendor: .vendor
      }
    }
  }

  private func decide(_ url: String, _ rules: [Rule], _ change: (inout OpenRequest) -> Void = { _ in }) throws
    -> Decision
  {
    let desktop = try ThrowAwayDesktop()
    let viewer = try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry(
      "org.example.Viewer", exec: "viewer %u", schemes: ["note", "web"],
      lines: ["Actions=edit;", "[Desktop Action edit]", "Name=Edit", "Exec=viewer --edit %u"])
    try desktop.installDesktopEntry("org.example.Other", exec: "\(viewer) %u", schemes: ["other"])
    try desktop.setDefaults(["note": ["org.example.Viewer"]])
    let directories = BaseDirectories(environment: desktop.environment)
    let layers = try RouteLayer.Owner.allCases.map { owner in
      var builder = RouteTableBuilder<RouteAction>()
      for (number, rule) in rules.enumerated() where rule.owner == owner {
        var conditions: [RouteCondition] = []
        if let source = rule.source {
          conditions.append(try RouteCondition(RouteCondition.Name.source, anyOf: [source]))
        }
        if let target = rule.target {
          let name = RouteCondition.Name.target(target.isEmpty ? nil : target)
          conditions.append(try RouteCondition(name, anyOf: ["running"]))
        }
        if let running = rule.running { conditions.append(try running.condition()) }
        try builder.add(
          rule.pattern, id: "r\(number)", action: rule.action, rank: rule.rank, when: conditions)
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
    return broker.decide(text, of: request)
  }

  private func id(_ text: String) throws -> ApplicationID { try #require(ApplicationID(text)) }
  private func isDenied(_ decision: Decision) -> Bool {
    if case .refuse(.denied) = decision.verdict { true } else { false }
  }
  private func opener(_ decision: Decision) -> String? {
    if case .deliver(let target) = decision.verdict { target.id.rawValue } else { nil }
  }

  @Test func `exec runs the program with each capture as one argument`() throws {
    let argv = try ["viewer", "--at={t}", "--title={title}", "--", "{@url}", "{@source}"].map {
      try ActionTemplate(argument: $0)
    }
    let rule = Rule(pattern: "note:/{title}?t={t?}", action: .exec(argv))
    let chat = try id("org.example.Chat")
    let decision = try decide("note:/a%20%24HOME;b?t=7", [rule]) { request in
      request.caller.source = SourceApplication(chat, .claimed)
    }
    guard case .run(let command) = decision.verdict else { return #expect(Bool(false), "\(decision)") }
    #expect(command.arguments.first?.hasSuffix("/bin/viewer") == true)
    #expect(
      command.arguments.dropFirst() == [
        "--at=7", "--title=a $HOME;b", "--", "note:/a%20%24HOME;b?t=7", "org.example.Chat",
      ])
    // Absent captures are omitted.
    guard case .run(let short) = try decide("note:/a", [rule]).verdict else { return #expect(Bool(false)) }
    #expect(short.arguments.dropFirst() == ["--title=a", "--", "note:/a"])
  }

  @Test func `exec of a missing program is an error`() throws {
    let rule = Rule(pattern: "note:/x", action: .exec([try ActionTemplate(argument: "no-such-program")]))
    guard case .refuse(.noProgram(_, let reason)) = try decide("note:/x", [rule]).verdict else {
      return #expect(Bool(false))
    }
    #expect(reason.contains("no-such-program"))
  }

  @Test func `perform names an action of the entry, and a missing action is an error`() throws {
    let edit = Rule(pattern: "note:/{x}", action: .perform(application: "org.example.Viewer", action: "edit"))
    guard case .deliver(let target) = try decide("note:/1", [edit]).verdict else {
      return #expect(Bool(false))
    }
    #expect(target.desktopAction == "edit")
    #expect(target.approaches(isRunning: true, performing: "edit") == [.execute])
    let print = Rule(
      pattern: "note:/{x}", action: .perform(application: "org.example.Viewer", action: "print"))
    guard case .refuse(.noApplication(_, let reason)) = try decide("note:/1", [print]).verdict else {
      return #expect(Bool(false))
    }
    #expect(reason.contains("print") && reason.contains("edit"))
  }

  @Test func `A condition on a running application is tested, also after a rewrite`() throws {
    let viewer = try id("org.example.Viewer")
    let rules = [
      Rule(pattern: "web:/1", action: .deny(reason: "named"), target: "org.example.Viewer"),
      Rule(pattern: "note:/1", action: .deny(reason: "unnamed"), target: ""),
      Rule(pattern: "old:/1", action: .rewrite(try ActionTemplate(url: "note:/1"))),
    ]
    for url in ["web:/1", "note:/1", "old:/1"] {
      #expect(isDenied(try decide(url, rules) { $0.system.running = [viewer] }), "\(url)")
      #expect(!isDenied(try decide(url, rules)), "\(url)")
      let other = try id("org.example.Other")
      #expect(!isDenied(try decide(url, rules) { $0.system.running = [other] }), "\(url)")
    }
  }

  @Test func `A condition on other running applications is tested, whatever the route opens`() throws {
    var rule = Rule(pattern: "web:/{x}", action: .open(application: "org.example.Other"))
    rule.running = RunningApplications(oneOf: ["org.example.Recorder"], noneOf: ["org.example.Chat"])
    let (recorder, chat) = (try id("org.example.Recorder"), try id("org.example.Chat"))
    let other = try id("org.example.Other")
    #expect(
      opener(try decide("web:/1", [rule]) { $0.system.running = [recorder, other] }) == "org.example.Other")
    for running in [[], [other], [chat], [recorder, chat]] {
      let decision = try decide("web:/1", [rule]) { $0.system.running = Set(running) }
      #expect(opener(decision) != "org.example.Other", "\(running)")
    }
  }

  @Test func `Only conditions on running applications need the bus`() throws {
    func asks(_ conditions: RouteCondition...) throws -> Bool {
      var builder = RouteTableBuilder<RouteAction>()
      try builder.add("web:/{x}", id: "a", action: .allow, when: conditions)
      let layer = RouteLayer(owner: .user, table: try builder.build())
      let programs = ProgramSearch(path: nil)
      let resolver = ApplicationResolver(
        directories: BaseDirectories(environment: ["HOME": "/nonexistent"]), programs: programs)
      return Broker(layers: [layer], resolver: resolver, programs: programs).asksWhatRuns
    }
    #expect(try asks(RunningApplications(noneOf: ["org.a.B"]).condition()))
    #expect(try asks(RouteCondition(RouteCondition.Name.target("org.a.B"), anyOf: ["running"])))
    #expect(try !asks(RouteCondition(RouteCondition.Name.source, anyOf: ["running"])))
  }

  @Test func `a rewritten URL is routed again, at most eight times`() throws {
    let once = [
      Rule(pattern: "old:/{x}", action: .rewrite(try ActionTemplate(url: "note:/{x}"))),
      Rule(pattern: "note:/{x}", action: .open(application: "org.example.Other")),
    ]
    let decision = try decide("old:/a%2Fb", once)
    #expect(decision.url.text == "note:/a%2Fb" && opener(decision) == "org.example.Other")
    #expect(decision.explanation.contains { $0.text.contains("note:/") })

    let endless = Rule(pattern: "note:/{x}", action: .rewrite(try ActionTemplate(url: "note:/{x}x")))
    #expect(try decide("note:/a", [endless]).verdict == .refuse(.endlessRewrite(["r0"])))
    let pair = [
      Rule(pattern: "note:/{x}", action: .rewrite(try ActionTemplate(url: "other:/{x}"))),
      Rule(pattern: "other:/{x}", action: .rewrite(try ActionTemplate(url: "note:/{x}"))),
    ]
    guard case .refuse(let refusal) = try decide("other:/a", pair).verdict else {
      return #expect(Bool(false))
    }
    #expect(
      refusal.description
        == "redirect loop: the routes “r1”, “r0” rewrite the link without end; change one `rewrite`")
    // A link that programs have passed on and one route rewrites is a loop of the programs.
    #expect(
      try decide("old:/a", once) { $0.hops = OpenRequest.maximumHops }.verdict
        == .refuse(.tooManyHops(hops: 9)))
    // A rewrite to an equal URL does not count.
    let idle = Rule(pattern: "note:/{x}", action: .rewrite(try ActionTemplate(url: "note:/{x}")))
    #expect(opener(try decide("note:/a", [idle])) == "org.example.Viewer")
  }

  @Test func `ask waits for the user's answer, and accepts only an offered one`() throws {
    let ask = Rule(
      pattern: "note:/{x}", action: .ask(["org.example.Other", "org.example.Viewer"], remember: []))
    guard case .ask(let question) = try decide("note:/1", [ask]).verdict else { return #expect(Bool(false)) }
    #expect(question.choices.map(\.rawValue) == ["org.example.Other", "org.example.Viewer"])
    #expect(question.description.contains("org.example.Other"))
    #expect(
      opener(try decide("note:/1", [ask]) { $0.answers.reported = "org.example.Other" })
        == "org.example.Other")
    for answer in ["org.example.Third", "yes", ""] {
      guard case .ask = try decide("note:/1", [ask], { $0.answers.reported = answer }).verdict else {
        return #expect(Bool(false), "\(answer)")
      }
    }
    let whether = Rule(pattern: "note:/{x}", action: .ask([], remember: []))
    guard case .ask(let second) = try decide("note:/1", [whether]).verdict else {
      return #expect(Bool(false))
    }
    #expect(second.choices.isEmpty)
    #expect(
      opener(try decide("note:/1", [whether]) { $0.answers.reported = Question.consent })
        == "org.example.Viewer")
    for answer in ["No", "NO", "nope", "denied", "org.example.Viewer", ""] {
      guard case .ask = try decide("note:/1", [whether], { $0.answers.reported = answer }).verdict else {
        return #expect(Bool(false), "\(answer)")
      }
    }
  }

  @Test func `ask offers only installed applications, and rejects if none is`() throws {
    func ask(_ applications: RouteAction.Choice..., remember: [RouteAction.AnswerKey] = []) -> [Rule] {
      [Rule(pattern: "note:/{x}", action: .ask(applications, remember: remember))]
    }
    let decision = try decide("note:/1", ask("org.example.Gone", "org.example.Viewer"))
    guard case .ask(let question) = decision.verdict else { return #expect(Bool(false)) }
    #expect(question.choices.map(\.rawValue) == ["org.example.Viewer"])
    #expect(
      decision.explanation.contains { $0.text.hasPrefix("org.example.Gone is not offered: ") },
      "\(decision.explanation)")
    let one = try decide("note:/1", ask("org.example.Gone"))
    #expect(one.verdict == .refuse(.noApplication("org.example.Gone", reason: "it is not installed")))
    guard case .refuse(.noApplication(_, let reason)) = try decide("note:/1", ask("a.gone", "b.gone")).verdict
    else {
      return #expect(Bool(false))
    }
    #expect(reason.contains("a.gone") && reason.contains("b.gone"))
    // A stored choice of an application that was removed is not used.
    let grant = Grant(
      GrantScope(askedBy: .route(PromptingRoute(rank: .user, name: "r0")), isSandboxed: false),
      .application(try id("org.example.Gone")), assurance: .unknown)
    guard
      case .ask = try decide(
        "note:/1", ask("org.example.Gone", "org.example.Viewer", remember: [.route]),
        { $0.answers.grants = [grant] }
      ).verdict
    else {
      return #expect(Bool(false))
    }
  }

  @Test func `A link that no consent opens is rejected without a question`() throws {
    let box = SourceApplication(try id("org.box.App"), .sandbox)
    let ask = Rule(pattern: "note:/{x}", action: .ask([], remember: []), rank: .administrator)
    let other = try id("org.example.Other")
    #expect(isDenied(try decide("note:/1", [ask]) { ($0.caller.source, $0.target) = (box, other) }))
    let run = Rule(
      pattern: "note:/{x}", action: .exec([try ActionTemplate(argument: "viewer")]), rank: .vendor)
    #expect(isDenied(try decide("note:/1", [ask, run]) { $0.caller.source = box }))
    guard case .ask = try decide("note:/1", [ask], { $0.caller.source = box }).verdict else {
      return #expect(Bool(false))
    }
  }

  @Test func `Sandboxed callers cannot answer questions, and exec and perform only if a route names them`()
    throws
  {
    let box = SourceApplication(try id("org.box.App"), .sandbox)
    let ask = Rule(pattern: "note:/{x}", action: .ask([], remember: []))
    guard
      case .ask = try decide(
        "note:/1", [ask], { ($0.caller.source, $0.answers.reported) = (box, Question.consent) }
      ).verdict
    else {
      return #expect(Bool(false))
    }
    for action in [
      RouteAction.exec([try ActionTemplate(argument: "viewer")]),
      .perform(application: "org.example.Viewer", action: "edit"),
    ] {
      #expect(
        isDenied(
          try decide("note:/1", [Rule(pattern: "note:/{x}", action: action)]) { $0.caller.source = box }))
      let granted = Rule(pattern: "note:/{x}", action: action, source: "org.box.App")
      #expect(!isDenied(try decide("note:/1", [granted]) { $0.caller.source = box }))
    }
    #expect(isDenied(try decide("note:/1", []) { ($0.caller.source, $0.desktopAction) = (box, "edit") }))
  }

  @Test func `A route applies only to the sources that it names`() throws {
    let rules = [
      Rule(pattern: "note:/{x}", action: .open(application: "org.example.Other"), source: "org.example.Chat")
    ]
    let chat = SourceApplication(try id("org.example.Chat"), .unit)
    #expect(opener(try decide("note:/1", rules) { $0.caller.source = chat }) == "org.example.Other")
    #expect(opener(try decide("note:/1", rules)) == "org.example.Viewer")
  }

  @Test func `The administrator's final routes precede the user's, and the others follow`() throws {
    let open = Rule(pattern: "note:/{x}", action: .open(application: "org.example.Other"))
    let deny = RouteAction.deny(reason: "no")
    #expect(
      isDenied(
        try decide("note:/1", [open, Rule(pattern: "note:/{x}", action: deny, rank: .finalAdministrator)])))
    #expect(
      opener(try decide("note:/1", [open, Rule(pattern: "note:/{x}", action: deny, rank: .administrator)]))
        == "org.example.Other")
  }

  @Test func `After allow, later layers choose the application and cannot deny`() throws {
    let allow = Rule(pattern: "note:/{x}", action: .allow)
    let deny = Rule(pattern: "note:/{x}", action: .deny(reason: "no"), rank: .administrator)
    let vendor = Rule(pattern: "note:/{x}", action: .open(application: "org.example.Other"), rank: .vendor)
    #expect(opener(try decide("note:/1", [allow, deny])) == "org.example.Viewer")
    #expect(opener(try decide("note:/1", [allow, deny, vendor])) == "org.example.Other")
    #expect(isDenied(try decide("note:/1", [deny, vendor])))
  }

  @Test func `An unreadable URL is rejected if a rule could deny it`() throws {
    let final = Rule(pattern: "note:/{x}", action: .allow, rank: .finalAdministrator)
    #expect(isDenied(try decide("note:/%zz", [final])))
    #expect(isDenied(try decide("note:/%zz", [Rule(pattern: "note:/{x}", action: .ask([], remember: []))])))
    #expect(
      opener(try decide("note:/%zz", [Rule(pattern: "web:/{x}", action: .deny(reason: "no"))]))
        == "org.example.Viewer")
  }
}
