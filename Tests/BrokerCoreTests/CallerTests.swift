// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

@testable import BrokerCore

@Suite struct `Who is calling` {
  static let installed: Set<String> = [
    "org.example.Chat", "org.example.Chat-2", "firefox", "org.usher.Handler", "org.usher.Callback",
    "kde-konsole",
    "org.example.b@r", "chat_run", "org.telegram.desktop",
    "org.freedesktop.impl.portal.desktop.gtk",
  ]

  static let programs = [
    "/usr/bin/chat": ["org.example.Chat"], "/usr/bin/python3.11": ["org.example.Chat"],
    "/usr/bin/bash": ["org.example.Chat"], "/usr/bin/shared": ["org.example.Chat", "firefox"],
    "/usr/bin/handler": ["org.usher.Handler"],
  ]

  private func identify(_ facts: CallerCredentials?, claim: String? = nil) -> SourceApplication {
    SourceApplication.identify(
      facts, claim: claim.flatMap { ApplicationID($0) },
      isInstalled: { Self.installed.contains($0.rawValue) },
      owners: { program in (Self.programs[program.path] ?? []).compactMap { ApplicationID($0) } })
  }

  private func known(_ id: String, _ assurance: Assurance) throws -> SourceApplication {
    SourceApplication(try #require(ApplicationID(id)), assurance)
  }

  /// Returns the credentials of a program at `path`, in a unit of the user's manager.
  private func facts(
    unit: String? = nil, _ path: String? = nil, in slice: String = "app.slice/"
  ) -> CallerCredentials {
    let manager = "/user.slice/user-1000.slice/user@1000.service/"
    return CallerCredentials(
      group: unit.map { ControlGroup(text: "0::\(manager)\(slice)\($0)\n", user: 1_000) },
      program: path.map { CallerCredentials.Program(path: $0, file: "1:1") })
  }

  private func flatpak(_ name: String, isConfirmed: Bool = true) -> CallerCredentials {
    var facts = facts(unit: "app-org.example.Chat@1.service", "/usr/bin/chat")
    facts.confinement = .flatpak(
      FlatpakInfo(bytes: Array("[Application]\nname=\(name)\n".utf8)), isConfirmed: isConfirmed)
    return facts
  }

  @Test func `The sandbox comes first, and fails closed`() throws {
    #expect(identify(flatpak("org.box.App"), claim: "firefox") == (try known("org.box.App", .sandbox)))
    let nameless = identify(flatpak(""), claim: "firefox")
    #expect(nameless == .unseen)
    #expect(nameless.mayBeSandboxed && nameless != .unknown)
  }

  @Test func `An unverified information file is a claim of a sandboxed caller`() throws {
    let forged = identify(flatpak("org.box.App", isConfirmed: false), claim: "firefox")
    #expect(forged == (try known("org.box.App", .claimed).sandboxed))
    #expect(forged.mayBeSandboxed)
  }

  @Test func `A sandboxed caller may claim a sub-ID of its own ID, and no other ID`() throws {
    let box = flatpak("org.box.App")
    #expect(identify(box, claim: "org.box.App.Part") == (try known("org.box.App.Part", .sandbox)))
    for claim in ["org.box.App", "org.box.Apple", "org.box", "org.box.Application.Part", "firefox"] {
      #expect(identify(box, claim: claim) == (try known("org.box.App", .sandbox)), "\(claim)")
    }
  }

  @Test func `A possibly sandboxed caller is identified only by its unit, and may claim nothing`() throws {
    var facts = facts(unit: "app-firefox@1.service", "/usr/bin/chat")
    facts.confinement = .possible
    #expect(identify(facts, claim: "org.example.Chat") == (try known("firefox", .unit).sandboxed))
    facts.group = nil
    #expect(identify(facts, claim: "org.example.Chat") == .unseen)
  }

  static let snap = "snap.chat.run-0d1f2e3a-0000-4000-8000-0123456789ab.scope"

  @Test func `A snap is identified by its label, otherwise by its unit if it is installed`() throws {
    var facts = facts(unit: Self.snap, "/snap/chat/1/bin/run")
    #expect(identify(facts, claim: "firefox") == (try known("chat_run", .unit).sandboxed))
    facts.securityLabel = "snap.other.tool (enforce)"
    #expect(identify(facts, claim: "firefox") == (try known("other_tool", .sandbox)))
    facts.securityLabel = "snap.chat.run (complain)"
    #expect(identify(facts, claim: "firefox") == (try known("chat_run", .unit)))
    #expect(!facts.mayBeSandboxed)
    facts.securityLabel = "snap.chat.run (kill)"
    #expect(identify(facts, claim: "firefox") == (try known("chat_run", .unit).sandboxed))
    let absent = self.facts(unit: Self.snap.replacing("chat", with: "absent"))
    #expect(identify(absent, claim: "firefox") == .unseen)
    #expect(identify(self.facts(unit: "snap.chat.hook.install-1.scope"), claim: "firefox") == .unseen)
  }

  @Test func `The unit precedes the program, and the program the claim`() throws {
    let unit = facts(unit: "app-firefox@1.service", "/usr/bin/chat")
    #expect(identify(unit, claim: "org.example.Chat") == (try known("firefox", .unit)))
    let program = facts(unit: "app-not.installed@1.service", "/usr/bin/chat")
    #expect(identify(program, claim: "firefox") == (try known("org.example.Chat", .executable)))
    #expect(identify(facts("/usr/bin/own"), claim: "firefox") == (try known("firefox", .claimed)))
    #expect(identify(CallerCredentials()) == .unknown)
    #expect(identify(CallerCredentials(), claim: "firefox") == (try known("firefox", .claimed)))
  }

  @Test func `A unit outside the application slices identifies no application`() throws {
    #expect(identify(facts(unit: "app-firefox@1.service", in: "")) == .unknown)
    #expect(identify(facts(unit: "app-firefox@1.service", in: "session.slice/")) == .unknown)
    let background = facts(unit: "app-firefox@1.service", in: "background.slice/")
    #expect(identify(background) == (try known("firefox", .unit)))
  }

  @Test func `A caller that cannot be inspected is unidentified, whatever it claims, and may be sandboxed`() {
    #expect(identify(nil, claim: "firefox") == .unseen)
    #expect(identify(nil, claim: "firefox").mayBeSandboxed)
  }

  @Test(arguments: [
    "/usr/bin/python3.11", "/usr/bin/bash", "/usr/bin/shared", "/usr/bin/handler", "/usr/bin/other",
  ])
  func `Interpreters, shared programs and Usher itself identify no application`(path: String) throws {
    #expect(identify(facts(path)) == .unknown)
    #expect(identify(facts(path), claim: "firefox") == (try known("firefox", .claimed)))
  }

  @Test func `Request IDs are the unit's, the program's, and with an interpreter the connection's alone`() {
    #expect(facts(unit: "a.service", "/usr/bin/chat").scope == "a.service")
    #expect(facts("/usr/bin/chat").scope == "/usr/bin/chat")
    #expect(facts("/usr/bin/python3.11").scope == nil)
    #expect(CallerCredentials().scope == nil)
    var opener = facts("/usr/bin/usher")
    opener.process = "process 7 of 1234"
    #expect(opener.scope == "process 7 of 1234")
    var script = facts("/usr/bin/perl (deleted)")
    script.process = "process 7 of 1234"
    #expect(script.scope == "process 7 of 1234")
    var boxed = facts("/usr/bin/chat")
    boxed.process = "process 7 of 1234"
    boxed.confinement = .possible
    #expect(boxed.scope == "process 7 of 1234")
    opener.group = facts(unit: "a.service").group
    #expect(opener.scope == "a.service")
  }

  @Test(arguments: ["org.usher.Handler", "org.usher.Callback"])
  func `An intermediary hides the source, unless the program or a claim names it`(_ id: String) throws {
    let handler = try #require(ApplicationID(id))
    let facts = facts(unit: "app-gnome-\(id)-12.scope", "/usr/bin/usher")
    #expect(identify(facts) == .hidden(by: handler))
    #expect(identify(facts, claim: "firefox") == (try known("firefox", .claimed)))
  }

  @Test(arguments: [
    "xdg-desktop-portal.service", "xdg-desktop-portal-gtk.service",
    "dbus-:1.2-org.freedesktop.portal.Desktop@0.service",
    "dbus-:1.2-org.freedesktop.impl.portal.desktop.kde@0.service",
  ])
  func `The portal is an intermediary in any unit`(unit: String) throws {
    let portal = try #require(ApplicationID("org.freedesktop.portal.Desktop" as String))
    #expect(identify(facts(unit: unit, "/usr/bin/usher", in: "session.slice/")) == .hidden(by: portal))
    #expect(identify(facts(unit: unit, "/usr/libexec/xdg-desktop-portal")) == .hidden(by: portal))
    #expect(identify(facts("/usr/libexec/xdg-desktop-portal-gtk")) == .hidden(by: portal))
    #expect(identify(facts("/usr/libexec/xdg-desktop-portal (deleted)")) == .hidden(by: portal))
  }

  @Test(arguments: [
    "sh", "bash", "python3", "python3.11", "perl5.36", "lua5.4", "node", "java", "gjs", "env", "xdg-open",
    "gio",
    "usher", "usher-command", "usherd", "busctl", "systemd-run", "kde-open5",
    // The real files behind the names `node`, `ruby` and others, by distribution.
    "node-20", "lua-5.4", "guile-3.0", "php-8.3", "ruby-3.3", "ruby-mri", "mono-sgen", "dotnet", "deno",
    "bun", "luajit",
    "tcsh", "bsd-csh", "pwsh", "wine64-preloader", "wine-preloader",
    "pypy3", "lksh", "julia", "box64", "octave-cli", "bash-static",
    "oksh", "posh", "mksh-static", "moar", "gawk",
    // A package update replaced the file of the running program.
    "perl (deleted)", "sh (deleted)", "python3.11 (deleted)", "gio (deleted)",
    "xdg-desktop-portal-gtk (deleted)",
  ])
  func `Openers and interpreters forward requests of others`(name: String) {
    #expect(SourceApplication.isGenericLauncher("/usr/bin/\(name)"))
  }

  @Test(arguments: [
    "firefox (deleted)", "box", "firefox", "pythonista", "shotwell", "nodepad", "chat", "chat-2",
    "node_exporter", "7", "-1", "/",
  ])
  func `Other programs do not forward requests`(name: String) {
    #expect(!SourceApplication.isGenericLauncher("/usr/bin/\(name)"))
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
    ("app-flatpak-org.telegram.desktop-77.scope", "org.telegram.desktop"),
    ("app-firefox.desktop@1.service", "firefox"),
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
    "app-@1.service", "xapp-firefox@1.service", "app-org.evil-firefox@1.service", "app-firefox@1@2-3.service",
    "app-firefox@a.b.service", "app-firefox-1.2.scope", "app--firefox-1.scope", #"app-\x2e\x2e-1.scope"#,
    "app-..-1.scope", #"app-..\x2ffirefox@1.service"#, #"app-firefox\x00@1.service"#,
  ])
  func `Units that identify no application`(unit: String) {
    #expect(SourceApplication.applicationID(ofUnit: unit) { Self.installed.contains($0.rawValue) } == nil)
  }

  @Test func `Assurances are ordered`() {
    #expect(Assurance.allCases.sorted(by: >) == [.sandbox, .unit, .executable, .claimed, .unknown])
  }
}
