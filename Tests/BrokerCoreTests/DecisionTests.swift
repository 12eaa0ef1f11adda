// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import RouteTables
import TestSupport
import Testing

@testable import BrokerCore

@Suite struct `Decisions` {
  /// Creates a desktop with a viewer for `note:` and `web:`, one without its program, and Usher's own handler.
  private func desktop() throws -> ThrowAwayDesktop {
    let desktop = try ThrowAwayDesktop()
    try desktop.installScript("viewer", "#!/bin/sh\n")
    try desktop.installDesktopEntry("org.example.Viewer", exec: "viewer %u", schemes: ["note", "web"])
    try desktop.installDesktopEntry("org.example.Other", exec: "viewer %u", schemes: ["other"])
    try desktop.installDesktopEntry("org.example.Broken", exec: "missing %u", schemes: ["broken"])
    try desktop.installDesktopEntry("org.usher.Handler", exec: "viewer %u")
    try desktop.setDefaults([
      "note": ["org.usher.Handler", "org.example.Viewer"], "ours": ["org.usher.Handler"],
      "broken": ["org.example.Broken"],
    ])
    return desktop
  }

  private func decide(
    _ url: String, _ desktop: ThrowAwayDesktop, routes: [RouteLayer.Owner: [(String, RouteAction)]] = [:],
    source: SourceApplication = .unknown, target: String? = nil, hops: UInt32 = 0
  ) throws -> Decision {
    let rules = PolicySnapshot(environment: desktop.environment) { directories, _ in
      var builder = RouteTableBuilder<RouteAction>()
      let owner = RouteLayer.Owner.allCases.first { owner in
        owner.routeDirectories(in: BaseDirectories(environment: desktop.environment)) == directories
      }
      for (pattern, action) in owner.flatMap({ routes[$0] }) ?? [] {
        try? builder.add(pattern, id: pattern, action: action)
      }
      return (builder.buildSkippingConflicts().table, [])
    }
    let text = try URLString(url)
    return rules.broker.decide(
      text,
      of: OpenRequest(urls: [text], source: source, target: target.flatMap { ApplicationID($0) }, hops: hops))
  }

  private func target(_ decision: Decision) -> String? {
    guard case .deliver(let target) = decision.verdict else { return nil }
    return target.id.rawValue
  }

  private func refusal(_ decision: Decision) -> Refusal? {
    guard case .refuse(let refusal) = decision.verdict else { return nil }
    return refusal
  }

  @Test func `The desktop's default decides, without Usher`() throws {
    let desktop = try desktop()
    let decision = try decide("note:x", desktop)
    #expect(target(decision) == "org.example.Viewer")
    #expect(decision.explanation.last?.text == "org.example.Viewer opens it")
    #expect(refusal(try decide("ours:x", desktop)) == .noHandler(scheme: "ours"))
    #expect(refusal(try decide("nothing:x", desktop)) == .noHandler(scheme: "nothing"))
  }

  @Test(arguments: [
    ("https", "run: usher register ID --web"), ("mailto", "run: gio mime x-scheme-handler/mailto ID.desktop"),
    ("notes", "run: usher register ID --scheme notes"), ("c", "give the path of the file"),
  ])
  func `The error of a scheme without a handler recommends a command that can succeed`(
    scheme: String, fix: String
  )
    throws
  {
    let message = Refusal.noHandler(scheme: scheme).description
    #expect(
      message.hasPrefix("no application opens \(scheme): links; ") && message.contains(fix), "\(message)")
    let isRegistrable = try #require(URLScheme(scheme)).refusal == nil
    #expect(isRegistrable || !message.contains("--scheme"))
  }

  @Test func `An application that lacks its program is named`() throws {
    guard case .noProgram(let id, let reason)? = refusal(try decide("broken:x", desktop())) else {
      Issue.record("not refused for its program")
      return
    }
    #expect(id == "org.example.Broken" && reason.contains("org.example.Broken.desktop"))
  }

  @Test func `A requested target receives it if it exists`() throws {
    let desktop = try desktop()
    #expect(target(try decide("note:x", desktop, target: "org.example.Other")) == "org.example.Other")
    #expect(
      refusal(try decide("note:x", desktop, target: "org.example.Absent"))
        == .noApplication("org.example.Absent", reason: "it is not installed"))
    guard case .noProgram? = refusal(try decide("note:x", desktop, target: "org.example.Broken")) else {
      Issue.record("not refused for its program")
      return
    }
  }

  @Test func `Sandboxed callers can open no files, and name only targets that open the scheme`() throws {
    let desktop = try desktop()
    let source = SourceApplication(try #require(ApplicationID("org.box.App" as String)), .sandbox)
    guard case .denied? = refusal(try decide("file:///etc/passwd", desktop, source: source)),
      case .denied? = refusal(try decide("note:x", desktop, source: source, target: "org.example.Other"))
    else {
      Issue.record("not denied")
      return
    }
    for target in [nil, "org.example.Viewer"] {
      guard case .ask = try decide("note:x", desktop, source: source, target: target).verdict else {
        Issue.record("not asked about")
        continue
      }
    }
  }

  @Test func `A link with too many hops is rejected`() throws {
    let desktop = try desktop()
    #expect(target(try decide("note:x", desktop, hops: 8)) == "org.example.Viewer")
    #expect(refusal(try decide("note:x", desktop, hops: 9)) == .tooManyHops(hops: 9))
  }

  @Test func `The user's routes precede the administrator's, and those precede the vendor's`() throws {
    let desktop = try desktop()
    let other = RouteAction.open(application: "org.example.Other")
    let viewer = RouteAction.open(application: "org.example.Viewer")
    let deny = RouteAction.deny(reason: "not here")
    let table: [([RouteLayer.Owner: [(String, RouteAction)]], String?)] = [
      ([.user: [("note:x", other)], .administrator: [("note:x", deny)]], "org.example.Other"),
      ([.administrator: [("note:x", other)], .vendor: [("note:x", deny)]], "org.example.Other"),
      ([.user: [("note:y", deny)], .vendor: [("note:x", other)]], "org.example.Other"),
      ([.user: [("note:x", deny)], .vendor: [("note:x", other)]], nil),
      ([.user: [("note:x", .handler("h"))], .vendor: [("note:x", other)]], "org.example.Other"),
      ([.vendor: [("note:x", viewer)]], "org.example.Viewer"), ([:], "org.example.Viewer"),
    ]
    for (routes, expected) in table {
      #expect(target(try decide("note:x", desktop, routes: routes)) == expected)
    }
    #expect(
      refusal(try decide("note:x", desktop, routes: [.user: [("note:x", deny)]]))
        == .denied(reason: "the user's route “note:x” denies the link: not here"))
  }

  @Test func `A route to an application that is not installed reports it`() throws {
    let routes: [RouteLayer.Owner: [(String, RouteAction)]] = [
      .user: [("note:x", .open(application: "org.example.Absent")), ("note:y", .open(application: "a/b"))]
    ]
    for url in ["note:x", "note:y"] {
      guard case .noApplication? = refusal(try decide(url, desktop(), routes: routes)) else {
        Issue.record("\(url) was not refused for its application")
        continue
      }
    }
  }

  @Test func `Usher itself is never the target`() throws {
    let desktop = try desktop()
    let routes: [RouteLayer.Owner: [(String, RouteAction)]] = [
      .user: [("note:x", .open(application: "org.usher.Handler"))]
    ]
    for decision in [
      try decide("note:x", desktop, target: "org.usher.Handler"),
      try decide("note:x", desktop, routes: routes),
    ] {
      guard case .noApplication("org.usher.Handler", _)? = refusal(decision) else {
        Issue.record("\(decision)")
        continue
      }
    }
  }

  @Test func `An unreadable URL is decided by its scheme, unless a rule may deny it`() throws {
    let desktop = try desktop()
    let unreadable = "note:%zz"
    let free = try decide(unreadable, desktop, routes: [.user: [("web:x", .deny(reason: "no"))]])
    #expect(target(free) == "org.example.Viewer")
    #expect(
      free.explanation.contains {
        $0.subject == .routes && $0.text.contains("only its scheme and host are compared")
      })
    let guarded = try decide(
      unreadable, desktop, routes: [.administrator: [("note:secret", .deny(reason: "no"))]])
    guard case .denied? = refusal(guarded) else {
      Issue.record("not denied: \(guarded)")
      return
    }
  }
}

@Suite struct `Delivery strategies` {
  @Test(arguments: [
    ("org.example.App", "", false, [DeliveryStrategy.execute]),
    ("org.example.App", "", true, [.signal, .execute]),
    ("org.example.App", "DBusActivatable=true\n", false, [.activate, .execute]),
    ("org.example.App", "DBusActivatable=true\n", true, [.signal, .execute]),
    ("org.example.App", "Implements=org.usher.Application1;\n", false, [.launchAndSignal]),
    (
      "org.example.App", "DBusActivatable=true\nImplements=org.usher.Application1;\n", false,
      [.activate, .launchAndSignal]
    ),
    // Without a bus name it cannot be called.
    ("firefox", "DBusActivatable=true\n", false, [.execute]), ("firefox", "", true, [.execute]),
  ])
  func `In the order in which they are tried`(
    id: String, lines: String, isRunning: Bool, expected: [DeliveryStrategy]
  ) throws {
    let text = "[Desktop Entry]\nType=Application\nName=A\nExec=a\n" + lines
    let id = try #require(ApplicationID(id))
    let target = TargetApplication(
      id: id, entry: DesktopEntry(file: KeyFile(bytes: Array(text.utf8)), id: id))
    #expect(target.approaches(isRunning: isRunning) == expected)
  }
}
