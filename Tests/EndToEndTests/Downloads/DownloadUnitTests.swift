// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The units of downloads, under a real `systemd --user`.
@Suite struct `The unit of a download` {
  private static let id = "org.example.Notes"

  /// Waits for a condition of the shell.
  private static func wait(_ condition: String, in session: Session) async throws {
    _ = try await session.must("timeout \(timeLimit(240)) sh -c 'until \(condition); do sleep 0.1; done'")
  }

  @Test func `confines curl, hides the URL, and outlives usher-triggers, which continues`() async throws {
    try await Session.with { session in
      try session.desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      let server = try await FileServer.start(on: session.desktop)
      let url = server.url("/wait?token=secret")
      let file = try #require(
        try await session.must("usher download \(Self.id) '\(url)' --identifier a --max-size 1000000").first)
      _ = try await server.request("/wait 0")
      let list = "systemctl --user list-units --all 'usher-download-*' --no-legend --plain"
      let unit = try #require(try await session.must("\(list) | cut -d' ' -f1").first)
      let shown = try await session.must("systemctl --user show '\(unit)'").joined(separator: "\n")
      #expect(!shown.contains("127.0.0.1") && !shown.contains("secret"), "\(shown)")
      #expect(shown.contains("\nLimitFSIZE=4194304\n"), "\(shown)")
      let process = try #require(try await session.must("systemctl --user show -P MainPID '\(unit)'").first)
      let command = try await session.must("tr '\\0' ' ' </proc/\(process)/cmdline; echo").joined()
      #expect(command.hasPrefix("curl --disable ") && !command.contains("127.0.0.1"), "\(command)")
      let confinement = try await session.must(
        "grep -E '^(NoNewPrivs|Seccomp):' /proc/\(process)/status | tr '\\t' ' '")
      #expect(confinement == ["NoNewPrivs: 1", "Seccomp: 2"])
      // Nothing can be written, and the home directories are empty.
      let root = "/proc/\(process)/root"
      #expect(try await session.run("touch '\(root)/usr/x' 2>/dev/null").status != 0)
      #expect(try await session.must("ls -A '\(root)/root'; ls -A '\(root)/home'; ls -A '\(root)/tmp'") == [])
      // The service manager starts the next daemon, which finds the transfer.
      let first = try #require(
        try await session.must("systemctl --user show -P MainPID usher-triggers.service").first)
      _ = try await session.must("kill -KILL \(first)")
      try await Self.wait("usher download list | grep -q transferring", in: session)
      #expect(try await session.must("systemctl --user show -P MainPID '\(unit)'") == [process])
      server.proceed()
      try await Self.wait("[ -f \"\(file)\" ]", in: session)
      #expect(try await session.must("stat -c '%s %a' '\(file)'") == ["\(FileServer.length) 600"])
      try await Self.wait("[ -z \"$(usher download list 2>/dev/null)\" ]", in: session)
      #expect(try await session.must(list) == [])
      server.stop()
    }
  }

  @Test func `is stopped by a pause and a cancellation`() async throws {
    try await Session.with { session in
      try session.desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      let server = try await FileServer.start(on: session.desktop)
      _ = try await session.must(
        "usher download \(Self.id) '\(server.url("/wait"))' --identifier a -o '\(session.desktop.root)/a'")
      _ = try await server.request("/wait 0")
      _ = try await session.must("usher download pause \(Self.id) a")
      try await Self.wait("usher download list | grep -q paused", in: session)
      let list = "systemctl --user list-units --all 'usher-download-*' --no-legend --plain"
      #expect(try await session.must(list) == [])
      _ = try await session.must("usher download resume \(Self.id) a")
      _ = try await server.request("/wait 100")
      _ = try await session.must("usher download cancel \(Self.id) a")
      try await Self.wait("[ -z \"$(usher download list 2>/dev/null)\" ]", in: session)
      #expect(try await session.must(list) == [])
      #expect(try await session.run("ls '\(session.desktop.root)'/a*").status != 0)
      server.stop()
    }
  }

  @Test func `ends with the session, and the download continues at the next login`() async throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installUsher()
    try desktop.installDesktopEntry(Self.id, exec: "/bin/true")
    // As the package does, so that the daemon starts at login.
    let wants = "\(desktop.systemData)/systemd/user/default.target.wants"
    try FileManager.default.createDirectory(atPath: wants, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(wants)/usher-triggers.service", withDestinationPath: "../usher-triggers.service")
    let server = try await FileServer.start(on: desktop)
    let file = "\(desktop.root)/map"
    try await Session.with(on: desktop) { session in
      _ = try await session.must("usher download \(Self.id) '\(server.url("/wait"))' -o '\(file)'")
      _ = try await server.request("/wait 0")
      // Some of it has arrived.
      try await Self.wait("[ -s \"\(file).part\" ]", in: session)
    }
    try await Session.with(on: desktop) { session in
      // No call starts the daemon.
      let request = try await server.request("/wait")
      #expect(request.hasSuffix(#" "1""#), "\(request)")
      for _ in 0..<3 { server.proceed() }
      try await Self.wait("[ -f \"\(file)\" ]", in: session)
      #expect(try await session.must("stat -c %s '\(file)'") == ["\(FileServer.length)"])
    }
    server.stop()
  }
}
