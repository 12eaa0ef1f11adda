// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// A request whose caller leaves it to the broker while the user is asked, as the opener of a desktop does.
@Suite struct `A link about which the user is asked` {
  /// The desktop's commands for a click, and the standard interface for callers.
  enum Caller: String, CaseIterable, CustomTestStringConvertible {
    case front = "usher open --from-desktop, by the socket"
    case command = "usher open --from-desktop, on the bus"
    case handler = "Application.Open"

    var testDescription: String { rawValue }

    func open(_ url: String, on desk: InstalledDesktop) async throws -> CommandResult {
      switch self {
      case .front: try await desk.usher("open", "--from-desktop", url)
      case .command: try await desk.usher("open", "--from-desktop", "--timeout", "20", url)
      case .handler: try await desk.call(InstalledDesktop.handler, "Open", "asa{sv}", "1", url, "0")
      }
    }
  }

  private static func with(_ body: @Sendable (InstalledDesktop, Target) async throws -> Void) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.plain, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.plain])
      try desk.desktop.writeRoutes(
        "rules.toml",
        """
        [route.each]
        match = "play:ask/{x...?}"
        ask   = true

        [route.which]
        match    = "play:which/{x}"
        ask      = ["\(TargetKind.plain.id)", "org.example.Other"]
        remember = "scheme"
        """)
      try await body(desk, target)
    }
  }

  private static func options(_ wait: OpenOptions.Wait, timeout: Duration, leaves: Bool = true) -> OpenOptions
  {
    var options = OpenOptions()
    options.wait = wait
    options.timeout = timeout
    options.prompt = leaves ? .leave : .wait
    return options
  }

  private static func open(_ url: String, _ options: OpenOptions, on bus: BusConnection) async throws
    -> [String: Variant]
  {
    try await bus.call(
      BrokerInterface.open, at: BrokerInterface.broker, [url], options.entries,
      timeout: options.timeout + Command.defaultDeadline)
  }

  /// Waits until the history has `count` rows, and returns them as JSON.
  private static func history(of desk: InstalledDesktop, _ count: Int) async throws -> [String] {
    try await withDeadline(Command.defaultDeadline, "\(count) rows of the history") {
      while true {
        let output = try await desk.usher("history", "--json").orThrow().output
        let entries = try PropertyList(json: output)["entries"]?.array ?? []
        if entries.count >= count { return entries.map(\.json) }
      }
    }
  }

  @Test(arguments: Caller.allCases)
  func `is opened by the answer after the opener of the desktop has exited`(caller: Caller) async throws {
    try await Self.with { desk, target in
      let server = try await NotificationServer.start(on: desk)
      let opened = try await caller.open("play:ask/1?t=secret", on: desk)
      #expect(opened.status == 0, "\(opened)")
      #expect(try await server.next(1).text.contains("play:ask/1"))
      #expect(try await Self.history(of: desk, 0).isEmpty)
      try await server.press(0, of: 1)
      let arrival = try await target.next()
      #expect(arrival.urls == ["play:ask/1?t=secret"])
      #expect(arrival.envelope["user-activation"]?.string == "allowed")
      let history = try await Self.history(of: desk, 1)
      #expect(
        history[0].contains("\"outcome\":\"delivered\"") && !history[0].contains("secret"), "\(history)")
      #expect(history[0].contains("play:ask/1"), "\(history)")
    }
  }

  @Test func `is opened after its caller's timeout if the caller leaves it`() async throws {
    try await Self.with { desk, target in
      let server = try await NotificationServer.start(on: desk)
      let bus = try await desk.connect()
      let left = Self.options(.delivered, timeout: .milliseconds(100))
      let error = await #expect(throws: BusError.self) {
        try await Self.open("play:ask/left", left, on: bus)
      }
      #expect(error?.brokerError == .timeout, "\(String(describing: error))")
      let receipt = try Receipt(error?.details ?? [:])
      #expect(receipt.outcome == .accepted && receipt.deliveries.map(\.isAsking) == [true])
      _ = try await server.next(1)
      try await server.press(0, of: 1)
      #expect(try await target.next().urls == ["play:ask/left"])
      await bus.close()
    }
  }

  @Test func `and that its caller leaves is opened at once if the caller still waits`() async throws {
    try await Self.with { desk, target in
      let server = try await NotificationServer.start(on: desk)
      let bus = try await desk.connect()
      let options = Self.options(.delivered, timeout: Command.defaultDeadline)
      async let opened = Self.open("play:ask/1", options, on: bus)
      _ = try await server.next(1)
      try await server.press(0, of: 1)
      #expect(try Receipt(try await opened).outcome == .delivered)
      #expect(try await target.next().urls == ["play:ask/1"])
      await bus.close()
    }
  }

  @Test func `is asked about again by the next broker, until the user has answered`() async throws {
    try await Self.with { desk, target in
      let server = try await NotificationServer.start(on: desk)
      #expect(try await desk.usher("open", "--from-desktop", "play:ask/opened").status == 0)
      #expect(try await server.next(1).text.contains("play:ask/opened"))
      try await desk.killBroker()
      // The next call starts a broker.
      #expect(try await desk.call(InstalledDesktop.broker, "Status").succeeded)
      #expect(try await server.next(2).text.contains("play:ask/opened"))
      try await server.press(0, of: 2)
      #expect(try await target.next().urls == ["play:ask/opened"])
      #expect(try await desk.usher("open", "--from-desktop", "play:ask/refused").status == 0)
      #expect(try await server.next(3).text.contains("play:ask/refused"))
      try await server.press(1, of: 3)
      let history = try await Self.history(of: desk, 2)
      #expect(history.contains { $0.contains("play:ask/refused") && $0.contains("Denied") }, "\(history)")
      try await desk.killBroker()
      #expect(try await desk.usher("open", "--from-desktop", "play:ask/last").status == 0)
      #expect(try await server.next(4).text.contains("play:ask/last"))
      try await server.press(0, of: 4)
      #expect(try await target.next().urls == ["play:ask/last"])
    }
  }

  @Test func `and that its caller cancels is not opened`() async throws {
    try await Self.with { desk, target in
      let server = try await NotificationServer.start(on: desk)
      let bus = try await desk.connect()
      var options = Self.options(.accepted, timeout: .seconds(20))
      options.requestID = "one"
      let receipt = try Receipt(try await Self.open("play:ask/1", options, on: bus))
      #expect(receipt.outcome == .accepted && receipt.deliveries.map(\.isAsking) == [true])
      _ = try await server.next(1)
      try await bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, "one")
      try await desk.waitUntilPending { $0 == 0 }
      try await server.press(0, of: 1)
      #expect(try await desk.open("play:next").status == 0)
      #expect(try await target.next().urls == ["play:next"])
      await bus.close()
    }
  }

  @Test func `is reported by a notification if no prompt can be shown`() async throws {
    try await Self.with { desk, _ in
      let server = try await NotificationServer.start(on: desk, capabilities: "body")
      let opened = try await desk.usher("open", "--from-desktop", "play:ask/1?t=secret")
      #expect(opened.status == 0, "\(opened)")
      let shown = try await server.next(1)
      #expect(shown.text.contains("A link was not opened") && !shown.text.contains("secret"), "\(shown)")
    }
  }

  @Test func `uses the caller's share of such requests, so that those of others are still stored`()
    async throws
  {
    try await Self.with { desk, _ in
      let server = try await NotificationServer.start(on: desk)
      let opener = try await PipelinedOpener(desk)
      try desk.desktop.installDesktopEntry("org.example.Other", exec: "true %u", schemes: ["play"])
      let calls = await opener.send(
        (1...80).map { "play:which/\($0)" }, Self.options(.accepted, timeout: OpenOptions.defaultTimeout))
      _ = try await server.next(1)
      // A quarter of 256 is stored, and the other callers wait.
      for call in calls.prefix(64) {
        #expect(try Receipt(try await call.value).deliveries.map(\.isAsking) == [true])
      }
      #expect(try await desk.usher("open", "--from-desktop", "play:which/other").status == 0)
      try await desk.waitUntilPending { $0 == 65 }
      try await server.close(1)
      for call in calls.suffix(16) {
        let error = await #expect(throws: BusError.self) { try await call.value }
        // A call that arrives later gets the error for a prompt that was closed before.
        #expect(error?.brokerError == .denied, "\(String(describing: error))")
      }
      try await desk.waitUntilPending { $0 == 0 }
    }
  }
}
