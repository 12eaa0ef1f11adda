// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A broker that runs without making progress, such as a stopped one.
@Suite struct `A broker that does not respond` {
  private static func withStoppedBroker(
    _ body: @Sendable (InstalledDesktop, NotificationServer) async throws -> Void
  )
    async throws
  {
    try await InstalledDesktop.with { desk in
      _ = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      let server = try await NotificationServer.start(on: desk)
      let broker = try await desk.startBroker()
      kill(broker.pid, SIGSTOP)
      try await body(desk, server)
      broker.program.kill()
    }
  }

  @Test func `reports a lost link of the desktop by the exit status and a notification`()
    async throws
  {
    try await Self.withStoppedBroker { desk, server in
      let result = try await desk.usher(
        "open", "--from-desktop", "--timeout", "0.1", "play://host/path?token=secret")
      #expect(result.status == 5, "\(result)")
      let shown = try await server.next(1)
      #expect(shown.text.contains("A link may not have been opened"), "\(shown)")
      #expect(shown.text.contains("play://host/path"), "\(shown)")
      #expect(!shown.text.contains("secret"), "\(shown)")
    }
  }

  @Test(arguments: [["open", "--from-desktop"], []])
  func `also for a link that was sent to its socket`(words: [String]) async throws {
    try await Self.withStoppedBroker { desk, server in
      // The arguments of the front after its timeout.
      let program = words.isEmpty ? "xdg-open" : "usher"
      let command = "\(BuiltProducts.usher)-command"
      let line = (["exec -a --resume-uncertain=1 '\(command)'", program] + words + ["play:1"]).joined(
        separator: " ")
      let result = try await desk.run("bash", ["-c", line])
      #expect(result.status == (words.isEmpty ? 4 : 5), "\(result)")
      let shown = try await server.next(1)
      #expect(shown.text.contains("A link may not have been opened"), "\(shown)")
    }
  }

  @Test func `is killed by its unit's watchdog, and the next one opens the link`() async throws {
    try await Session.with { session in
      let target = try await Target.install(.plain, on: session.desktop)
      try session.desktop.setUsherAsDefault(of: [.plain])
      try session.desktop.write(
        "[Service]\nWatchdogSec=3s\n",
        to: "\(session.desktop.systemData)/systemd/user/usherd.service.d/soon.conf")
      _ = try await session.must("systemctl --user daemon-reload")
      _ = try await session.must("usher open play:1")
      #expect(try await target.next().urls == ["play:1"])
      let process = "systemctl --user show -P MainPID usherd.service"
      let first = try #require(try await session.must(process).first)
      _ = try await session.must("systemctl --user kill --signal=STOP usherd.service")
      _ = try await session.must("usher open --from-desktop play:2")
      #expect(try await target.next().urls == ["play:2"])
      // 0 is that of a broker that was killed and not started again.
      _ = try await session.must(
        "until p=$(\(process)) && [ \"$p\" != 0 ] && [ \"$p\" != \(first) ]; do sleep 0.05; done")
    }
  }

  @Test func `is not the only reason for a notification: a link that is no URL is another`() async throws {
    try await InstalledDesktop.with { desk in
      let server = try await NotificationServer.start(on: desk)
      let result = try await desk.usher("open", "--from-desktop", "notes:secret\nb")
      #expect(result.status == 0, "another program would open it: \(result)")
      let shown = try await server.next(1)
      #expect(shown.text.contains("notes:…") && !shown.text.contains("secret"), "\(shown)")
    }
  }
}
