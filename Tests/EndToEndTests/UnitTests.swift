// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// Launches with a user manager: each application is a unit of its own.
@Suite struct `With a user manager` {
  @Test(arguments: TargetKind.allCases)
  func `a link opens its application cold and warm`(kind: TargetKind) async throws {
    try await Session.with { session in
      let target = try await Target.install(kind, on: session.desktop)
      try session.desktop.setUsherAsDefault(of: [kind])
      var pids: Set<Int64> = []
      for number in 1...3 {
        _ = try await session.must("usher open '\(target.url(number))'")
        let arrival = try await target.next()
        #expect(arrival.urls == [target.url(number)])
        #expect(arrival.delivery == (number == 1 || kind == .plain ? "launch" : "running"), "\(arrival)")
        if let pid = arrival.pid { pids.insert(pid) }
      }
      if kind == .scenes { #expect(pids.count == 1) }
    }
  }

  @Test func `a Scenes application is a transient unit named after it`() async throws {
    try await Session.with { session in
      let target = try await Target.install(.scenes, on: session.desktop)
      try session.desktop.setUsherAsDefault(of: [.scenes])
      _ = try await session.must("usher open \(target.url(1))")
      let pid = try #require(try await target.next().pid)
      let units = try await session.must("systemctl --user show -P Id \(Self.unit(of: "org.example.Notes"))")
      #expect(units.count == 1, "\(units)")
      let unit = try #require(units.first)
      #expect(unit.wholeMatch(of: /app-usher-org\.example\.Notes@[0-9a-z]+\.service/) != nil)
      let properties = try await session.must(
        "systemctl --user show -P Type -P ExitType -P Slice -P MainPID '\(unit)'")
      #expect(Set(properties) == ["exec", "cgroup", "app.slice", "\(pid)"])
    }
  }

  @Test func `the broker is confined, and started programs are not`() async throws {
    try await Session.with { session in
      let target = try await Target.install(.scenes, on: session.desktop)
      try session.desktop.setUsherAsDefault(of: [.scenes])
      _ = try await session.must("usher open \(target.url(1))")
      let pid = try #require(try await target.next().pid)
      let broker = try await session.must("systemctl --user show -P MainPID usherd.service")
      func confinement(_ pid: String) async throws -> [String] {
        try await session.must("grep -E '^(NoNewPrivs|Seccomp):' /proc/\(pid)/status | tr '\\t' ' '")
      }
      #expect(try await confinement(try #require(broker.first)) == ["NoNewPrivs: 1", "Seccomp: 2"])
      let own = try await confinement("self")
      #expect(try await confinement("\(pid)") == own)
      #expect(own.first == "NoNewPrivs: 0", "\(own)")
      // Its query to libgio for a file's type still works.
      let file = try session.desktop.write("text\n", to: "note.txt")
      let reported = try await session.run("usher explain --json 'file://\(file)'")
      #expect(reported.lines.contains { $0.contains("text/plain") }, "\(reported)")
    }
  }

  @Test func `a prompt in a window runs in its own unit, and is answered`() async throws {
    try await Session.with { session in
      let target = try await Target.install(.plain, on: session.desktop)
      try session.desktop.setUsherAsDefault(of: [.plain])
      let log = "\(session.desktop.root)/zenity.log"
      try session.desktop.installScript(
        "zenity", "#!/bin/sh\ncat /proc/self/cgroup >'\(log)'\nexit $ZENITY_OK\n")
      _ = try await session.must("systemctl --user set-environment DISPLAY=:99 \"PATH=$PATH\"")
      _ = try await session.must(
        "busctl --user call org.usher.Broker1 /org/usher/Broker1 org.usher.Broker1 Open 'asa{sv}' 1 play:1 1 "
          + "origin s https://shop.example 2>&1")
      #expect(try await target.next().urls == ["play:1"])
      let group = try await session.must("cat '\(log)'")
      #expect(group.contains { $0.contains("/app-usher-org.usher.Question@") }, "\(group)")
    }
  }

  @Test func `a plain program is a transient unit as long as it runs`() async throws {
    try await Session.with { session in
      let player = try Recorder("player", in: session.desktop, .held)
      try session.desktop.installDesktopEntry(
        "org.example.Player", exec: "\(player.path) %u", schemes: ["play"])
      try session.desktop.setUsherAsDefault(of: [.plain])
      // The user manager would expand `$`, `%` and quotes.
      let url = #"play:$HOME${x}$$%%%n"';a"#
      _ = try await session.must("usher open '\(url.replacing("'", with: #"'\''"#))'")
      let start = try await player.nextStart()
      #expect(start.arguments == [url])
      let unit = try await session.must(
        "systemctl --user show -P MainPID \(Self.unit(of: "org.example.Player"))")
      #expect(unit == ["\(start.processIdentifier)"])
      let envelope = try #require(start.environment["USHER_ENVELOPE"])
      #expect(try await session.must("stat -c %a '\(envelope)'") == ["600"])
      start.release()
    }
  }

  @Test func `a program gets the session of its caller, and not that of the user manager`() async throws {
    try await Session.with { session in
      let player = try Recorder("player", in: session.desktop)
      try session.desktop.installDesktopEntry(
        "org.example.Player", exec: "\(player.path) %u", schemes: ["play"])
      try session.desktop.setUsherAsDefault(of: [.plain])
      _ = try await session.must(
        "systemctl --user set-environment DISPLAY=:1 WAYLAND_DISPLAY=wayland-1 XAUTHORITY=/seat LC_ALL=C.UTF-8"
      )
      _ = try await session.must("DISPLAY=:55 LANG=de_DE.UTF-8 usher open play:1")
      let environment = try await player.nextStart().environment
      #expect(environment["DISPLAY"] == ":55" && environment["LANG"] == "de_DE.UTF-8")
      for name in ["WAYLAND_DISPLAY", "XAUTHORITY", "LC_ALL"] { #expect(environment[name] == nil, "\(name)") }
    }
  }

  /// D-Bus strings are UTF-8, so that the user manager receives the path encoded.
  @Test func `a plain program receives a file whose name is not UTF-8 by its path`() async throws {
    try await Session.with { session in
      let player = try Recorder("player", in: session.desktop, .held)
      try session.desktop.installDesktopEntry("org.example.Player", exec: "\(player.path) --file=%f")
      try session.desktop.write(
        "[Default Applications]\ntext/plain=org.example.Player.desktop\n", to: "home/.config/mimeapps.list")
      let home = session.desktop.home
      // The name contains a newline, characters that shells and managers expand, and a byte that is not UTF-8.
      _ = try await session.must(#"printf x >"$(printf '\#(home)/a\n$HOME%%h\377.txt')""#)
      _ = try await session.must("usher open 'file://\(home)/a%0A$HOME%25h%FF.txt'")
      let start = try await player.nextStart()
      #expect(start.arguments == ["--file=\(home)/a\n$HOME%h\\xff.txt"])
      let unit = try await session.must(
        "systemctl --user show -P MainPID \(Self.unit(of: "org.example.Player"))")
      #expect(unit == ["\(start.processIdentifier)"])
      start.release()
    }
  }

  @Test func `a missing program and a failing one are distinguished`() async throws {
    try await Session.with { session in
      let seven = try session.desktop.installScript("seven", "#!/bin/sh\nexit 7\n")
      let broken = try session.desktop.installScript("broken", "#!/nowhere/interpreter\n")
      for (id, program) in [("Seven", seven), ("Broken", broken), ("Gone", "/nowhere/gone")] {
        try session.desktop.installDesktopEntry(
          "org.example.\(id)", exec: "\(program) %u", schemes: [id.lowercased()])
      }
      try session.desktop.setDefaults(
        Dictionary(
          uniqueKeysWithValues: ["Seven", "Broken", "Gone"].map { id in
            (id.lowercased(), ["org.usher.Handler", "org.example.\(id)"])
          }))
      #expect(try await session.run("usher open seven:1").status == 0)
      #expect(try await session.run("usher open --wait handled seven:2").status == 6)
      #expect(try await session.run("usher open broken:1").status == 4)
      #expect(try await session.run("usher open gone:1").status == 4)
    }
  }

  /// The caller is identified by its unit, so that another program of the unit can cancel its request.
  @Test func `a cancelled request is Cancelled`() async throws {
    try await Session.with { session in
      try session.desktop.installDesktopEntry("org.example.Source", exec: "/bin/true")
      let application = try await BusApplication.install(.silent, .application1, in: session.desktop)
      let script = try session.desktop.installScript(
        "give-up",
        """
        #!/bin/sh
        gdbus call --session --dest org.usher.Broker1 --object-path /org/usher/Broker1 --method \
          org.usher.Broker1.Open "['mimic:1']" "{'wait': <'handled'>, 'request-id': <'mine'>}" 2>&1 &
        read go <"$HOME/go"
        busctl --user call org.usher.Broker1 /org/usher/Broker1 org.usher.Broker1 Cancel s mine
        wait $!
        """)
      _ = try await session.must("mkfifo \"$HOME/go\"")
      async let opened = session.run(as: "org.example.Source", script)
      // Targets receive an ID of the broker, because callers choose their IDs independently.
      let id = try #require(try await application.nextCall()["request-id"]?.string)
      try await Command.run("sh", ["-c", "echo >'\(session.desktop.home)/go'"]).orThrow()
      let lines = try await opened.lines
      #expect(lines.last?.contains("org.usher.Error.Cancelled") == true, "\(lines)")
      #expect(try await application.next() == ["called": "Cancel", "argument": .string(id)])
    }
  }

  @Test(arguments: ["masked", "missing", "stopped"])
  func `usher doctor names the command by which the broker starts`(problem: String) async throws {
    try await Session.with { session in
      let desktop = session.desktop
      switch problem {
      case "masked": _ = try await session.must("systemctl --user mask usherd.service 2>&1")
      case "missing":
        // The unit is in the prefix of the program, where no user manager looks.
        let unit = "\(desktop.systemData)/systemd/user/usherd.service"
        let directory = "\(desktop.bin)/../lib/systemd/user"
        _ = try await session.must("mkdir -p '\(directory)' && mv '\(unit)' '\(directory)'")
      default:
        // A broker that does not reply, and that its unit does not replace within the time limit.
        _ = try await session.must(
          "usher doctor && systemctl --user kill --kill-whom=main --signal=STOP usherd.service")
      }
      let reported = try await session.run("usher doctor --json")
      let findings = try PropertyList(json: reported.lines.joined())["findings"]?.array ?? []
      let commands = findings.filter { $0["check"]?.string == "broker" }.compactMap { $0["command"]?.string }
      let expected = [
        "masked": "systemctl --user unmask usherd.service", "missing": "systemctl --user link ",
        "stopped": "systemctl --user restart usherd.service",
      ]
      let command = try #require(commands.first)
      #expect(command.hasPrefix(try #require(expected[problem])), "\(commands)")
      _ = try await session.must("\(command) 2>&1")
      _ = try await session.must("usher doctor")
    }
  }

  private static func unit(of id: String) -> String {
    "$(systemctl --user list-units --plain --no-legend 'app-usher-\(id)@*' | cut -d' ' -f1)"
  }
}
