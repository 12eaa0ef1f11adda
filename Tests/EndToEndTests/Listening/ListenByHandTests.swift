// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import TestSupport
import Testing

/// Tests of `usher listen` as a user, another program or a launcher starts it.
@Suite struct `usher listen, started by hand` {
  /// - Parameter input: The redirection of standard input in the notation of bash.
  private static func start(
    _ arguments: String..., input: String = "", on desk: InstalledDesktop
  ) async throws -> RunningProgram {
    try desk.desktop.installDesktopEntry(
      Listening.id, exec: "/bin/false %u", schemes: [Listening.scheme],
      lines: ["Implements=org.usher.Application1;"])
    try desk.desktop.setDefaults([Listening.scheme: ["org.usher.Handler", Listening.id]])
    let program = try await RunningProgram.start(
      "bash", ["-c", "exec usher listen \"$@\" \(input)", "bash", Listening.id] + arguments,
      environment: desk.desktop.environment)
    try await desk.waitForOwner(of: "org.example.Lines")
    return program
  }

  @Test func `without a command prints each request, which completes it`() async throws {
    try await InstalledDesktop.with { desk in
      let program = try await Self.start(on: desk)
      #expect(try await desk.open("--wait", "handled", "lines:1", "lines:2").outcome == "handled")
      #expect(try Envelope(json: try await program.line()).urls == ["lines:1", "lines:2"])
      program.send(SIGTERM)
      #expect(await program.waitUntilExit().status == 0)
    }
  }

  @Test func `reads replies of its parent program, and exits with it`() async throws {
    try await InstalledDesktop.with { desk in
      let program = try await Self.start("--replies", "--timeout", timeLimit(30), on: desk)
      async let first = desk.open("--wait", "handled", "lines:1")
      let envelope = try Envelope(json: try await program.line())
      #expect(envelope.urls == ["lines:1"])
      program.write(
        "{\"request-id\": \"\(envelope.requestID)\", \"handled\": true, \"value\": \"one\"}\n")
      #expect(try await first.first?["value"] == "one")
      async let second = desk.open("--wait", "handled", "lines:2")
      _ = try await program.line()
      program.closeInput()
      let report = try await second
      #expect(report.error == "TargetFailed" && report.message.contains("closed its end"), "\(report)")
      #expect(await program.waitUntilExit().status == 0)
    }
  }

  @Test func `warns about progress that names no request, and about an unexpected withdrawal`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let program = try await Self.start("--replies", "--timeout", timeLimit(30), on: desk)
      async let first = desk.open("--wait", "handled", "lines:1")
      let id = try Envelope(json: try await program.line()).requestID
      program.write("{\"progress\": {\"completed\": 1}}\n{\"request-id\": \"\(id)\", \"withdrawn\": true}\n")
      let report = try await first
      #expect(report.message.contains("of which it had received no cancellation"), "\(report)")
      program.terminate()
      let errors = await program.waitUntilExit().errorOutput
      #expect(errors.contains("a progress report of the program was ignored: request-id"), "\(errors)")
    }
  }

  @Test func `exits without an error if its input ends before the first request`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      for input in ["/dev/null", "<(echo '{\"request-id\": \"x\", \"handled\": true}')"] {
        let result = try await Command.run(
          "/bin/bash", ["-c", "usher listen \(Listening.id) --replies < \(input)"],
          environment: desk.desktop.environment)
        #expect(result.status == 0 && result.errorOutput.isEmpty, "\(result)")
      }
    }
  }

  @Test func `drops a late reply, and does not use it for the next request`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let program = try await Self.start("--replies", "--timeout", "5", on: desk)
      let late = try await desk.open("--wait", "handled", "lines:1")
      #expect(late.error == "TargetFailed" && late.message.contains("within 5 s"), "\(late)")
      #expect(late.outcome == "unknown", "\(late)")
      let former = try Envelope(json: try await program.line()).requestID
      program.write("{\"handled\": true, \"value\": \"late\", \"request-id\": \"\(former)\"}\n")
      // A slow machine may exceed the timeout again, which is no wrong answer.
      while true {
        async let next = desk.open("--wait", "handled", "--timeout", "240", "lines:2")
        let id = try Envelope(json: try await program.line()).requestID
        program.write("{\"handled\": true, \"value\": \"right\", \"request-id\": \"\(id)\"}\n")
        let result = try await next
        if result.error == "TargetFailed", result.message.contains("within 5 s") { continue }
        #expect(result.first?["value"] == "right")
        break
      }
    }
  }

  @Test func `reports that a parent program that writes without end does not reply`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let program = try await Self.start("--replies", "--timeout", "5", input: "< <(yes)", on: desk)
      let report = try await desk.open("--wait", "handled", "--timeout", "240", "lines:1")
      #expect(report.error == "TargetFailed" && report.message.contains("within 5 s"), "\(report)")
      #expect(report.outcome == "unknown", "\(report)")
      program.terminate()
      #expect(await program.waitUntilExit().status == 0)
    }
  }

  /// The listener was blocked in a call of write, so that its timers and SIGTERM had no effect.
  @Test(arguments: [(isSocket: false, readsReplies: true), (true, true), (false, false)])
  func `is not blocked by a parent program that does not read`(isSocket: Bool, readsReplies: Bool)
    async throws
  {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let program = try desk.desktop.installScript(
        "deaf",
        """
        #!/usr/bin/python3
        import fcntl, os, signal, socket, subprocess, sys
        if \(isSocket ? "True" : "False"):
          ours, its = socket.socketpair()
          its.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        else:
          ours, its = os.pipe()
          fcntl.fcntl(ours, 1031, 4096)  # F_SETPIPE_SZ
        child = subprocess.Popen(["usher", "listen"] + sys.argv[1:], stdin=subprocess.PIPE, stdout=its)
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        sys.exit(child.wait())

        """)
      try desk.desktop.installDesktopEntry(
        Listening.id, exec: "/bin/false %u", schemes: [Listening.scheme],
        lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults([Listening.scheme: ["org.usher.Handler", Listening.id]])
      let parent = try await RunningProgram.start(
        program, [Listening.id] + (readsReplies ? ["--replies"] : []) + ["--timeout", Listening.limit],
        environment: desk.desktop.environment)
      try await desk.waitForOwner(of: "org.example.Lines")

      let long = "lines:" + String(repeating: "x", count: 40_000)
      let partial = try await desk.open("--wait", "handled", "--timeout", timeLimit(240), long)
      #expect(partial.error == "TargetFailed" && partial.outcome == "unknown", "\(partial)")
      let cause = readsReplies ? "did not reply" : "did not get all of this one"
      try #require(partial.message.contains("\(cause) within \(Listening.limit) s"), "\(partial)")
      // Nothing of this one was written, so that the fallback may be opened.
      let unwritten = try await desk.open("--wait", "handled", "--timeout", timeLimit(240), "lines:2")
      #expect(unwritten.error == "TargetFailed" && unwritten.outcome == "failed", "\(unwritten)")
      #expect(unwritten.message.contains("did not get this one within \(Listening.limit) s"), "\(unwritten)")
      parent.terminate()
      #expect(await parent.waitUntilExit().status == 0)
    }
  }

  /// The listener was blocked by a message about the progress that names no request.
  @Test func `is not blocked by a parent program that does not read its standard error`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      let program = try desk.desktop.installScript(
        "deaf",
        """
        #!/usr/bin/python3
        import json, os, signal, subprocess, sys
        ours, its = os.pipe()
        os.set_blocking(its, False)
        try:
          while True: os.write(its, b"x" * 4096)
        except BlockingIOError: pass
        os.set_blocking(its, True)
        child = subprocess.Popen(
          ["usher", "listen"] + sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=its)
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        for line in child.stdout:
          reply = {"request-id": json.loads(line)["request-id"], "handled": True}
          lines = [{"progress": {"completed": 1}}, reply]
          child.stdin.write("".join(json.dumps(line) + "\\n" for line in lines).encode())
          child.stdin.flush()
        sys.exit(child.wait())

        """)
      try desk.desktop.installDesktopEntry(
        Listening.id, exec: "/bin/false %u", schemes: [Listening.scheme],
        lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults([Listening.scheme: ["org.usher.Handler", Listening.id]])
      let parent = try await RunningProgram.start(
        program, [Listening.id, "--replies", "--timeout", timeLimit(30)],
        environment: desk.desktop.environment)
      try await desk.waitForOwner(of: "org.example.Lines")
      let report = try await desk.open("--wait", "handled", "--timeout", timeLimit(60), "lines:1")
      #expect(report.outcome == "handled", "\(report)")
      parent.terminate()
      #expect(await parent.waitUntilExit().status == 0)
    }
  }

  /// Started by a launcher without knowledge of the bus.
  @Test func `forwards URLs in its arguments to the running instance`() async throws {
    try await InstalledDesktop.with { desk in
      let first = try await Self.start("lines:1", on: desk)
      #expect(try Envelope(json: try await first.line()).delivery == .launch)
      let second = try await desk.usher("listen", Listening.id, "lines:2")
      #expect(second.succeeded && second.errorOutput.contains("is already running"), "\(second)")
      let reported = try Envelope(json: try await first.line())
      #expect(reported.urls == ["lines:2"] && reported.delivery == .running)
    }
  }

  @Test func `without a bus exits with 69`() async throws {
    try await InstalledDesktop.with(needsPermit: false) { desk in
      var environment = desk.desktop.environment
      environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/no/such/bus"
      let result = try await Command.run("usher", ["listen", Listening.id], environment: environment)
      #expect(result.status == 69 && result.errorOutput.contains("needs a user bus"), "\(result)")
    }
  }

  @Test func `rejects arguments that cannot work`() async throws {
    try await InstalledDesktop.with { desk in
      for (arguments, sentence) in [
        (["nodots"], "is not a valid bus name"), (["org.example.X", "--each"], "--each needs a command"),
        (["org.example.X", "--replies", "--", "cat"], "--replies"),
        (["org.example.X", "--concurrent", "0", "--", "cat"], "--concurrent must be 1 to 64"),
        (["org.example.X", "--concurrent", "2"], "--concurrent needs a command"),
        (["org.example.X", "--", "no-such-program"], "no executable program no-such-program in PATH"),
      ] {
        let result = try await desk.run("usher", ["listen"] + arguments)
        #expect(!result.succeeded && result.errorOutput.contains(sentence), "\(result)")
      }
    }
  }
}
