// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A broker that the bus knows but cannot start, as during an update: the command opens the link itself.
@Suite struct `A broker that cannot be started` {
  private static func withoutUnit(_ body: @Sendable (Session, Recorder) async throws -> Void) async throws {
    try await Session.with { session in
      try FileManager.default.removeItem(
        atPath: "\(session.desktop.systemData)/systemd/user/usherd.service")
      let player = try Recorder("player", in: session.desktop, .held)
      try session.desktop.installDesktopEntry(
        "org.example.Player", exec: "\(player.path) %u", schemes: ["play"])
      try session.desktop.setUsherAsDefault(of: [.plain])
      _ = try await session.must("systemctl --user daemon-reload")
      try await body(session, player)
    }
  }

  @Test func `opens a link of a service in its own scope, so that the link outlives the service`()
    async throws
  {
    try await Self.withoutUnit { session, player in
      _ = try await session.must(
        "systemd-run --user --quiet --collect --wait --pipe usher open --from-desktop play:1")
      let start = try await player.nextStart()
      #expect(start.arguments == ["play:1"])
      // The service has exited; the program continues, because it is not in the service's control group.
      let scopes = try await session.must(
        "systemctl --user list-units --plain --no-legend 'app-usher-org.example.Player-*.scope'")
      #expect(scopes.count == 1 && scopes[0].contains(" running "), "\(scopes)")
      start.release()
    }
  }

  /// The manager does not answer.
  @Test func `makes usher open wait for the program if no scope can be entered`() async throws {
    try await Self.withoutUnit { session, player in
      _ = try await session.must(
        "systemd-run --user --quiet --collect --unit=opener --setenv=DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere "
          + "usher open --from-desktop play:1")
      let start = try await player.nextStart()
      #expect(try await session.must("systemctl --user is-active opener.service") == ["active"])
      start.release()
      _ = try await session.run("while systemctl --user is-active --quiet opener.service; do :; done")
    }
  }
}
