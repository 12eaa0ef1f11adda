// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import TestSupport
import Testing

/// Tests of an application whose entry declares `org.usher.Application1`, but which does not serve it.
@Suite struct `An application that does not serve the interface of its entry` {
  private static let id = "org.example.Unserved"
  private static let remark =
    "org.example.Unserved declares org.usher.Application1, but /org/example/Unserved does not serve it"

  /// The caller learned only that the request was not reported as handled in time.
  @Test func `gets its links by the Exec line, and the cause is reported`() async throws {
    try await InstalledDesktop.with { desk in
      let program = try desk.desktop.installScript(
        "unserved",
        """
        #!/usr/bin/python3
        import sys
        if sys.argv[1:]: sys.exit(0)
        from gi.repository import Gio, GLib
        Gio.bus_own_name_on_connection(Gio.bus_get_sync(Gio.BusType.SESSION), "\(Self.id)", 0, None, None)
        GLib.MainLoop().run()

        """)
      try desk.desktop.installDesktopEntry(
        Self.id, exec: "\(program) %u", schemes: ["unserved"], lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["unserved": ["org.usher.Handler", Self.id]])
      // First the start, then the running instance.
      for url in ["unserved:1", "unserved:2"] {
        let report = try await desk.open("--wait", "handled", url)
        #expect(report.outcome == "delivered" && report.status == 5, "\(report)")
        #expect(report.message.contains(Self.remark), "\(report)")
      }
      let entries = try PropertyList(json: try await desk.usher("history", "--json").output)["entries"]
      #expect(
        entries?.array?.map { $0["reason"]?.string } == [Self.remark, Self.remark],
        "\(String(describing: entries))")
      let tested = try await desk.run(
        "usher", ["test-open", "--simulate", "warm", Self.id, "unserved:3"])
      #expect(tested.status == 5 && tested.output.contains(Self.remark), "\(tested)")
      #expect(try await desk.open("unserved:4").status == 0)
    }
  }

  /// It got all its links by the Exec line, as long as it ran.
  @Test func `gets its links on the bus once it serves the interface`() async throws {
    try await InstalledDesktop.with { desk in
      let tap = try await ReportPipe("late", in: desk.desktop)
      let program = try desk.desktop.installScript(
        "late",
        """
        #!/usr/bin/python3
        import signal, sys
        if sys.argv[1:]: sys.exit(0)
        sys.path.insert(0, "\(BuiltProducts.repository)/Examples/gtk")
        sys.dont_write_bytecode = True
        import application1
        from application1 import Gio, GLib
        def export():
          application1.serve(bus, "/org/example/Unserved", lambda request: request["urls"][0])
          with open("\(tap.path)", "w") as tap: tap.write("{}\\n")
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, export)
        Gio.bus_own_name_on_connection(bus, "\(Self.id)", 0, None, None)
        GLib.MainLoop().run()

        """)
      try desk.desktop.installDesktopEntry(
        Self.id, exec: "\(program) %u", schemes: ["unserved"], lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["unserved": ["org.usher.Handler", Self.id]])
      for url in ["unserved:1", "unserved:2"] {
        let report = try await desk.open("--wait", "handled", url)
        #expect(report.outcome == "delivered" && report.message.contains(Self.remark), "\(report)")
      }
      let caller = try await desk.connect()
      let pid = try await caller.credentials(of: "org.example.Unserved").processID
      kill(try #require(pid), SIGUSR1)
      _ = try await tap.next()
      let report = try await desk.open("--wait", "handled", "unserved:3")
      #expect(report.first?["value"] == "unserved:3", "\(report)")
    }
  }
}

@Suite struct `An application whose entry does not declare its interface` {
  /// It may show a dialog for the first link.
  @Test func `gets further links while it handles the first one`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      try desk.desktop.installDesktopEntry(
        ServedApplication.id, exec: "/bin/false %u", schemes: [ServedApplication.scheme],
        lines: ["DBusActivatable=true"])
      for url in ["served:1", "served:2"] {
        #expect(try await desk.usher("open", "--wait", "accepted", url).status == 0)
      }
      for url in ["served:1", "served:2"] { #expect(try await application.nextEnvelope().urls == [url]) }
      await application.gate.open()
      try await desk.waitUntilPending { $0 == 0 }
      let history = try await desk.usher("history").lines
      #expect(history.count == 2 && history.allSatisfy { $0.contains("handled") }, "\(history)")
    }
  }
}
