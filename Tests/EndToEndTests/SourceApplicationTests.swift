// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// The source application as the broker verifies it with a real user manager.
@Suite struct `The source application` {
  private func with(_ body: @Sendable (Session, Target) async throws -> Void) async throws {
    try await Session.with { session in
      let desktop = session.desktop
      let target = try await Target.install(.scenes, on: desktop)
      try desktop.setUsherAsDefault(of: [.scenes])
      for id in ["org.example.Source", "org.example.Liar"] {
        try desktop.installDesktopEntry(id, exec: "/bin/true")
      }
      try await body(session, target)
    }
  }

  @Test(arguments: ["usher open", "xdg-open", "env XDG_CURRENT_DESKTOP=GNOME xdg-open", "gio open"])
  func `is that of the unit, also through the desktop's openers`(opener: String) async throws {
    try await with { session, target in
      for number in 1...2 {
        let result = try await session.run(as: "org.example.Source", "\(opener) \(target.url(number))")
        #expect(result.status == 0, "\(result)")
        let arrival = try await target.next()
        #expect(arrival.urls == [target.url(number)])
        #expect(arrival.source == "org.example.Source", "\(arrival)")
        #expect(arrival.assurance == "unit", "\(arrival)")
      }
    }
  }

  @Test func `is that of the unit over the bus and the socket`() async throws {
    try await with { session, target in
      let doors = [InstalledDesktop.broker, InstalledDesktop.handler].map { $0.joined(separator: " ") }
      for (number, door) in doors.enumerated() {
        let call = "busctl --user call \(door) Open 'asa{sv}' 1 \(target.url(number)) 0"
        #expect(try await session.run(as: "org.example.Source", call).status == 0)
        let arrival = try await target.next()
        #expect(arrival.source == "org.example.Source", "\(arrival)")
        #expect(arrival.assurance == "unit", "\(arrival)")
      }
    }
  }

  @Test func `a claim never replaces a verified identity`() async throws {
    try await with { session, target in
      try await session.run(
        as: "org.example.Source", "usher open --source-application org.example.Liar \(target.url(1))")
      let verified = try await target.next()
      #expect(verified.source == "org.example.Source", "\(verified)")
      #expect(verified.assurance == "unit")

      _ = try await session.must("usher open --source-application org.example.Liar \(target.url(2))")
      let claimed = try await target.next()
      #expect(claimed.source == "org.example.Liar", "\(claimed)")
      #expect(claimed.assurance == "claimed")

      _ = try await session.must("usher open \(target.url(3))")
      let unknown = try await target.next()
      #expect(unknown.source == nil, "\(unknown)")
      #expect(unknown.assurance == "unknown")

      // A unit named after an application that is not installed identifies no application.
      try await session.run(as: "org.example.Nobody", "usher open \(target.url(4))")
      let unidentified = try await target.next()
      #expect(unidentified.source == nil, "\(unidentified)")
      #expect(unidentified.assurance == "unknown")
    }
  }

  /// A plain program that Usher launched is an application like any other, and can open links itself.
  @Test func `is the application that Usher itself launched`() async throws {
    try await with { session, target in
      let forwarder = try session.desktop.installScript(
        "forward", "#!/bin/sh\n\(session.desktop.bin)/usher open \(target.url(7))\n")
      try session.desktop.installDesktopEntry(
        "org.example.Forward", exec: "\(forwarder) %u", schemes: ["forward"])
      try session.desktop.setDefaults([
        "notes": ["org.usher.Handler", "org.example.Notes"],
        "forward": ["org.usher.Handler", "org.example.Forward"],
      ])
      _ = try await session.must("usher open forward:1")
      let arrival = try await target.next()
      #expect(arrival.source == "org.example.Forward", "\(arrival)")
      #expect(arrival.assurance == "unit")
    }
  }

  /// A handler in its own unit is identified by that unit, so that the actual source is unknown.
  @Test(arguments: [
    ("app-gnome-org.usher.Handler-12.scope", "org.usher.Handler"),
    ("app-org.usher.Handler@5d.service", "org.usher.Handler"),
    ("xdg-desktop-portal.service", "org.freedesktop.portal.Desktop"),
    ("xdg-desktop-portal-gtk.service", "org.freedesktop.portal.Desktop"),
  ])
  func `is unknown behind an intermediary, which is named`(unit: String, middleman: String) async throws {
    try await Session.with { session in
      let target = try await Target.install(.plain, on: session.desktop)
      try session.desktop.setUsherAsDefault(of: [.plain])
      if unit.hasSuffix(".scope") {
        _ = try await session.must(
          "systemd-run --user --quiet --collect --scope --unit=\(unit) usher open play:1")
      } else {
        // systemd rejects a transient unit if a unit file has its name, as where the portal is installed; the user's own
        // file has the highest precedence.
        try session.desktop.write(
          "[Service]\nType=oneshot\nSlice=\(unit.hasPrefix("app-") ? "app" : "session").slice\nExecStart=\(session.desktop.bin)/usher open play:1\n",
          to: "home/.config/systemd/user/\(unit)")
        _ = try await session.must("systemctl --user daemon-reload && systemctl --user start '\(unit)'")
      }
      let arrival = try await target.next()
      #expect(arrival.source == nil, "\(arrival)")
      #expect(arrival.assurance == "unknown", "\(arrival)")
      #expect(arrival.envelope["via"]?.string == middleman, "\(arrival)")
      let history = try await session.must("usher history")
      #expect(history.last?.contains("unknown source via \(middleman) -> ") == true, "\(history)")
      let entries = try await session.must("usher history --json")
      #expect(try PropertyList(json: entries[0])["entries"]?.array?.first?["via"]?.string == middleman)
    }
  }

  @Test func `is a snap by its snapd unit, and treated as sandboxed`() async throws {
    try await Session.with { session in
      let target = try await Target.install(.plain, on: session.desktop)
      try session.desktop.setDefaults([
        "play": ["org.usher.Handler", target.kind.id], "file": ["org.usher.Handler", target.kind.id],
      ])
      try session.desktop.installDesktopEntry("chat_run", exec: "/bin/true")
      // Each run has a scope of its own, as with snapd: systemd may still have the scope of the program before.
      func run(_ number: Int) -> String {
        "systemd-run --user --quiet --collect --scope --unit=snap.chat.run-0d1f2e3a-0000-4000-8000-0123456789a\(number).scope"
      }
      _ = try await session.must("usher grants allow --source chat_run --scheme play")
      _ = try await session.must("\(run(1)) usher open --source-application org.example.Liar play:1")
      let arrival = try await target.next()
      #expect(arrival.source == "chat_run", "\(arrival)")
      #expect(arrival.assurance == "unit", "\(arrival)")
      #expect(try await session.run("\(run(2)) usher open file:///etc/passwd").status == 3)
    }
  }

  /// Any program of the user can create a unit of any name; a group below its own unit is not trusted.
  @Test func `in a forged unit has at most the assurance unit, and in a forged cgroup none`()
    async throws
  {
    try await with { session, target in
      let forger = try session.desktop.installScript(
        "forge",
        """
        #!/bin/sh
        own=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
        forged=$own/user.slice/user-0.slice/user@0.service/app.slice/app-org.example.Source-1.scope
        mkdir -p "$forged" && echo $$ >"$forged/cgroup.procs" && exec \(session.desktop.bin)/usher open \(target.url(2))
        """)
      _ = try await session.must(
        "systemd-run --user --quiet --collect --scope --unit=app-org.example.Source-666.scope usher open \(target.url(1))"
      )
      let unit = try await target.next()
      #expect(unit.source == "org.example.Source" && unit.assurance == "unit", "\(unit)")
      _ = try await session.must(
        "systemd-run --user --quiet --collect --wait --pipe -p Delegate=yes --unit=forger.service \(forger)")
      let group = try await target.next()
      #expect(group.source == nil && group.assurance == "unknown", "\(group)")
    }
  }

  @Test func `appears with its assurance in explanation, history, log and route conditions`() async throws {
    try await with { session, target in
      try session.desktop.write(
        """
        format = 1
        owner  = "user"
        [route.sure]
        match  = "notes://note/2"
        source = { assurance = "< unit" }
        deny   = "only who is known by its unit"
        """, to: "\(session.desktop.configHome)/usher/routes/rules.toml")
      try session.desktop.installDesktopEntry("org.example.Source", exec: "/bin/true")
      let claim = "--source-application org.example.Source"
      #expect(try await session.run("usher open \(claim) \(target.url(2))").status == 3)
      #expect(try await session.run(as: "org.example.Source", "usher open \(target.url(2))").status == 0)
      #expect(try await target.next().assurance == "unit")
      let explained = try await session.run(
        as: "org.example.Source", "usher explain --skip-comparison \(target.url(2))")
      #expect(explained.lines.contains { $0.contains("org.example.Source (unit)") }, "\(explained)")
      let history = try await session.must("usher history")
      #expect(history.contains { $0.contains("org.example.Source") && $0.contains("(unit)") }, "\(history)")
      #expect(
        history.contains { $0.contains("org.example.Source") && $0.contains("(claimed)") }, "\(history)")
    }
  }
}
