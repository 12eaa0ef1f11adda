// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Schemes that programs on other machines register, at a relay.
@Suite struct `A scheme of another machine` {
  private static let scheme = "com.example.tool"

  private static func with(
    routes: String = "", hasPrompts: Bool = true,
    _ body: @Sendable (InstalledDesktop, RemoteRig, NotificationServer?) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      try desk.desktop.writeRoutes("remote.toml", routes)
      let server = hasPrompts ? try await NotificationServer.start(on: desk) : nil
      let rig = try await RemoteRig.start(on: desk)
      try await body(desk, rig, server)
      _ = await rig.end()
    }
  }

  @Test(arguments: [false, true])
  func `is registered after a prompt, and receives the links of every opener`(isPortable: Bool) async throws {
    try await Self.with { desk, rig, server in
      let server = try #require(server)
      let client = try await rig.register("COM.example.Tool", isPortable: isPortable)
      let shown = try await server.next(1)
      for text in ["Send com.example.tool: links to build.example.org?", "is such a link", "asked each time"]
      {
        #expect(shown.text.contains(text), "\(shown)")
      }
      #expect(desk.registrationTraces.isEmpty)
      try await server.press(0, of: 1)
      _ = try await client.line { $0.contains("com.example.tool arrive here") }
      let openers = [
        ["usher", "open"], ["xdg-open"], ["gio", "open"], ["env", "XDG_CURRENT_DESKTOP=GNOME", "xdg-open"],
      ]
      for (number, opener) in openers.enumerated() {
        let url = "com.example.tool:/oauth?code=\(number)&state=x#f"
        let opened = try await desk.run(opener[0], Array(opener.dropFirst()) + [url])
        #expect(opened.status == 0, "\(opened)")
        #expect(try await client.line() == url)
      }
      let report = try await desk.open("--wait=handled", "com.example.tool:last")
      #expect(report.status == 0 && report.outcome == "handled", "\(report)")
      #expect(try await client.line() == "com.example.tool:last")
      // The ID of the entry is no text for users.
      let terminal = try await desk.run(
        "/usr/bin/python3",
        [
          "-c", "import pty, sys; pty.spawn(sys.argv[1:])", "usher", "open", "--wait=handled",
          "com.example.tool:shown",
        ])
      #expect(terminal.output.contains("the program on build.example.org"), "\(terminal)")
      #expect(!terminal.output.contains("org.usher.Remote"), "\(terminal)")
      #expect(try await client.line() == "com.example.tool:shown")
      let history = try await desk.usher("history").output
      #expect(history.contains("com.example.tool:/oauth") && !history.contains("code="), "\(history)")
      client.terminate()
      _ = await client.waitUntilExit()
      try await desk.waitForEndOfRegistrations()
      let late = try await desk.open("com.example.tool:late")
      #expect(late.status == 2 && late.error == "NoHandler", "\(late)")
    }
  }

  @Test(arguments: [false, true])
  func `signs in with one command, and runs a program for each link`(isPortable: Bool) async throws {
    try await Self.with(
      routes: """
        [route.all]
        scheme = "https"
        source = { remote = "build.example.org" }
        allow  = true
        """
    ) { desk, rig, server in
      let server = try #require(server)
      let web = try await SignInRig.install(on: desk)
      let client = try await rig.register(
        "--once", "--open", "https://login.example/?x=1", Self.scheme, allowedAt: 1, of: server,
        isPortable: isPortable)
      #expect(try await web.visit().url == "https://login.example/?x=1")
      #expect(try await desk.open("com.example.tool:?code=1").status == 0)
      #expect(try await client.line() == "com.example.tool:?code=1")
      #expect(await client.waitUntilExit().status == 0)
      try await desk.waitForEndOfRegistrations()

      let runner = try await rig.register(
        Self.scheme, "--", "sh", "-c", "echo \"$USHER_HOPS $1\"; case $1 in *bad) exit 7; esac", "sh",
        allowedAt: 2, of: server, isPortable: isPortable)
      #expect(try await desk.open("--wait=handled", "com.example.tool:good").outcome == "handled")
      #expect(try await runner.line() == "0 com.example.tool:good")
      let failed = try await desk.open("--wait=handled", "com.example.tool:bad")
      #expect(failed.status == 6 && failed.message.contains("exited with status 7"), "\(failed)")
      runner.kill()
    }
  }

  @Test(arguments: [false, true])
  func `is listed, and ended by the user of the desktop while the machine stays connected`(
    isPortable: Bool
  ) async throws {
    try await InstalledDesktop.with { desk in
      let server = try await NotificationServer.start(on: desk)
      let rig = try await RemoteRig.start("container:build", on: desk)
      // A container is listed by its socket.
      let runtime = try #require(desk.desktop.environment["XDG_RUNTIME_DIR"])
      let directory = "\(runtime)/usher-container-build"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: "\(directory)/socket", withDestinationPath: rig.socket)
      let client = try await rig.register(Self.scheme, allowedAt: 1, of: server, isPortable: isPortable)
      #expect(
        try await desk.usher("remote", "list").output == "container:build  build  receives com.example.tool\n"
      )
      let listed = try await desk.usher("remote", "list", "--json").output
      #expect(try await JSONSchema("usher-remote-list").diagnostics(about: [listed]) == [])
      #expect(listed.contains(#""schemes":["com.example.tool"]"#), "\(listed)")

      let ended = try await desk.usher("remote", "unregister", "--json", "COM.example.tool")
      #expect(ended.status == 0 && ended.output.contains("container:build"), "\(ended)")
      #expect(
        try await JSONSchema("usher-remote-unregister").diagnostics(about: [ended.output]) == [])
      let result = await client.waitUntilExit()
      #expect(
        result.status == 3 && result.output.contains("the user has ended the registration"), "\(result)")
      try await desk.waitForEndOfRegistrations()
      let late = try await desk.open("com.example.tool:late")
      #expect(late.status == 2 && late.error == "NoHandler", "\(late)")
      #expect(try await desk.usher("remote", "list").output == "container:build  build\n")
      // The program cannot ask again at once, and other links of the machine still arrive.
      let again = try await rig.register(Self.scheme, isPortable: isPortable).waitUntilExit()
      #expect(again.status == 3, "\(again)")
      let none = try await desk.usher("remote", "unregister", Self.scheme)
      #expect(none.status == 2 && none.errorOutput.contains("no machine has registered"), "\(none)")
      #expect(try await desk.usher("remote", "unregister", "x:y").status == 64)
      #expect(try await rig.open("nothing:1").errorOutput.contains("the desktop reports"))
      _ = await rig.end()
    }
  }

  @Test func `is refused if the user refuses it, if no prompt can be shown, and by policy`() async throws {
    try await Self.with(
      routes: """
        [route.no-machines]
        scheme = "com.example.denied"
        source = { remote = true }
        deny   = "not for machines"
        [route.ours]
        scheme = "com.example.routed"
        open   = "org.example.Local"
        """
    ) { desk, rig, server in
      let server = try #require(server)
      try desk.desktop.installDesktopEntry(
        "org.example.Local", exec: "true %u", schemes: ["com.example.local"])
      try await desk.desktop.updateDesktopDatabase()
      for (scheme, reason) in [
        ("https", "reverse domain name"), ("file", "reverse domain name"), ("tool", "reverse domain name"),
        ("ie.http", "reserved"), ("com.", "reverse domain name"), ("com.example.denied", "not for machines"),
        ("com.example.routed", "a route opens these links here"),
        ("com.example.local", "org.example.Local opens these links here"),
        ("COM.Example.Local", "org.example.Local opens these links here"),
      ] {
        let refused = try await rig.register(scheme).waitUntilExit()
        #expect(refused.status == 3 && refused.output.contains(reason), "\(refused)")
      }
      for scheme in ["", "com.example:x", "com.example.ü", String(repeating: "a.", count: 100)] {
        #expect(try await rig.register(scheme).waitUntilExit().status == 64, "\(scheme)")
      }
      #expect(desk.registrationTraces.isEmpty)
      let client = try await rig.register(Self.scheme)
      _ = try await server.next(1)
      try await server.press(1, of: 1)
      let refused = await client.waitUntilExit()
      #expect(refused.status == 3 && refused.output.contains("the user refused it"), "\(refused)")
      // A machine cannot ask until the user gives in.
      let again = try await rig.register("com.example.other").waitUntilExit()
      #expect(again.status == 3 && again.output.contains("is not asked again yet; try again in "), "\(again)")
      #expect(desk.registrationTraces.isEmpty)
    }
    try await Self.with(hasPrompts: false) { desk, rig, _ in
      let refused = try await rig.register(Self.scheme).waitUntilExit()
      #expect(refused.status == 3 && refused.output.contains("no prompt can be shown"), "\(refused)")
      #expect(desk.registrationTraces.isEmpty)
    }
  }

  @Test func `has one program of one machine, and a machine has eight`() async throws {
    try await Self.with { desk, rig, server in
      let server = try #require(server)
      let other = try await RemoteRig.start("other.example.org", on: desk)
      let first = try await rig.register(Self.scheme, allowedAt: 1, of: server)
      for (machine, reason) in [
        (rig, "another program of this machine"), (other, "the machine build.example.org"),
      ] {
        let second = try await machine.register(Self.scheme).waitUntilExit()
        #expect(second.status == 3 && second.output.contains(reason), "\(second)")
      }
      var clients = [first]
      for number in 2...8 {
        clients.append(try await rig.register("com.example.tool\(number)", allowedAt: number, of: server))
      }
      let ninth = try await rig.register("com.example.ninth").waitUntilExit()
      #expect(ninth.status == 8 && ninth.output.contains("8 schemes"), "\(ninth)")
      // The machines do not share the limit, and each receives its own links.
      let theirs = try await other.register("com.example.theirs", allowedAt: 9, of: server)
      #expect(try await desk.open("com.example.theirs:1").status == 0)
      #expect(try await theirs.line() == "com.example.theirs:1")
      #expect(try await desk.open("com.example.tool:1").status == 0)
      #expect(try await first.line() == "com.example.tool:1")
      // An answer that is late must not reach another machine.
      first.kill()
      _ = await first.waitUntilExit()
      try await withDeadline(Command.defaultDeadline, "the end of the registration") {
        while desk.registrationTraces.contains(where: {
          $0.hasPrefix("org.usher.Remote.com_2eexample_2etool.")
        }) {
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      let heir = try await other.register(Self.scheme).waitUntilExit()
      #expect(heir.status == 3 && heir.output.contains("answers for it may still arrive"), "\(heir)")
      for client in clients + [theirs] { client.kill() }
      _ = await other.end()
    }
  }

  @Test func `is registered at a limited rate, and one that no machine may register does not count`()
    async throws
  {
    try await Self.with(hasPrompts: false) { _, rig, _ in
      let client = try await RawRemoteClient.connect(to: rig)
      for number in 1...100 { try client.send(["register", "id", "\(number)", "scheme", "x"]) }
      for number in 101...200 {
        try client.send(["register", "id", "\(number)", "scheme", "com.example.tool\(number)"])
      }
      var reasons: [String] = []
      for _ in 1...200 { reasons.append(try await client.next("result")["error"]?.string ?? "") }
      #expect(reasons.count { $0.contains("reverse domain name") } == 100, "\(reasons)")
      #expect(reasons.count { $0.contains("more than 16 registrations within 10 s") } == 84, "\(reasons)")
    }
  }

  @Test func `is not registered for a client that withdraws it, or disconnects, in the same packet`()
    async throws
  {
    try await Self.with { desk, rig, server in
      let server = try #require(server)
      let client = try await RawRemoteClient.connect(to: rig)
      try client.send(
        ["register", "id", "1", "scheme", "com.example.withdrawn"], ["cancel", "id", "1"])
      let result = try await client.next("result")
      #expect(result["error"]?.string?.contains("has disconnected") == true, "\(result)")
      // The relay disconnects a client that then sends a message that is too long.
      let answer = try await rig.send(
        #"usher-remote-1\n\x00\x00\x00\x2aregister\x00id\x001\x00scheme\x00com.example.finished\x00\xff\xff\xff\xff"#
      )
      #expect(answer.contains("a message is longer than"), "\(answer)")
      // The user is asked about neither.
      let next = try await rig.register(Self.scheme)
      let shown = try await server.next(1)
      #expect(shown.text.contains("Send \(Self.scheme): links"), "\(shown)")
      try await server.press(0, of: 1)
      _ = try await next.line { $0.contains("arrive here") }
      let names = try await desk.run("busctl", ["--user", "list", "--full"]).orThrow().output
      #expect(names.contains("com_2eexample_2etool"), "\(names)")
      #expect(!names.contains("withdrawn") && !names.contains("finished"), "\(names)")
      next.kill()
    }
  }

  @Test
  func `is shown by handlers, explain and doctor, and an application that is installed later has precedence`()
    async throws
  {
    try await Self.with { desk, rig, server in
      let server = try #require(server)
      let client = try await rig.register(Self.scheme, allowedAt: 1, of: server)
      let handlers = try await desk.usher("handlers").output
      #expect(
        handlers.contains("com.example.tool  org.usher.Remote.com_2eexample_2etool.")
          && handlers.contains("on the machine build.example.org while it is connected  since"), "\(handlers)"
      )
      let json = try await desk.usher("handlers", "--json").output
      #expect(json.contains(#""remote":"build.example.org""#), "\(json)")
      #expect(try await JSONSchema("usher-handlers").diagnostics(about: [json]) == [])
      let explained = try await desk.usher("explain", "com.example.tool:1")
      #expect(
        explained.status == 0 && explained.output.contains("opens it on the machine build.example.org"),
        "\(explained)")
      let doctor = try await desk.usher("doctor").output
      #expect(
        doctor.contains("note: com.example.tool: links are sent to the machine build.example.org"),
        "\(doctor)")
      #expect(!doctor.contains("org.usher.Remote"), "\(doctor)")

      try desk.desktop.installDesktopEntry(
        "org.example.Local", exec: "true %u", schemes: [Self.scheme], in: .system)
      try await desk.run("update-desktop-database", ["\(desk.desktop.systemData)/applications"]).orThrow()
      for words in [["usher", "open", "--json"], ["gio", "open"]] {
        #expect(try await desk.run(words[0], Array(words.dropFirst()) + ["com.example.tool:2"]).status == 0)
      }
      let local = try await desk.open("com.example.tool:3")
      #expect(local.first?["application"]?.string == "org.example.Local", "\(local)")
      #expect(
        try await desk.usher("handlers").output.contains("com.example.tool  org.example.Local  "))

      // An entry of a killed broker and relay.
      let path = "\(desk.desktop.dataHome)/applications/\(try #require(desk.registrationTraces.first))"
      let entry = try String(contentsOfFile: path, encoding: .utf8)
      client.kill()
      try await desk.waitForEndOfRegistrations()
      try desk.desktop.write(entry, to: path)
      try await desk.desktop.updateDesktopDatabase()
      let found = try await desk.usher("doctor")
      #expect(
        found.status == 1 && found.output.contains("build.example.org, which is not connected any more"),
        "\(found)")
      #expect(try await desk.usher("doctor", "--fix").output.contains("fixed"))
      #expect(desk.registrationTraces.isEmpty)
    }
  }

  @Test func `ends with its client, its relay or its connection, and nothing of it remains`() async throws {
    try await Self.with { desk, rig, server in
      let server = try #require(server)
      let held = try await rig.register(
        Self.scheme, "--", "sh", "-c", "echo begun; exec sleep 86400", allowedAt: 1, of: server)
      // The relay is killed while the program works, so that the outcome is unknown, and the link is not sent again.
      async let opened = desk.open("--wait=handled", "--timeout=\(timeLimit(240))", "com.example.tool:1")
      _ = try await held.line { $0 == "begun" }
      await rig.kill()
      let lost = try await opened
      #expect(lost.outcome == "unknown", "\(lost)")
      try await desk.waitForEndOfRegistrations()
      held.kill()

      let next = try await RemoteRig.start(on: desk)
      let client = try await next.register(Self.scheme, allowedAt: 2, of: server)
      #expect(try await desk.open("com.example.tool:2").status == 0)
      #expect(try await client.line() == "com.example.tool:2")
      client.kill()
      _ = await client.waitUntilExit()
      try await desk.waitForEndOfRegistrations()

      // The client disconnects while it has a link.
      let third = try await next.register(
        Self.scheme, "--", "sh", "-c", "echo begun; kill -9 $PPID", allowedAt: 3, of: server)
      let unknown = try await desk.open("--wait=handled", "--timeout=\(timeLimit(240))", "com.example.tool:3")
      #expect(unknown.outcome == "unknown" && unknown.message.contains("was lost"), "\(unknown)")
      #expect(unknown.status == 5 && unknown.error == "Timeout", "\(unknown)")
      #expect(
        unknown.message.contains("it is unknown") && !unknown.message.contains("failed"), "\(unknown)")
      _ = await third.waitUntilExit()
      // The client disconnects while the user is asked, whose answer has no effect then.
      let fourth = try await next.register(Self.scheme)
      _ = try await server.next(4)
      fourth.kill()
      _ = await fourth.waitUntilExit()
      try await server.press(0, of: 4)
      let fifth = try await next.register(Self.scheme, allowedAt: 5, of: server)
      #expect(try await desk.open("com.example.tool:5").status == 0)
      #expect(try await fifth.line() == "com.example.tool:5")
      fifth.kill()
      _ = await next.end()
      try await desk.waitForEndOfRegistrations()
    }
  }

  /// Ends a broker by SIGKILL, or as a service manager does.
  private static func end(_ broker: Broker, isKilled: Bool) async throws {
    if isKilled { await broker.kill() } else { _ = try await broker.stop() }
  }

  @Test(arguments: [false, true])
  func `survives a restart of the broker, and remains of killed ones are removed`(isKilled: Bool) async throws
  {
    try await InstalledDesktop.with { desk in
      let server = try await NotificationServer.start(on: desk)
      let broker = try await desk.startBroker()
      let rig = try await RemoteRig.start(on: desk)
      let client = try await rig.register(Self.scheme, allowedAt: 1, of: server)
      try await Self.end(broker, isKilled: isKilled)
      let second = try await desk.startBroker()
      #expect(try await desk.open("com.example.tool:1").status == 0)
      #expect(try await client.line() == "com.example.tool:1")
      let again = try await rig.register(Self.scheme).waitUntilExit()
      #expect(again.status == 3, "\(again)")
      // Broker and relay are killed at once, so that the entry remains until a broker starts.
      second.program.kill()
      _ = await second.program.waitUntilExit()
      await rig.kill()
      #expect(!desk.registrationTraces.isEmpty)
      let third = try await desk.startBroker()
      try await desk.waitForEndOfRegistrations()
      third.program.kill()
      client.kill()
    }
  }

  @Test(arguments: [false, true])
  func `is registered by no other machine soon after it has ended, also after a restart of the broker`(
    isKilled: Bool
  ) async throws {
    try await InstalledDesktop.with { desk in
      let server = try await NotificationServer.start(on: desk)
      let broker = try await desk.startBroker()
      let rig = try await RemoteRig.start(on: desk)
      let other = try await RemoteRig.start("other.example.org", on: desk)
      let client = try await rig.register(Self.scheme, allowedAt: 1, of: server)
      client.kill()
      _ = await client.waitUntilExit()
      try await desk.waitForEndOfRegistrations()
      try await Self.end(broker, isKilled: isKilled)
      let second = try await desk.startBroker()
      let heir = try await other.register(Self.scheme).waitUntilExit()
      #expect(heir.status == 3 && heir.output.contains("answers for it may still arrive"), "\(heir)")
      // The machine itself may.
      let again = try await rig.register(Self.scheme, allowedAt: 2, of: server)
      #expect(try await desk.open("com.example.tool:1").status == 0)
      #expect(try await again.line() == "com.example.tool:1")
      if isKilled { try await Self.expectUnknownOutcomeOfRepetition(on: desk) }
      again.kill()
      _ = await other.end()
      _ = await rig.end()
      second.program.kill()
    }
  }

  /// Expects that a link is not sent that an earlier registration of the machine may have received from a broker that was killed.
  private static func expectUnknownOutcomeOfRepetition(on desk: InstalledDesktop) async throws {
    var options = OpenOptions()
    options.requestID = "repeated"
    options.wait = .handled
    let entries = options.entries
    let caller = try await desk.connect()
    let error = await #expect(throws: BusError.self) {
      try await caller.call(
        BrokerInterface.open, at: BrokerInterface.broker, ["com.example.tool:2"], entries,
        timeout: Command.defaultDeadline)
    }
    #expect(
      error?.message.contains("an earlier connection of the machine may have received the link") == true,
      "\(String(describing: error))")
    await caller.close()
  }

  /// The next broker, which the request for the scheme starts, finds the entry of a relay that has ended with the earlier broker.
  @Test(arguments: [false, true])
  func `is registered again by its own machine alone if its relay has ended with the broker`(
    isOtherMachine: Bool
  ) async throws {
    try await InstalledDesktop.with { desk in
      let server = try await NotificationServer.start(on: desk)
      let broker = try await desk.startBroker()
      let rig = try await RemoteRig.start(on: desk)
      let client = try await rig.register(Self.scheme, allowedAt: 1, of: server)
      await broker.kill()
      await rig.kill()
      #expect(!desk.registrationTraces.isEmpty)
      client.kill()
      let next = try await RemoteRig.start(isOtherMachine ? "other.example.org" : rig.machine, on: desk)
      if isOtherMachine {
        let heir = try await next.register(Self.scheme).waitUntilExit()
        #expect(heir.status == 3 && heir.output.contains("answers for it may still arrive"), "\(heir)")
      } else {
        let again = try await next.register(Self.scheme, allowedAt: 2, of: server)
        #expect(try await desk.open("com.example.tool:1").status == 0)
        #expect(try await again.line() == "com.example.tool:1")
        again.kill()
      }
      _ = await next.end()
      try await desk.waitForEndOfRegistrations()
    }
  }

  @Test func `receives the callback of an application that a link of the machine has opened`() async throws {
    try await Self.with(
      routes: """
        [route.answers]
        scheme = "answer"
        source = { remote = "build.example.org" }
        allow  = true
        """
    ) { desk, rig, server in
      let server = try #require(server)
      let script = try desk.desktop.installScript(
        "answerer",
        """
        #!/usr/bin/python3
        import subprocess, sys, urllib.parse
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(sys.argv[1]).query))
        subprocess.run(["gio", "open", asked["x-success"] + "?id=7"], check=True)

        """)
      try desk.desktop.installDesktopEntry("org.example.Answerer", exec: "\(script) %u", schemes: ["answer"])
      try desk.desktop.setDefaults(["answer": ["org.usher.Handler", "org.example.Answerer"]])
      let client = try await rig.register("--once", Self.scheme, allowedAt: 1, of: server)
      let other = try await RemoteRig.start("other.example.org", on: desk)
      let theirs = try await other.register("com.example.other", allowedAt: 2, of: server)
      let opened = try await rig.open(
        "answer://x-callback-url/create?x-success=com.example.tool%3A%2F%2Fdone&x-source=tool")
      #expect(opened.status == 0, "\(opened)")
      #expect(try await client.line() == "com.example.tool://done?id=7")
      #expect(await client.waitUntilExit().status == 0)
      theirs.kill()
      _ = await other.end()
    }
  }

  @Test func `is registered by relays alone, and delivered by the broker alone`() async throws {
    try await Self.with { desk, rig, server in
      let server = try #require(server)
      let claimed = try await desk.call(
        InstalledDesktop.broker, "RegisterScheme", "sa{sv}", Self.scheme, "1", "remote", "s",
        "build.example.org")
      #expect(claimed.status != 0 && claimed.errorOutput.contains("ccess denied"), "\(claimed)")
      let client = try await rig.register(Self.scheme, allowedAt: 1, of: server)
      let name = try #require(desk.registrationTraces.first).replacing(".desktop", with: "")
      let place = [name, "/" + name.replacing(".", with: "/"), "org.usher.Application1"]
      let delivered = try await desk.call(
        place, "Deliver", "a{sv}", "2", "request-id", "s", "x", "urls", "as", "1", "com.example.tool:x")
      #expect(delivered.status != 0 && delivered.errorOutput.contains("ccess denied"), "\(delivered)")
      // Links of another scheme are not sent, also if a program names the entry as its target.
      let foreign = try await desk.open("--app", name, "https://example.org/")
      #expect(foreign.status == 6, "\(foreign)")
      #expect(try await desk.open("com.example.tool:y").status == 0)
      #expect(try await client.line() == "com.example.tool:y")
      client.kill()
    }
  }

  @Test func `is unknown to a relay of an earlier version, and a relay answers unknown requests`()
    async throws
  {
    try await Self.with(hasPrompts: false) { desk, rig, _ in
      let answer = try await rig.send(
        #"usher-remote-1\n\x00\x00\x00\x0efuture\x00id\x00one\x00usher-remote"#)
      #expect(answer.contains("knows no request of the kind “future”"), "\(answer)")
      let early = "\(desk.desktop.root)/early"
      let relay = try await RunningProgram.start(
        "/usr/bin/python3",
        [
          "-u", "-c",
          """
          import socket, struct, sys
          listener = socket.socket(socket.AF_UNIX)
          listener.bind(sys.argv[1])
          listener.listen()
          print("ready")
          while True:
            peer, _ = listener.accept()
            content = b"ready\\0machine\\0build\\0version\\x000.9\\0"
            peer.sendall(b"usher-remote-1\\n" + struct.pack(">I", len(content)) + content)
            peer.recv(100)
          """, early,
        ])
      _ = try await relay.line { $0 == "ready" }
      for program in [
        [rig.front], ["/usr/bin/python3", "\(BuiltProducts.repository)/desktop/remote/usher-open"],
      ] {
        let refused = try await Command.run(
          program[0], Array(program.dropFirst()) + ["remote", "register", Self.scheme],
          environment: ["PATH": "/usr/bin:/bin", "USHER_SOCKET": early])
        #expect(refused.status == 69 && refused.errorOutput.contains("0.9"), "\(refused)")
        for words in [
          [], ["--twice", "a.b"], ["a.b", "c.d"], ["--timeout=0", "a.b"], ["a.b", "--timeout"],
          ["a.b", "--open"], ["a.b", "--open="], ["--open", "", "a.b"],
        ] {
          let wrong = try await Command.run(
            program[0], Array(program.dropFirst()) + ["remote", "register"] + words,
            environment: ["USHER_SOCKET": early])
          #expect(wrong.status == 64, "\(words) \(wrong)")
        }
      }
      relay.kill()
    }
  }
}
