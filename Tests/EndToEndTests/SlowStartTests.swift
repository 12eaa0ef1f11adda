// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// An application that needs long to acquire its name: it receives its requests, and is not killed meanwhile.
@Suite struct `An application that starts slowly` {
  private static let atOnce = ["USHER_TEST_LIMITS": "slow-start=0"]

  /// Opens links until one stays accepted after its caller has disconnected.
  ///
  /// Links whose callers disconnect before the start counts as slow are cancelled.
  private static func openUntilKept(on desk: InstalledDesktop) async throws -> (
    url: String, report: OpenReport
  ) {
    var timeout = 0.1
    while true {
      let url = "mimic:waits-\(timeout)"
      let report = try await desk.open("--timeout", "\(timeout)", url)
      try #require(report.error == "Timeout" && timeout < 300 * timeoutFactor, "\(report)")
      if report.outcome == "accepted" { return (url, report) }
      #expect(report.message.contains("so the request was not delivered"), "\(report)")
      timeout *= 2
    }
  }

  @Test(arguments: [BusApplication.Interface.application1, .standard])
  func `receives its links when it owns its name, and their callers learn that it is starting`(
    interface: BusApplication.Interface
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, interface, on: desk)
      let broker = try await desk.startBroker(adding: Self.atOnce)
      #expect(try await desk.usher("open", "--from-desktop", "mimic:1").status == 0)
      let (kept, report) = try await Self.openUntilKept(on: desk)
      #expect(report.status == 5)
      #expect(
        report.message.contains("did not acquire its bus name within 0 s")
          && report.message.hasSuffix(
            "; the broker delivers the link when org.example.Mimic is ready"),
        "\(report)")
      #expect(application.processes(on: desk).count == 1)
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:1"])
      #expect(try await application.nextCall()["urls"] == .array([.string(kept)]))
      try await desk.waitUntilPending { $0 == 0 }
      let history = try await desk.usher("history").lines
      #expect(history.count { $0.contains("handled") || $0.contains("delivered") } == 2, "\(history)")
      _ = try await broker.stop()
    }
  }

  @Test func `receives stored requests from the next broker too`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .standard, on: desk)
      let broker = try await desk.startBroker(adding: Self.atOnce)
      let (kept, _) = try await Self.openUntilKept(on: desk)
      await broker.kill()
      let next = try await desk.startBroker(adding: Self.atOnce)
      try await desk.waitUntilPending { $0 == 1 }
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == .array([.string(kept)]))
      try await desk.waitUntilPending { $0 == 0 }
      _ = try await next.stop()
    }
  }

  /// The deadline of the caller, which has expired, is not stored again.
  @Test func `receives from the next broker also what was stored again in a replaced directory`() async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .standard, on: desk)
      let broker = try await desk.startBroker(adding: Self.atOnce)
      let (kept, _) = try await Self.openUntilKept(on: desk)
      let directory = "\(desk.desktop.runtimeDirectory)/usher"
      try FileManager.default.moveItem(atPath: directory, toPath: "\(directory).old")
      #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
      await broker.kill()
      let next = try await desk.startBroker(adding: Self.atOnce)
      try await desk.waitUntilPending { $0 == 1 }
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == .array([.string(kept)]))
      _ = try await next.stop()
    }
  }

  @Test func `fails with its waiting requests if it exits`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let broker = try await desk.startBroker(adding: Self.atOnce)
      _ = try await Self.openUntilKept(on: desk)
      async let waiting = desk.open("mimic:2")
      try await desk.waitUntilPending { $0 == 2 }
      for pid in application.processes(on: desk) { try await desk.end(pid) }
      let report = try await waiting
      #expect(report.status == 4 && report.error == "LaunchFailed", "\(report)")
      try await desk.waitUntilPending { $0 == 0 }
      _ = try await broker.stop()
    }
  }

  /// Opens a URL as a caller on a display does; one without a display has that of the session.
  private static func open(
    _ url: String, on display: String, of desk: InstalledDesktop
  ) async throws -> OpenReport {
    try OpenReport(
      try await desk.run(
        "usher", ["open", "--json", "--timeout", timeLimit(60), url], adding: ["DISPLAY": display]))
  }

  /// The bus starts it on the display of the session, whatever the displays of the callers are.
  @Test func `without an Exec line fails with the requests of all displays`() async throws {
    try await InstalledDesktop.with { desk in
      let program = try Recorder("held", in: desk.desktop, .held)
      let id = "org.example.Held"
      try desk.desktop.installDesktopEntry(
        id,
        text: """
          [Desktop Entry]
          Type=Application
          Name=Held
          DBusActivatable=true
          Implements=org.usher.Application1;
          MimeType=x-scheme-handler/held;

          """)
      try desk.desktop.installActivation(id, exec: program.path)
      try desk.desktop.setDefaults(["held": ["org.usher.Handler", id]])
      let broker = try await desk.startBroker(adding: ["DISPLAY": ":1", "WAYLAND_DISPLAY": ""])
      async let first = Self.open("held:1", on: "localhost:10.0", of: desk)
      let start = try await program.nextStart()
      async let second = Self.open("held:2", on: "localhost:11.0", of: desk)
      async let third = Self.open("held:3", on: "", of: desk)
      try await desk.waitUntilPending { $0 == 3 }
      start.release(exit: 1)
      for report in try await [first, second, third] { #expect(report.error == "LaunchFailed", "\(report)") }
      _ = try await broker.stop()
    }
  }

  /// The display of a caller may not exist any more, as that of an ended `ssh -X`.
  @Test func `fails on the display of a caller with the requests of that display only`() async throws {
    try await InstalledDesktop.with { desk in
      let program = try Recorder("held", in: desk.desktop, .held)
      let id = "org.example.Held"
      try desk.desktop.installDesktopEntry(
        id, exec: "\(program.execWord) %u", schemes: ["held"], lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["held": ["org.usher.Handler", id]])
      let broker = try await desk.startBroker(adding: ["DISPLAY": ":1", "WAYLAND_DISPLAY": ""])
      async let first = Self.open("held:1", on: "localhost:10.0", of: desk)
      let remote = try await program.nextStart()
      #expect(remote.environment["DISPLAY"] == "localhost:10.0")
      async let second = Self.open("held:2", on: "localhost:10.0", of: desk)
      try await desk.waitUntilPending { $0 == 2 }
      async let third = Self.open("held:3", on: "", of: desk)
      try await desk.waitUntilPending { $0 == 3 }
      remote.release(exit: 1)
      let own = try await program.nextStart()
      #expect(own.environment["DISPLAY"] == ":1")
      for report in try await [first, second] { #expect(report.error == "LaunchFailed", "\(report)") }
      try await desk.waitUntilPending { $0 == 1 }
      own.release(exit: 1)
      #expect(try await third.error == "LaunchFailed")
      _ = try await broker.stop()
    }
  }

  /// A bus without systemd terminates the program itself, and no process is left to wait for.
  @Test func `fails if the bus gives up its start`() async throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installUsher()
    let bus = try await PrivateBus.start(in: desktop, startTimeout: 300)
    let desk = InstalledDesktop(desktop: desktop, bus: bus)
    _ = try await BusApplication.install(.hesitates, .standard, on: desk)
    let broker = try await desk.startBroker()
    let report = try await desk.open("--timeout", timeLimit(60), "mimic:1")
    #expect(report.status == 4 && report.error == "LaunchFailed", "\(report)")
    #expect(report.message.contains("before the timeout of the bus"), "\(report)")
    _ = try await broker.stop()
    await bus.stop()
  }

  /// The error named only the ID that the program did not acquire.
  @Test func `under another name is reported with that name if the bus gives up its start`() async throws {
    let desktop = try ThrowAwayDesktop()
    try desktop.installUsher()
    let bus = try await PrivateBus.start(in: desktop, startTimeout: 8_000)
    let desk = InstalledDesktop(desktop: desktop, bus: bus)
    let program = try desktop.installScript("to-do", Self.toDo)
    try desktop.installDesktopEntry(
      "org.example.Todo", exec: "\(program) %u", schemes: ["todo"], lines: ["DBusActivatable=true"])
    try desktop.installActivation("org.example.Todo", exec: program)
    try desktop.setDefaults(["todo": ["org.usher.Handler", "org.example.Todo"]])
    let broker = try await desk.startBroker(adding: Self.atOnce)
    let report = try await desk.open("--timeout", timeLimit(60), "todo:1")
    #expect(report.status == 4 && report.message.contains("before the timeout of the bus"), "\(report)")
    #expect(
      report.message.contains("org.example.ToDo appeared on the bus; if that is a name of this application"),
      "\(report)")
    _ = try await broker.stop()
    await bus.stop()
  }

  /// A program that acquires another name than the ID of its entry.
  private static let toDo = """
    #!/usr/bin/python3
    import dbus, time
    bus = dbus.SessionBus()
    bus.request_name("org.example.ToDo")
    time.sleep(600)

    """

  @Test func `receives no expired link, and the history lists it`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "slow-start=0 lifetime=1"])
      #expect(try await desk.usher("open", "--from-desktop", "--timeout", "1", "mimic:old").status == 0)
      try await desk.waitUntilPending { $0 == 0 }
      let history = try await desk.usher("history").lines
      #expect(history.count == 1 && history[0].contains("failed (Timeout)"), "\(history)")
      async let next = desk.open("mimic:new")
      try await application.takeName(on: desk)
      #expect(try await application.nextCall()["urls"] == ["mimic:new"])
      #expect(try await next.status == 0)
      _ = try await broker.stop()
    }
  }

  /// An error of developers who change the ID only in the code or only in the entry's name.
  @Test(arguments: [BusApplication.Interface.application1, .standard])
  func `under another name is reported with that name`(interface: BusApplication.Interface) async throws {
    try await InstalledDesktop.with { desk in
      let program = try desk.desktop.installScript("to-do", Self.toDo)
      let says = interface == .application1 ? "Implements=org.usher.Application1;" : "DBusActivatable=true"
      try desk.desktop.installDesktopEntry(
        "org.example.Todo", exec: "\(program) %u", schemes: ["todo"], lines: [says])
      if interface == .standard { try desk.desktop.installActivation("org.example.Todo", exec: program) }
      try desk.desktop.setDefaults(["todo": ["org.usher.Handler", "org.example.Todo"]])
      let broker = try await desk.startBroker(adding: Self.atOnce)
      #expect(try await desk.usher("open", "--from-desktop", "todo:1").status == 0)
      let deadline = Command.deadlineFromNow
      var report: OpenReport
      repeat {
        report = try await desk.open("--timeout", "1", "todo:2")
        try #require(report.error == "Timeout" && ContinuousClock.now < deadline, "\(report)")
      } while !report.message.contains("org.example.ToDo appeared on the bus")
      #expect(
        report.message.contains("if that is a name of this application, change it to org.example.Todo"),
        "\(report)")
      broker.program.kill()
    }
  }

  /// The second process of a GtkApplication whose first one runs under another name: it exits at once, without a fault.
  @Test(arguments: [BusApplication.Interface.application1, .standard])
  func `that runs under another name already is reported with that name`(interface: BusApplication.Interface)
    async throws
  {
    try await InstalledDesktop.with { desk in
      let program = try desk.desktop.installScript(
        "to-do",
        """
        #!/usr/bin/python3
        import sys
        from gi.repository import Gio
        application = Gio.Application(application_id="org.example.ToDo")
        application.connect("activate", lambda application: application.hold())
        sys.exit(application.run([]))

        """)
      let says = interface == .application1 ? "Implements=org.usher.Application1;" : "DBusActivatable=true"
      try desk.desktop.installDesktopEntry(
        "org.example.Todo", exec: "\(program) %u", schemes: ["todo"], lines: [says])
      if interface == .standard { try desk.desktop.installActivation("org.example.Todo", exec: program) }
      try desk.desktop.setDefaults(["todo": ["org.usher.Handler", "org.example.Todo"]])
      let first = try await RunningProgram.start(program, [], environment: desk.desktop.environment)
      try await desk.waitForOwner(of: "org.example.ToDo")
      let broker = try await desk.startBroker(adding: Self.atOnce)
      let deadline = Command.deadlineFromNow
      var report: OpenReport
      repeat {
        report = try await desk.open("--timeout", "1", "todo:1")
        try #require(report.error == "Timeout" || report.error == "LaunchFailed", "\(report)")
        try #require(ContinuousClock.now < deadline, "\(report)")
      } while !report.message.contains("org.example.ToDo is a process of the same program")
      #expect(
        report.message.contains("if that is a name of this application, change it to org.example.Todo"),
        "\(report)")
      broker.program.kill()
      first.kill()
    }
  }
}
