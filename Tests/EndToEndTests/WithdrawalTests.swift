// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc
import TestSupport
import Testing

/// Cancelled requests, which must never arrive.
@Suite struct `A cancelled request` {
  private static func cancel(_ id: String, on bus: BusConnection) async throws {
    try await bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, id)
  }

  private static func open(
    _ url: String, _ options: OpenOptions, on bus: BusConnection
  ) async throws(BusError) -> [String: Variant] {
    try await bus.call(
      BrokerInterface.open, at: BrokerInterface.broker, [url], options.entries,
      timeout: .seconds(60) * timeoutFactor)
  }

  /// The bus preserves the order of one caller's messages, and so must the broker.
  @Test func `a Cancel directly after its Open withdraws it`() async throws {
    try await InstalledDesktop.with { desk in
      // The application does not acquire its name, so that the request cannot have been delivered.
      _ = try await BusApplication.install(.hesitates, .application1, on: desk)
      let error = try await PipelinedOpener(desk).openAndCancel("mimic:1")
      #expect(error?.name == BrokerErrorName.cancelled.errorName, "\(String(describing: error))")
    }
  }

  @Test func `its fallback is not opened either`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      let other = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setDefaults([
        "mimic": ["org.usher.Handler", application.id], "play": ["org.usher.Handler", TargetKind.plain.id],
      ])
      let caller = try await desk.connect()
      var options = OpenOptions()
      options.requestID = "one"
      options.fallback = "play:fallback"
      async let answer = Self.open("mimic:1", options, on: caller)
      #expect(try await application.next()["started"] == true)
      try await Self.cancel("one", on: caller)
      do {
        _ = try await answer
        Issue.record("it was answered")
      } catch let error as BusError {
        #expect(error.name == BrokerErrorName.cancelled.errorName, "\(error)")
      }
      try await desk.usher("open", "play:end").orThrow()
      #expect(try await other.next().urls == ["play:end"])
      try await application.takeName(on: desk)
    }
  }

  @Test func `a request withdrawn after a timeout does not arrive`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      var options = OpenOptions()
      options.timeout = .milliseconds(1)
      let urls = (1...200).map { "play:\($0)" }
      var withdrawn: Set<String> = []
      for (url, call) in zip(urls, try await PipelinedOpener(desk).send(urls, options)) {
        do { _ = try await call.value } catch let error as BusError {
          if (try? Receipt(error.details))?.outcome == .failed { withdrawn.insert(url) }
        }
      }
      #expect(!withdrawn.isEmpty)
      try await desk.usher("open", "play:end").orThrow()
      var arrived: Set<String> = []
      while !arrived.contains("play:end") { arrived.formUnion(try await target.next().urls) }
      #expect(arrived.isDisjoint(with: withdrawn))
    }
  }

  @Test func `it can be cancelled, however many requests came after it`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.silent, .application1, on: desk)
      let caller = try await desk.connect()
      var options = OpenOptions()
      options.requestID = "first"
      options.wait = .handled
      options.timeout = .seconds(300)
      async let first = Self.open("mimic:1", options, on: caller)
      _ = try await caller.call(BrokerInterface.status, at: BrokerInterface.broker)
      let others = try await PipelinedOpener(desk).send((1...1_100).map { "nobody:\($0)" }, OpenOptions())
      for other in others { _ = try? await other.value }
      try await Self.cancel("first", on: caller)
      do {
        _ = try await first
        Issue.record("it was answered")
      } catch let error as BusError {
        #expect(error.name == BrokerErrorName.cancelled.errorName, "\(error)")
      }
    }
  }

  /// The application still has the request, and would handle it, although the next broker has not sent it.
  ///
  /// The first broker has stored the first request, and has sent the second one without storing it.
  @Test(arguments: ["first", "second"])
  func `is cancelled in its application if an earlier broker has sent it there, and its outcome is unknown`(
    id: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      let application = try await BusApplication.install(.silent, .application1, on: desk)
      let opener = PipelinedOpener(try await desk.connect())
      var options = OpenOptions()
      options.wait = .handled
      options.timeout = .seconds(300)
      var sent: [String: PropertyList] = [:]
      var calls: [Task<[String: Variant], any Error>] = []
      for id in ["first", "second"] {
        options.requestID = id
        calls += await opener.send(["mimic:\(id)"], options)
        sent[id] = try await application.nextCall()["request-id"]
      }
      try await desk.killBroker()
      for call in calls { _ = try? await call.value }
      options.requestID = id
      let error = try #require(try await opener.openAndCancel("mimic:\(id)", options))
      #expect(error.name == BrokerErrorName.cancelled.errorName, "\(error)")
      #expect(try Receipt(error.details).outcome == .unknown, "\(error.details)")
      var report = try await application.next()
      while report["called"] != "Cancel" { report = try await application.next() }
      #expect(report["argument"] == sent[id])
    }
  }

  @Test func `is certainly not handled if it waits in its application`() async throws {
    try await InstalledDesktop.with { desk in
      let listening = try await Listening.register(on: desk)
      async let first = listening.open("progress")
      _ = try await listening.next()
      let monitor = try await RunningProgram.start(
        "usher", ["monitor", "--json"], environment: desk.desktop.environment)
      _ = try await monitor.line { $0.contains("watching") }
      let caller = try await desk.connect()
      var options = OpenOptions()
      options.requestID = "second"
      options.wait = .handled
      options.timeout = .seconds(300)
      async let second = Self.open("lines:value", options, on: caller)
      _ = try await monitor.line { $0.contains("lines:value") && $0.contains("\"sent\"") }
      try await Self.cancel("second", on: caller)
      do {
        _ = try await second
        Issue.record("it was answered")
      } catch let error as BusError {
        #expect(error.name == BrokerErrorName.cancelled.errorName, "\(error)")
        #expect(try Receipt(error.details).outcome == .failed, "\(error.details)")
      }
      let ended = try PropertyList(
        json: try await monitor.line { $0.contains("lines:value") && $0.contains("\"ended\"") })
      #expect(ended["outcome"] == "failed" && ended["error"] == "org.usher.Error.Cancelled", "\(ended)")
      try await listening.goOn()
      #expect(try await first.outcome == "handled")
      // The program has not received it.
      #expect(try await listening.open("words").outcome == "handled")
      #expect(try await listening.next().envelope.urls == ["lines:words"])
      monitor.terminate()
    }
  }

  /// The order of the two replies tells whether the application had begun the request.
  @Test func `has an unknown outcome if its handler stops directly after the reply to Cancel`() async throws {
    try await InstalledDesktop.with { desk in
      let tap = try await ReportPipe("stopping", in: desk.desktop)
      let program = try desk.desktop.installScript("stopping", Self.stopping.replacing("TAP", with: tap.path))
      try desk.desktop.installDesktopEntry(
        "org.example.Stopping", exec: program, schemes: ["stopping"],
        lines: ["Implements=org.usher.Application1;"])
      try desk.desktop.setDefaults(["stopping": ["org.usher.Handler", "org.example.Stopping"]])
      let caller = try await RunningProgram.start(
        "usher", ["open", "--json", "--wait", "handled", "--timeout", timeLimit(60), "stopping:1"],
        environment: desk.desktop.environment)
      _ = try await tap.next()
      caller.send(SIGINT)
      let result = await caller.waitUntilExit()
      let receipt = try PropertyList(json: result.output)
      #expect(result.status == 9 && receipt["outcome"] == "unknown", "\(result)")
    }
  }

  /// A server whose replies to `Cancel` and `Deliver` arrive together, because the broker is stopped while it sends them.
  private static let stopping = """
    #!/usr/bin/python3
    import os, signal
    from gi.repository import Gio, GLib

    BUS = "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"
    METHODS = \"""
      <node><interface name="org.usher.Application1">
        <method name="Deliver"><arg type="a{sv}" direction="in"/><arg type="a{sv}" direction="out"/></method>
        <method name="Cancel"><arg type="s" direction="in"/></method>
      </interface></node>\"""
    pending = []

    def on_call(connection, sender, path, interface, method, parameters, invocation):
      if method == "Deliver":
        pending.append(invocation)
        with open("TAP", "w") as tap: tap.write("{}\\n")
        return
      credentials = bus.call_sync(*BUS, "GetConnectionUnixProcessID", GLib.Variant("(s)", [sender]), None, 0, -1, None)
      broker = credentials.unpack()[0]
      os.kill(broker, signal.SIGSTOP)
      invocation.return_value(None)
      pending.pop().return_dbus_error("org.usher.Error.Cancelled", "it has stopped")
      connection.flush_sync()
      os.kill(broker, signal.SIGCONT)

    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    interface = Gio.DBusNodeInfo.new_for_xml(METHODS).interfaces[0]
    bus.register_object("/org/example/Stopping", interface, on_call, None, None)
    Gio.bus_own_name_on_connection(bus, "org.example.Stopping", Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()

    """
}
