// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// Sign-ins over a real OpenSSH, on a machine with a network of its own, so that its ports are not those of the desk.
@Suite struct `A sign-in over ssh` {
  private static func with(
    follows: Bool = false,
    _ body: @Sendable (SignInRig, SSHServer, NotificationServer) async throws -> Void
  ) async throws {
    let network = try await NetworkNamespace.make()
    try await InstalledDesktop.with { desk in
      let rig = try await SignInRig.install(on: desk, follows: follows)
      let server = try await SSHServer.start(on: desk, in: .separate(network))
      try await body(rig, server, try await NotificationServer.start(on: desk))
      await server.stop()
    }
  }

  /// Allows a sign-in, whose program does not wait for its answer, at the notification with this number.
  private static func allow(
    _ number: Int, of rig: SignInRig, from server: SSHServer, _ notifications: NotificationServer
  ) async throws {
    async let opened = rig.desk.run("ssh", server.options + ["build", "usher", "open", "'\(rig.link())'"])
    _ = try await notifications.next(number)
    try await notifications.press(0, of: number)
    let result = try await opened
    #expect(result.status == 0, "\(result)")
  }

  @Test func `with an authorization code and PKCE gives the program there its token`() async throws {
    try await Self.with(follows: true) { rig, server, notifications in
      let provider = try await SignInProvider.start(on: rig.desk, redirectPort: rig.port)
      async let signedIn = rig.desk.run("usher", ["ssh"] + server.options + ["build"] + provider.program)
      let shown = try await notifications.next(1)
      #expect(shown.text.contains("Sign in for a program on \(SSHServer.machine)?"), "\(shown)")
      #expect(shown.text.contains("“test-cli” at port \(rig.port)"), "\(shown)")
      try await notifications.press(0, of: 1)
      let result = try await signedIn
      try SignInRig.expectToken(result)
      let visit = try await rig.visit()
      #expect(visit.page.hasSuffix("\n200"), "\(visit)")
      #expect(visit.page.contains("The program on \(SSHServer.machine) has the answer"), "\(visit)")
      #expect(!visit.page.contains("the page of the program"), "\(visit)")
      let second = try await rig.request("/callback", host: "127.0.0.1")
      #expect(second.status == 7, "\(second)")
    }
  }

  @Test func `whose program or connection is gone ends with a page, and reaches no program here`()
    async throws
  {
    try await Self.with { rig, server, notifications in
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: rig.desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      func allow(_ number: Int) async throws {
        try await Self.allow(number, of: rig, from: server, notifications)
      }
      try await allow(1)
      let gone = try await rig.request()
      #expect(gone.httpStatus == 502 && gone.output.contains("start the sign-in there again"), "\(gone)")

      try await allow(2)
      try await server.dropConnections()
      _ = try await connection.line { $0.contains("was lost") }
      let lost = try await rig.request()
      #expect(lost.httpStatus == 502 && lost.output.contains("start the sign-in there again"), "\(lost)")

      // The end of the connection ends the sign-in.
      _ = try await connection.line { $0.contains("again") && !$0.contains("was lost") }
      try await allow(3)
      let ended = try await rig.desk.run("usher", ["remote", "disconnect"] + server.options + ["build"])
      #expect(ended.status == 0, "\(ended)")
      #expect(await connection.waitUntilExit().status == 0)
      let refused = try await rig.request()
      // The relay may still be ending.
      #expect(refused.status != 0 || refused.httpStatus == 502, "\(refused)")
    }
  }

  @Test func `is carried while the program of an earlier one writes its response without end`() async throws {
    try await Self.with { rig, server, notifications in
      let connection = try await RunningProgram.start(
        "bash", ["-c", "exec usher remote connect \"$@\" 2>&1", "bash"] + server.options + ["build"],
        environment: rig.desk.desktop.environment)
      _ = try await connection.line { $0.contains("open on this desktop") }
      let script = try rig.desk.desktop.write(
        """
        import socket, sys, threading
        listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
        print("listening", flush=True)
        def answer(peer, rest):
          with peer:
            peer.sendall(b"HTTP/1.1 200 OK\\r\\n")
            while rest: peer.sendall(rest)
        for rest in [b"\\n" * 65536, b""]:
          threading.Thread(target=answer, args=(listener.accept()[0], rest)).start()
        """, to: "program.py")
      let program = try await RunningProgram.start(
        "ssh", server.options + ["build", "/usr/bin/python3", script, "\(rig.port)"],
        environment: rig.desk.desktop.environment)
      _ = try await program.line { $0 == "listening" }
      for number in 1...2 {
        try await Self.allow(number, of: rig, from: server, notifications)
        let answer = try await rig.request()
        #expect(answer.httpStatus == 200, "\(answer)")
      }
      let ended = try await rig.desk.run("usher", ["remote", "disconnect"] + server.options + ["build"])
      #expect(ended.status == 0, "\(ended)")
      #expect(await connection.waitUntilExit().status == 0)
      program.kill()
    }
  }
}
