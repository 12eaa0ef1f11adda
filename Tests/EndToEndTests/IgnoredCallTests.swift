// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import TestSupport
import Testing

/// An application that answers unknown calls neither with a reply nor with an error.
@Suite struct `An application that ignores unknown calls` {
  private static func source(_ id: String, tap: String) -> String {
    """
    #!/usr/bin/python3
    import json, os, dbus, dbus.lowlevel
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    out = os.open("\(tap)", os.O_RDWR)
    def received(connection, message):
        if message.get_type() != 1:
            return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
        if message.get_member() == "Open":
            os.write(out, json.dumps({"call": "Open", "urls": [str(url) for url in message.get_args_list()[0]]}).encode() + b"\\n")
            connection.send_message(dbus.lowlevel.MethodReturnMessage(message))
        return dbus.lowlevel.HANDLER_RESULT_HANDLED
    bus.add_message_filter(received)
    bus.request_name("\(id)")
    GLib.MainLoop().run()

    """
  }

  @Test func `receives its links through its supported interface`() async throws {
    try await InstalledDesktop.with { desk in
      let id = "org.example.Deaf"
      let tap = try await ReportPipe(id, in: desk.desktop)
      let program = try desk.desktop.installScript("deaf", Self.source(id, tap: tap.path))
      try desk.desktop.installDesktopEntry(
        id, exec: "\(program) %u", schemes: ["deaf"], lines: ["DBusActivatable=true"])
      try desk.desktop.installActivation(id, exec: program)
      try desk.desktop.setDefaults(["deaf": ["org.usher.Handler", id]])
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "introspection=1"])
      async let first = desk.open("--timeout", timeLimit(60), "deaf:1")
      #expect(try await tap.next()["urls"] == ["deaf:1"])
      #expect(try await first.outcome == "delivered")
      // The broker has recorded the interface of the application by now.
      #expect(try await desk.open("--timeout", timeLimit(60), "deaf:2").outcome == "delivered")
      #expect(try await tap.next()["urls"] == ["deaf:2"])
      _ = try await broker.stop()
    }
  }
}
