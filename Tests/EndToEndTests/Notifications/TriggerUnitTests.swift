// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The unit of `usher-triggers`, under a real `systemd --user`.
@Suite struct `The unit of usher-triggers` {
  private static let id = "org.example.Notes"
  /// A stand-in for a notification server, which prints the title of each notification.
  private static let server = """
    #!/usr/bin/python3 -u
    import dbus, dbus.service
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    DBusGMainLoop(set_as_default=True)
    name = "org.freedesktop.Notifications"
    class Server(dbus.service.Object):
      @dbus.service.method(name, "", "as")
      def GetCapabilities(self): return ["body", "actions"]
      @dbus.service.method(name, "susssasa{sv}i", "u")
      def Notify(self, application, replaced, icon, title, body, actions, hints, timeout):
        print(title, flush=True)
        return replaced or 1
      @dbus.service.method(name, "u", "")
      def CloseNotification(self, number): pass
    exported = Server(dbus.SessionBus(), "/org/freedesktop/Notifications")
    owned = dbus.service.BusName(name, dbus.SessionBus())
    GLib.MainLoop().run()
    """

  @Test func `confines the daemon, and starts it again when it is killed or does not respond`() async throws {
    try await Session.with { session in
      let desktop = session.desktop
      try desktop.installDesktopEntry(Self.id, exec: "/bin/true")
      let server = try desktop.installScript("server", Self.server)
      try desktop.write(
        "[Service]\nWatchdogSec=\(3 * timeoutFactor)s\nEnvironment=USHER_TEST_IDLE=1\n",
        to: "\(desktop.systemData)/systemd/user/usher-triggers.service.d/soon.conf")
      let shown = "\(desktop.root)/shown"
      _ = try await session.must("systemctl --user daemon-reload")
      _ = try await session.must(
        "'\(server)' >'\(shown)' 2>&1 & gdbus wait --session --timeout 240 org.freedesktop.Notifications")
      func process() async throws -> String {
        try #require(try await session.must("systemctl --user show -P MainPID usher-triggers.service").first)
      }
      /// Waits for the daemon that the service manager starts after `earlier`, and for what it shows.
      func successor(of earlier: String) async throws -> String {
        _ = try await session.must(
          """
          timeout \(timeLimit(240)) sh -c 'until pid=$(systemctl --user show -P MainPID usher-triggers.service); \
            [ "$pid" != 0 ] && [ "$pid" != \(earlier) ]; do sleep 0.1; done'
          """)
        let next = try await process()
        _ = try await session.must("usher notify \(Self.id) --title after-\(earlier) --in 1s")
        _ = try await session.must(
          "timeout \(timeLimit(240)) sh -c 'until grep -qx after-\(earlier) \"\(shown)\"; do sleep 0.1; done'"
        )
        return next
      }
      // The call starts the daemon, and the pending notification keeps it.
      _ = try await session.must("usher notify \(Self.id) --title pending --in 1d")
      let first = try await process()
      #expect(first != "0")
      let confinement = try await session.must(
        "grep -E '^(NoNewPrivs|Seccomp):' /proc/\(first)/status | tr '\\t' ' '")
      #expect(confinement == ["NoNewPrivs: 1", "Seccomp: 2"])
      // No call starts the next one: the service manager does.
      _ = try await session.must("kill -KILL \(first)")
      let second = try await successor(of: first)
      _ = try await session.must("kill -STOP \(second)")
      _ = try await successor(of: second)
      #expect(try await session.must("usher notify list \(Self.id)").contains { $0.contains("pending") })
      // Without anything to do, the daemon exits, and is not started again.
      _ = try await session.must("usher notify cancel \(Self.id) --all")
      _ = try await session.must(
        "timeout \(timeLimit(240)) sh -c 'until [ \"$(systemctl --user show -P ActiveState usher-triggers.service)\" = inactive ]; do sleep 0.2; done'"
      )
    }
  }
}
