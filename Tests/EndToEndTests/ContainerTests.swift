// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// Containers with the host's bus and socket: bubblewrap in a scope as Podman makes one, under a real user manager.
@Suite struct `A container` {
  private static let id = String(repeating: "3f2a1b0c", count: 8)
  private static let other = String(repeating: "0c1b2a3f", count: 8)

  /// The line that runs a command in a container of this ID, in a user namespace of its own.
  private static func inside(_ id: String, _ command: String, label: String = "toolbox") -> String {
    """
    printf 'name="\(label)"\\n' >"$HOME/label" && systemd-run --user --scope --quiet --collect --slice=user.slice \
    --unit=libpod-\(id).scope bwrap --unshare-user --unshare-pid --ro-bind / / --proc /proc --dev /dev --tmpfs /run \
    --ro-bind "$HOME/label" /run/.containerenv --bind "$HOME/.." "$HOME/.." \
    --bind "$XDG_RUNTIME_DIR" "$XDG_RUNTIME_DIR" \(command) 2>&1
    """
  }

  private static func with(_ body: @Sendable (Session, Target) async throws -> Void) async throws {
    guard try await Command.run("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"]).succeeded else {
      try Test.cancel("no sandbox can be made here")
    }
    try await Session.with { session in
      let target = try await Target.install(.plain, on: session.desktop)
      try session.desktop.setUsherAsDefault(of: [.plain])
      try await body(session, target)
    }
  }

  @Test func `has the grant for it, by its scope, and no other container has it`() async throws {
    try await Self.with { session, target in
      let asked = try await session.run(Self.inside(Self.id, "usher open play:1"))
      #expect(asked.status == 3, "\(asked)")
      let command = "usher grants allow --container libpod-\(Self.id).scope --scheme play"
      #expect(asked.lines.joined().contains(command), "\(asked)")
      _ = try await session.must(command)
      _ = try await session.must(Self.inside(Self.id, "usher open play:2"))
      let arrival = try await target.next()
      #expect(arrival.urls == ["play:2"] && arrival.envelope["sandboxed"]?.boolean == true)
      #expect(arrival.envelope["source-application"] == nil)
      // Neither the label nor another scheme counts.
      #expect(try await session.run(Self.inside(Self.other, "usher open play:3")).status == 3)
      _ = try await session.must("usher grants revoke --container \(Self.id)")
      #expect(try await session.run(Self.inside(Self.id, "usher open play:4")).status == 3)
    }
  }

  @Test func `is named in the prompt with the link, and its answer is kept`() async throws {
    try await Self.with { session, target in
      // The FIFO is opened for both directions, so that the server can write to it without a reader.
      _ = try await session.must(
        """
        mkfifo "$HOME/shown"
        python3 -u -m dbusmock --session --template notification_daemon -p '{"capabilities": "body actions"}' \
          1<>"$HOME/shown" 2>/dev/null &
        gdbus wait --session --timeout 240 org.freedesktop.Notifications
        \(NotificationServer.waitForReply)
        """)
      _ = try await session.must(
        "{ \(Self.inside(Self.id, "usher open --timeout 240 'play:/song?token=secret'", label: "fedora-40")); } >\"$HOME/opened\" 2>&1 &"
      )
      let shown = try await session.must("grep -m 1 -A 1 ' Notify ' <\"$HOME/shown\"").joined()
      #expect(
        shown.contains("An unknown program in the container \(Self.id.prefix(12)) of libpod"), "\(shown)")
      #expect(
        shown.contains("(by its own claim, it is named “fedora-40”)")
          && shown.contains("to open play:/song…"),
        "\(shown)")
      #expect(!shown.contains("secret"))
      let key = try #require(shown.firstMatch(of: /[0-9a-f]{32}-0/)?.output)
      _ = try await session.must(
        "busctl --user call org.freedesktop.Notifications /org/freedesktop/Notifications org.freedesktop.DBus.Mock "
          + "EmitSignal sssav org.freedesktop.Notifications ActionInvoked us 2 u 1 s \(key)")
      #expect(try await target.next().urls == ["play:/song?token=secret"])
      _ = try await session.must(Self.inside(Self.id, "usher open play:2"))
      #expect(try await target.next().urls == ["play:2"])
      let grants = try await session.must("usher grants list")
      #expect(
        grants.count == 1 && grants[0].hasPrefix("allowed  container libpod-\(Self.id).scope, scheme play"))
    }
  }

  @Test func `without any namespace of its own is known by its control group`() async throws {
    try await Self.with { session, _ in
      let scope =
        "systemd-run --user --scope --quiet --collect --slice=user.slice --unit=libpod-\(Self.id).scope"
      let refused = try await session.run("\(scope) usher open play:1 2>&1")
      #expect(
        refused.status == 3 && refused.lines.joined().contains("rule for sandboxed applications"),
        "\(refused)")
      // A scope of any other name is a program of the user.
      _ = try await session.must("systemd-run --user --scope --quiet --collect usher open play:2")
    }
  }
}
