import Freedesktop
import Testing

@testable import BrokerCore

@Suite struct `Who is calling` {
  static let installed: Set<String> = [
    "org.example.Chat", "org.example.Chat-2", "firefox", "org.usher.Handler", "kde-konsole",
    "org.example.b@r",
    "org.freedesktop.impl.portal.desktop.gtk",
  ]

  static let programs = [
    "/usr/bin/chat": ["org.example.Chat"], "/usr/bin/python3.11": ["org.example.Chat"],
    "/usr/bin/bash": ["org.example.Chat"], "/usr/bin/shared": ["org.example.Chat", "firefox"],
    "/usr/bin/handler": ["org.usher.Handler"],
  ]

  private func identify(_ facts: CallerFacts?, claim: String? = nil) -> SourceApplication {
    SourceApplication.identify(
      facts, claim: claim.flatMap { ApplicationID($0) },
      isInstalled: { Self.installed.contains($0.rawValue) },
      owners: { (Self.programs[$0] ?? []).compactMap { ApplicationID($0) } })
  }

  private func known(_ id: String, _ assurance: Assurance) throws -> SourceApplication {
    SourceApplication(try #require(ApplicationID(id)), assurance)
  }

  @Test func `The sandbox comes first, and fails closed`() throws {
    let unit = "app-org.example.Chat@1.service"
    let sandboxed = CallerFacts(flatpakName: "org.box.App", userUnit: unit, executable: "/usr/bin/chat")
    #expect(identify(sandboxed, claim: "firefox") == (try known("org.box.App", .sandbox)))
    let nameless = CallerFacts(flatpakName: "", userUnit: unit, executable: "/usr/bin/chat")
    #expect(identify(nameless, claim: "firefox") == .unknown)
  }

  @Test func `Then the unit, then the program, then the claim`() throws {
    let unit = CallerFacts(userUnit: "app-firefox@1.service", executable: "/usr/bin/chat")
    #expect(identify(unit, claim: "org.example.Chat") == (try known("firefox", .unit)))
    let program = CallerFacts(userUnit: "app-not.installed@1.service", executable: "/usr/bin/chat")
    #expect(identify(program, claim: "firefox") == (try known("org.example.Chat", .executable)))
    #expect(
      identify(CallerFacts(executable: "/usr/bin/own"), claim: "firefox") == (try known("firefox", .claimed)))
    #expect(identify(CallerFacts()) == .unknown)
    #expect(identify(CallerFacts(), claim: "firefox") == (try known("firefox", .claimed)))
  }

  @Test func `What could not be read safely is nobody, whatever it claims`() {
    #expect(identify(nil, claim: "firefox") == .unknown)
  }

  @Test(arguments: [
    "/usr/bin/python3.11", "/usr/bin/bash", "/usr/bin/shared", "/usr/bin/handler", "/usr/bin/other",
  ])
  func `Interpreters, shared programs and we ourselves name nobody`(path: String) throws {
    #expect(identify(CallerFacts(executable: path)) == .unknown)
    #expect(identify(CallerFacts(executable: path), claim: "firefox") == (try known("firefox", .claimed)))
  }

  @Test func `Request IDs are the unit's, the program's, and with an interpreter the connection's alone`() {
    #expect(CallerFacts(userUnit: "a.service", executable: "/usr/bin/chat").scope == "a.service")
    #expect(CallerFacts(executable: "/usr/bin/chat").scope == "/usr/bin/chat")
    #expect(CallerFacts(executable: "/usr/bin/python3.11").scope == nil)
    #expect(CallerFacts().scope == nil)
    var opener = CallerFacts(executable: "/usr/bin/usher")
    opener.process = "process 7 of 1234"
    #expect(opener.scope == "process 7 of 1234")
    opener.userUnit = "a.service"
    #expect(opener.scope == "a.service")
  }

  @Test func `A middleman is hidden behind, unless the program or a claim names the source`() throws {
    let handler = try #require(ApplicationID("org.usher.Handler" as String))
    let facts = CallerFacts(userUnit: "app-gnome-org.usher.Handler-12.scope", executable: "/usr/bin/usher")
    #expect(identify(facts) == .hidden(by: handler))
    #expect(identify(facts, claim: "firefox") == (try known("firefox", .claimed)))
  }

  @Test(arguments: [
    "sh", "bash", "python3", "python3.11", "perl5.36", "lua5.4", "node", "java", "gjs", "env", "xdg-open",
    "gio",
    "usher", "usherd", "busctl", "systemd-run", "kde-open5",
  ])
  func `Openers and interpreters carry`(name: String) {
    #expect(SourceApplication.isCarrier("/usr/bin/\(name)"))
  }

  @Test(arguments: ["firefox", "pythonista", "shotwell", "nodepad", "chat", "/"])
  func `Programs of their own do not`(name: String) {
    #expect(!SourceApplication.isCarrier("/usr/bin/\(name)"))
  }

  @Test(arguments: [
    ("app-org.example.Chat@12345.service", "org.example.Chat"),
    ("app-gnome-org.example.Chat@12.service", "org.example.Chat"),
    ("app-gnome-org.example.Chat-12345.scope", "org.example.Chat"),
    ("app-org.example.Chat-1.scope", "org.example.Chat"),
    ("app-usher-org.example.Chat@ff.service", "org.example.Chat"),
    ("app-org.example.Chat.service", "org.example.Chat"),
    (#"app-gnome-org.example.Chat\x2d2@1.service"#, "org.example.Chat-2"),
    (#"app-org.example.Chat\x2d2-9.scope"#, "org.example.Chat-2"),
    ("app-firefox-autostart.service", "firefox"), (#"app-firefox@autostart.service"#, "firefox"),
    ("app-gnome-firefox-12.slice", "firefox"), ("app-kde-konsole@1.service", "kde-konsole"),
    (#"app-kde\x2dkonsole@1.service"#, "kde-konsole"),
    (#"app-org.example.b\x40r@1.service"#, "org.example.b@r"),
    ("app-gnome-org.example.Chat@.service", "org.example.Chat"),
  ])
  func `Units that name an application`(unit: String, id: String) {
    let found = SourceApplication.applicationID(ofUnit: unit) { Self.installed.contains($0.rawValue) }
    #expect(found?.rawValue == id)
  }

  @Test(arguments: [
    "", "app-", "app-.service", "firefox.service", "app-firefox", "app-firefox.scope", "app-firefox.mount",
    "app-absent@1.service",
    #"app-fire\x2@1.service"#, #"app-fire\xzz@1.service"#, #"app-\xff@1.service"#, #"app-firefox\@1.service"#,
    "dbus.service",
    "app-@1.service", "xapp-firefox@1.service",
  ])
  func `Units that name nobody`(unit: String) {
    #expect(SourceApplication.applicationID(ofUnit: unit) { Self.installed.contains($0.rawValue) } == nil)
  }

  @Test func `Assurances are ordered`() {
    #expect(Assurance.allCases.sorted(by: >) == [.sandbox, .unit, .executable, .claimed, .unknown])
  }
}
