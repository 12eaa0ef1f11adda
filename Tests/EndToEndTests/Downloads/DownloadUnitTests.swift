// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The units of downloads, under a real `systemd --user`.
@Suite struct `The unit of a download` {
  private static let id = "org.example.Notes"

  @Test func `confines curl, hides the URL, and outlives usher-triggers, which continues`() async throws {
    try await Session.with { session in
      let desktop = session.desktop
      try desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      let (server, port, go) = ("\(desktop.root)/server.py", "\(desktop.root)/port", "\(desktop.root)/go")
      try desktop.write(FileServer.source, to: server)
      _ = try await session.must(
        "mkfifo '\(go)'; (exec 3<>'\(go)'; exec /usr/bin/python3 -u '\(server)' 0 <&3 >'\(port)' 2>&1) & timeout 120 sh -c 'until [ -s \"\(port)\" ]; do sleep 0.1; done'"
      )
      let number = try #require(try await session.must("head -1 '\(port)'").first)
      let url = "http://127.0.0.1:\(number)"
      func wait(_ condition: String) async throws {
        _ = try await session.must("timeout 240 sh -c 'until \(condition); do sleep 0.1; done'")
      }
      let file = try #require(
        try await session.must("usher download \(Self.id) '\(url)/wait?token=secret' --identifier a --max-size 1000000").first)
      try await wait("grep -q \"/wait 0\" \"\(port)\"")
      let unit = try #require(
        try await session.must(
          "systemctl --user list-units 'usher-download-*' --no-legend --plain | cut -d' ' -f1").first)
      let shown = try await session.must("systemctl --user show '\(unit)'").joined(separator: "\n")
      #expect(!shown.contains("127.0.0.1") && !shown.contains("secret"), "\(shown)")
      let process = try #require(try await session.must("systemctl --user show -P MainPID '\(unit)'").first)
      let command = try await session.must("tr '\\0' ' ' </proc/\(process)/cmdline")
      #expect(command.first?.hasPrefix("curl --disable") == true && !command.joined().contains("127.0.0.1"))
      let confinement = try await session.must(
        "grep -E '^(NoNewPrivs|Seccomp):' /proc/\(process)/status | tr '\\t' ' '")
      #expect(confinement == ["NoNewPrivs: 1", "Seccomp: 2"])
      // Nothing can be written, and the home directories are empty.
      #expect(try await session.run("touch /proc/\(process)/root/usr/x").status != 0)
      #expect(try await session.must("ls -A /proc/\(process)/root/root /proc/\(process)/root/home").filter {
        !$0.hasPrefix("/proc/") && !$0.isEmpty
      } == [])
      // The next daemon finds the transfer, which has continued meanwhile.
      let first = try #require(
        try await session.must("systemctl --user show -P MainPID usher-triggers.service").first)
      _ = try await session.must("kill -KILL \(first)")
      try await wait("usher download list --json | grep -q \"state.:.transferring\"")
      #expect(try await session.must("systemctl --user show -P MainPID '\(unit)'") == [process])
      _ = try await session.must("echo go >'\(go)'")
      try await wait("[ -f \"\(file)\" ]")
      #expect(try await session.must("stat -c '%s %a' '\(file)'") == ["\(FileServer.length) 600"])
      #expect(try await session.must("grep -c '^/wait' '\(port)'") == ["1"])
      try await wait("usher download list --json | grep -qF \"[]\"")
      #expect(
        try await session.must("systemctl --user list-units --all 'usher-download-*' --no-legend --plain") == [])
    }
  }
}
