// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Glibc
import TestSupport
import Testing

/// Links of a scheme that a program on a machine has registered, with both clients.
@Suite struct `A link that a registration receives` {
  private static let scheme = "com.example.tool"

  private static func with(
    _ body: @Sendable (InstalledDesktop, RemoteRig, NotificationServer) async throws -> Void
  ) async throws {
    try await InstalledDesktop.with { desk in
      let server = try await NotificationServer.start(on: desk)
      let rig = try await RemoteRig.start(on: desk)
      try await body(desk, rig, server)
      _ = await rig.end()
    }
  }

  @Test(arguments: [false, true])
  func `once and is not passed on ends the command with the reason`(isPortable: Bool) async throws {
    try await Self.with { desk, rig, server in
      let cases: [(words: [String], line: String, status: Int32, reason: String)] = [
        ([], #"exec "$0" "$@" 2>&1 >/dev/full"#, 73, "the link cannot be printed: No space left on device"),
        (["--", "false"], RemoteRig.execution, 1, "false exited with status 1"),
        (
          ["--", "/no/such"], RemoteRig.execution, 1, "/no/such cannot be started: No such file or directory"
        ),
        (["--", "sh", "-c", "kill -9 $$"], RemoteRig.execution, 1, "sh was ended by the signal 9"),
      ]
      for (index, (words, line, status, reason)) in cases.enumerated() {
        let client = try await rig.register(
          ["--once", Self.scheme] + words, allowedAt: index + 1, of: server, isPortable: isPortable, by: line)
        let failed = try await desk.open("--wait=handled", "\(Self.scheme):\(index)")
        #expect(failed.status == 6 && failed.message.contains(reason), "\(failed)")
        let ended = await client.waitUntilExit()
        #expect(ended.status == status && ended.output.contains("usher: \(reason)"), "\(ended)")
        try await desk.waitForEndOfRegistrations()
      }
    }
  }

  @Test(arguments: [false, true])
  func `is printed completely to a pipe that does not block, and ends the command if nothing reads it`(
    isPortable: Bool
  ) async throws {
    try await Self.with { desk, rig, server in
      let client = try await rig.register(
        [Self.scheme], allowedAt: 1, of: server, isPortable: isPortable,
        by:
          #"python3 -c 'import fcntl, os; fcntl.fcntl(1, fcntl.F_SETFL, os.O_NONBLOCK)'; exec "$0" "$@" 2>&1"#
      )
      // A pipe has 64 KiB.
      let long = "\(Self.scheme):" + String(repeating: "x", count: 100_000)
      #expect(try await desk.open("--wait=handled", long).outcome == "handled")
      #expect(try await client.line() == long)
      client.terminate()
      _ = await client.waitUntilExit()
      try await desk.waitForEndOfRegistrations()

      let piped = try await rig.register(
        [Self.scheme], allowedAt: 2, of: server, isPortable: isPortable,
        by: """
          { { "$0" "$@" 2>&3; echo "ended with $?" >&3; } | { IFS= read -r line; echo "$line" >&3; exec <&-; echo closed >&3; }; } 3>&1
          """)
      #expect(try await desk.open("--wait=handled", "\(Self.scheme):1").outcome == "handled")
      #expect(try await piped.line() == "\(Self.scheme):1")
      #expect(try await piped.line() == "closed")
      let lost = try await desk.open("--wait=handled", "\(Self.scheme):2")
      #expect(lost.status == 6 && lost.message.contains("the link cannot be printed: Broken pipe"), "\(lost)")
      #expect(try await piped.line() == "ended with 0")
      _ = await piped.waitUntilExit()
    }
  }

  /// The command itself ignores it.
  @Test(arguments: [false, true])
  func `runs a program that does not ignore the signal of a closed pipe`(isPortable: Bool) async throws {
    try await Self.with { desk, rig, server in
      let client = try await rig.register(
        ["--once", Self.scheme, "--", "sh", "-c", "exec grep SigIgn: /proc/self/status"], allowedAt: 1,
        of: server, isPortable: isPortable)
      #expect(try await desk.open("--wait=handled", "\(Self.scheme):1").outcome == "handled")
      let line = try await client.line { $0.hasPrefix("SigIgn:") }
      let signals = try #require(
        line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }, "\(line)")
      #expect(signals & 1 << (UInt64(SIGPIPE) - 1) == 0, "\(line)")
      #expect(await client.waitUntilExit().status == 0)
    }
  }

  /// A program of the desktop may open such a link of the scheme.
  @Test(arguments: [false, true])
  func `does not control a terminal, and is unchanged for a program`(isPortable: Bool) async throws {
    try await Self.with { desk, rig, server in
      let url = "\(Self.scheme):/\u{202E}gpj.exe"
      let terminal = try await rig.register(
        ["--once", Self.scheme], allowedAt: 1, of: server, isPortable: isPortable,
        by: """
          exec python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' "$0" "$@"
          """)
      #expect(try await desk.open("--wait=handled", url).outcome == "handled")
      let shown = try await terminal.line { $0.contains("\(Self.scheme):") }
      #expect(shown.unicodeScalars.contains("\u{FFFD}"), "\(shown)")
      #expect(!shown.unicodeScalars.contains("\u{202E}"), "\(shown)")
      _ = await terminal.waitUntilExit()
      try await desk.waitForEndOfRegistrations()
      let program = try await rig.register(
        ["--once", Self.scheme], allowedAt: 2, of: server, isPortable: isPortable)
      #expect(try await desk.open("--wait=handled", url).outcome == "handled")
      let received = try await program.line()
      #expect(Array(received.utf8) == Array(url.utf8), "\(received)")
      _ = await program.waitUntilExit()
    }
  }
}
