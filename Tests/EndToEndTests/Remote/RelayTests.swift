// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Links of another machine at the socket of a relay, without the connection between the machines.
@Suite struct `A link of another machine` {
  private static let allowed = """
    [route.build]
    scheme = "notes"
    source = { remote = "build.example.org" }
    allow  = true
    """

  private static func with(
    _ kind: TargetKind = .scenes, routes: String = allowed,
    _ body: @Sendable (InstalledDesktop, RemoteRig, Target) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      try desk.desktop.writeRoutes("remote.toml", routes)
      let rig = try await RemoteRig.start(on: desk)
      try await body(desk, rig, target)
      #expect(await rig.end() == 0)
    }
  }

  @Test func `arrives with its annotation, and the value of the application returns`() async throws {
    try await Self.with { desk, rig, target in
      let url = "notes://note/7?tab=edit#x"
      let result = try await rig.open(
        "--wait=handled", "--annotation", #"{"from": "ci"}"#, "--timeout", "240", url)
      #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      let arrival = try await target.next()
      #expect(arrival.urls == [url] && arrival.envelope["annotation"]?["from"] == "ci")
      #expect(arrival.envelope["source-application"] == nil)
      let json = try OpenReport(try await rig.open("--json", "--timeout=\(timeLimit(240))", "notes://note/8"))
      #expect(json.status == 0 && json.first?["application"]?.string == target.kind.id, "\(json)")
      #expect(try await target.next().urls == ["notes://note/8"])
      let history = try await desk.usher("history").output
      #expect(
        history.contains("the machine build.example.org -> \(target.kind.id)  notes://note/7"), "\(history)")
      // The page of a report takes the title from its data.
      let path = "\(desk.desktop.home)/report.html"
      try await desk.run("usher", ["report", path]).orThrow()
      let page = try String(contentsOfFile: path, encoding: .utf8)
      #expect(page.contains(#""machines":{"build.example.org":"the machine build.example.org"}"#))
    }
  }

  @Test(arguments: [false, true])
  func `has its value printed at a terminal on the machine, too`(isPortable: Bool) async throws {
    try await Self.with { _, rig, target in
      let link = "notes://note/7"
      let result = try await rig.openAtTerminal(
        "--wait=handled", "--timeout=\(timeLimit(240))", link, isPortable: isPortable)
      #expect(result.status == 0, "\(result)")
      let line = try #require(result.output.split(whereSeparator: \.isNewline).first)
      #expect(line.hasPrefix("\(target.kind.id) handled it: {"), "\(result)")
    }
  }

  @Test func `is denied without a rule or a grant, which is for one machine`() async throws {
    try await Self.with(.plain, routes: "") { desk, rig, target in
      let denied = try await rig.open("play:1")
      #expect(denied.status == 3, "\(denied)")
      let command = "usher grants allow --remote build.example.org --scheme play"
      #expect(denied.errorOutput.contains(command), "\(denied)")
      #expect(try await rig.run(["play:1"], as: "xdg-open").status == 4)
      try await desk.run("sh", ["-c", command]).orThrow()
      #expect(try await desk.usher("grants", "list").output.contains("from the machine build.example.org"))
      #expect(try await rig.open("play:2").status == 0)
      #expect(try await target.next().urls == ["play:2"])
      let other = try await RemoteRig.start("other.example.org", on: desk)
      #expect(try await other.open("play:3").status == 3)
      _ = await other.end()
      _ = try await desk.usher("grants", "revoke", "--remote", "build.example.org")
      #expect(try await rig.open("play:4").status == 3)
    }
  }

  @Test func `names its machine in the prompt`() async throws {
    try await Self.with(.plain, routes: "") { desk, rig, target in
      let server = try await NotificationServer.start(on: desk)
      async let opened = rig.open("--timeout=\(timeLimit(240))", "play:/song?token=secret")
      let shown = try await server.next(1)
      #expect(shown.text.contains("The machine build.example.org wants"), "\(shown)")
      #expect(
        !shown.text.contains("secret") && shown.text.contains("links from the machine build.example.org"))
      try await server.press(0, of: 1)
      #expect(try await opened.status == 0)
      let arrival = try await target.next()
      #expect(arrival.urls == ["play:/song?token=secret"])
      #expect(
        arrival.envelope["remote"]?.string == "build.example.org" && arrival.envelope["sandboxed"] == true)
      #expect(
        arrival.envelope["hops"]?.integer == 1 && arrival.envelope["user-activation"]?.string == "allowed")
    }
  }

  @Test func `to a file is refused, unless a route rewrites it`() async throws {
    try await Self.with(
      .plain,
      routes: """
        [route.files]
        match   = "file:///srv/{path...}"
        source  = { remote = "build.example.org" }
        rewrite = "play://build.example.org/srv/{path}"
        [route.all]
        scheme = ["play", "file"]
        source = { remote = ["build.example.org"] }
        allow  = true
        """
    ) { desk, rig, target in
      for url in ["file:///etc/hostname", "trash:///", "man:ls", "file:/etc/hostname"] {
        let refused = try await rig.open(url)
        #expect(refused.status == 3 && refused.errorOutput.contains("that machine"), "\(refused)")
      }
      #expect(try await rig.open("file:///srv/a.txt").status == 0)
      #expect(try await target.next().urls == ["play://build.example.org/srv/a.txt"])
      #expect(try await rig.open("/nowhere/at/all").status == 2)
      #expect(try await rig.open("/etc/passwd").status == 3)
    }
  }

  @Test func `to a file that this desktop has, too, is opened by its path here`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults(["file": [target.kind.id]])
      try desk.desktop.write("text", to: "shared/a b.txt")
      let shared = "\(desk.desktop.root)/shared"
      try desk.desktop.writeRoutes(
        "remote.toml",
        """
        [route.src]
        match   = "file:///src/{path...}"
        source  = { remote = "build.example.org" }
        rewrite = "file://\(shared)/{path}"
        """)
      let rig = try await RemoteRig.start(on: desk)
      let server = try await NotificationServer.start(on: desk)
      // The answer is for this file.
      for number in [1, 2] {
        async let opened = rig.open("--timeout=\(timeLimit(240))", "file:///src/a%20b.txt")
        _ = try await server.next(number)
        try await server.press(0, of: number)
        #expect(try await opened.status == 0)
        #expect(try await target.next().urls == ["file://\(shared)/a%20b.txt"])
      }
      for url in [
        "file:///src/../../etc/passwd", "file:///src/..%2F..%2Fetc%2Fpasswd", "file://\(shared)/a%20b.txt",
      ] {
        let refused = try await rig.open(url)
        #expect(refused.status == 3 && refused.errorOutput.contains("source.remote"), "\(refused)")
      }
      #expect(await rig.end() == 0)
    }
  }

  @Test func `is denied by a route for other machines, whatever the machine says`() async throws {
    try await Self.with(
      .plain,
      routes: """
        [route.no-machines]
        scheme = "play"
        source = { remote = true }
        deny   = "not from other machines"
        """
    ) { desk, rig, target in
      for words in [
        ["play:1"], ["--origin=https://play.example", "play:1"], ["--fallback=play:2", "nobody:1"],
      ] {
        let denied = try await rig.run(["open"] + words)
        #expect(denied.status == 3 || denied.status == 2, "\(denied)")
      }
      #expect(try await rig.open("play:1").errorOutput.contains("not from other machines"))
      #expect(try await desk.open("play:3").status == 0)
      #expect(try await target.next().urls == ["play:3"])
      let explained = try await desk.usher("explain", "--remote", "build.example.org", "play:1")
      #expect(
        explained.status == 3 && explained.output.contains("on the machine build.example.org"), "\(explained)"
      )
    }
  }

  @Test func `is stated by the relay alone`() async throws {
    try await Self.with { desk, _, _ in
      let claimed = try await desk.run(
        "gdbus",
        [
          "call", "--session", "--dest", "org.usher.Broker1", "--object-path", "/org/usher/Broker1",
          "--method",
          "org.usher.Broker1.Open", "['notes:1']", "{'remote': <'build.example.org'>}",
        ])
      #expect(
        claimed.status != 0 && claimed.errorOutput.contains("only usher-remote may state the machine"),
        "\(claimed)")
    }
  }

  @Test(
    arguments: [
      (#"GET / HTTP/1.1\r\n\r\n"#, "another protocol"),
      (#"usher-remote-1\n\x7f\xff\xff\xff"#, "longer than"),
      (#"usher-remote-1\n\x00\x00\x00\x03abc"#, "malformed"),
    ] as [(String, String)])
  func `that is no message closes the connection with the reason`(bytes: String, reason: String) async throws
  {
    try await Self.with { desk, rig, target in
      let answer = try await rig.send(bytes)
      #expect(answer.contains(reason), "\(answer)")
      // Everybody else is still served.
      let opened = try await rig.open("--timeout=\(timeLimit(240))", "notes://note/1")
      #expect(opened.status == 0, "\(opened)")
      #expect(try await target.next().urls == ["notes://note/1"])
    }
  }

  /// A machine that reads nothing could otherwise keep each connection, and fill the memory with what it sends.
  @Test(arguments: [0, 64 << 20])
  func `that is no message closes the connection in time if the machine reads nothing`(more: Int) async throws
  {
    try await Self.with { _, rig, target in
      let ended = try await Command.run(
        "/usr/bin/python3",
        [
          "-c",
          """
          import select, socket, struct, sys
          peer = socket.socket(socket.AF_UNIX)
          peer.connect(sys.argv[1])
          unknown = b"future\\0id\\0one\\0"
          # The kernel takes some 200 KiB of the answers.
          peer.sendall(b"usher-remote-1\\n" + (struct.pack(">I", len(unknown)) + unknown) * 4000 + b"\\x7f\\xff\\xff\\xff")
          rest = int(sys.argv[2])
          try:
            while rest > 0: rest -= peer.send(bytes(65536))
          except ConnectionError:
            print("closed")
            sys.exit()
          if int(sys.argv[2]) > 0: sys.exit("everything was received")
          poller = select.poll()
          poller.register(peer, 0)
          poller.poll()
          print("closed")
          """, rig.socket, "\(more)",
        ])
      #expect(ended.output == "closed\n", "\(ended)")
      let opened = try await rig.open("--timeout=\(timeLimit(240))", "notes://note/1")
      #expect(opened.status == 0, "\(opened)")
      #expect(try await target.next().urls == ["notes://note/1"])
    }
  }

  @Test func `is received by a process that has restricted itself`() async throws {
    try await Self.with { desk, rig, _ in
      let status = try await desk.run("cat", ["/proc/\(rig.processIdentifier)/status"]).orThrow().output
      let lines = status.split(separator: "\n")
      #expect(lines.contains("NoNewPrivs:\t1") && lines.contains("Seccomp:\t2"), "\(status)")
    }
  }

  @Test func `is not logged at the terminal of a login`() async throws {
    try await Self.with { desk, _, target in
      let result = try await desk.run(
        "/usr/bin/python3",
        [
          "-c",
          """
          import os, pty, subprocess, sys
          relay, front, path = sys.argv[1:]
          ours, terminal = pty.openpty()
          process = subprocess.Popen(
            [relay, "build.example.org", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=terminal)
          assert process.stdout.readline() == b"ready\\n"
          subprocess.run(
            [front, "open", "notes://note/1"], env={"USHER_SOCKET": path}, check=True, stdout=subprocess.DEVNULL)
          process.stdin.close()
          assert process.wait() == 0
          # The end of the relay is behind all that it has written.
          os.write(terminal, b"end\\n")
          print(os.read(ours, 4096))
          """, "\(BuiltProducts.directory)/usher-remote", BuiltProducts.usher,
          "\(desk.desktop.root)/terminal",
        ]
      ).orThrow()
      #expect(result.output == "b'end\\r\\n'\n", "\(result)")
      #expect(try await target.next().urls == ["notes://note/1"])
    }
  }

  @Test func `without a relay is printed, so that the user can copy it`() async throws {
    try await Self.with { _, rig, _ in
      let variables = ["USHER_SOCKET": "/nowhere/socket"]
      let failed = try await rig.run(["open", "https://example.org/?a=b"], adding: variables)
      #expect(failed.status == 69 && failed.errorOutput.contains("https://example.org/?a=b"), "\(failed)")
      #expect(try await rig.run(["https://example.org/"], as: "xdg-open", adding: variables).status == 3)
      #expect(try await rig.open("--callback", "notes:1").status == 64)
    }
  }
}
