// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// Progress reports of an application, on their way to the callers that wait for them.
@Suite struct `The progress of a handler` {
  /// A caller that opens a link, and receives its progress.
  private struct Caller: Sendable {
    let bus: BusConnection
    let heard: AsyncStream<ReceivedSignal<String, String, [String: Variant]>>

    init(_ desk: InstalledDesktop) async throws {
      bus = try await desk.connect()
      heard = try await bus.signals(BrokerInterface.handling, at: BrokerInterface.path)
    }

    func open(
      _ url: String, id: String, _ wait: OpenOptions.Wait = .handled, timeout: Duration = .seconds(60)
    ) -> Task<Receipt, any Error> {
      Task {
        var options = OpenOptions()
        options.requestID = id
        options.wait = wait
        // The default of 20 s can end before the reports of a test are sent.
        options.timeout = timeout * timeoutFactor
        return try Receipt(
          try await bus.call(
            BrokerInterface.open, at: BrokerInterface.broker, [url], options.entries,
            timeout: .seconds(60) * timeoutFactor))
      }
    }

    /// Returns the next report: the request, the application and the progress.
    func next() async throws -> (String, String, RequestProgress) {
      let heard = heard
      let signal = try await withDeadline(Command.defaultDeadline, "progress") {
        await heard.first { _ in true }
      }
      guard let (id, application, entries) = signal?.values else { throw TestSupportError("nothing more") }
      return (id, application, try RequestProgress(entries))
    }
  }

  /// Waits until the broker has processed all earlier messages of `bus`.
  private static func settle(_ bus: BusConnection) async throws {
    _ = try await bus.call(BrokerInterface.status, at: BrokerInterface.broker)
  }

  @Test func `reaches the caller only from the connection that has the request`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      let caller = try await Caller(desk)
      let stranger = try await desk.connect()
      let answer = caller.open("served:1", id: "mine")
      let id = try await application.nextEnvelope().requestID
      #expect(id != "mine")
      // Reports of a connection that only knows the ID, to the broker and as a broadcast.
      for destination in [BrokerInterface.busName, nil] {
        try await stranger.emit(
          Application1Interface.progress, from: ServedApplication.path, to: destination, id,
          RequestProgress(message: "forged").entries)
      }
      try await Self.settle(stranger)
      // The caller's ID differs from the application's, and malformed reports are ignored.
      try await application.tell("mine", RequestProgress(message: "by another ID"))
      try await application.tell("unknown", RequestProgress(message: "unknown"))
      try await application.tell(id, ["completed": "three"])
      try await application.tell(id, ["message": "two\nlines"])
      try await application.tell(id, ["total": .int64(-1)])
      let wrong = BusSignal<Arguments<String>>(
        "Progress", of: Application1Interface.name, carries: ["request_id"])
      try await application.bus.emit(wrong, from: ServedApplication.path, to: BrokerInterface.busName, id)
      try await Self.settle(application.bus)
      try await application.tell(id, RequestProgress(completed: 3, of: 10, message: "importing"))
      let (heardID, who, progress) = try await caller.next()
      #expect(heardID == "mine" && who == ServedApplication.id)
      #expect(progress == RequestProgress(completed: 3, of: 10, message: "importing"))
      await application.gate.open()
      #expect(try await answer.value.outcome == .handled)
      // A report after the last caller has its reply is dropped.
      try await application.tell(id, RequestProgress(message: "late"))
      try await Self.settle(application.bus)
      try await Self.settle(caller.bus)
      await caller.bus.close()
      var left = 0
      for await _ in caller.heard { left += 1 }
      #expect(left == 0)
    }
  }

  @Test func `is sent at most twenty times a second, however often it is reported`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      let caller = try await Caller(desk)
      let answer = caller.open("served:1", id: "mine")
      let id = try await application.nextEnvelope().requestID
      let start = ContinuousClock.now
      for number in 1...2_000 {
        try await application.tell(id, RequestProgress(completed: UInt64(number), of: 2_000))
      }
      try await Self.settle(application.bus)
      let time = ContinuousClock.now - start
      await application.gate.open()
      #expect(try await answer.value.outcome == .handled)
      await caller.bus.close()
      var heard: [UInt64] = []
      for await signal in caller.heard {
        heard.append(try RequestProgress(signal.values.2).completedUnitCount ?? 0)
      }
      #expect(heard.first == 1 && heard == heard.sorted())
      #expect(heard.count <= Int(time / .milliseconds(50)) + 1, "\(heard.count) in \(time)")
    }
  }

  @Test
  func `is not sent to a caller that does not wait for handled, that cancelled it, or whose timeout expired`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      let caller = try await Caller(desk)
      let delivered = caller.open("served:1", id: "one", .delivered)
      let first = try await application.nextEnvelope().requestID
      try await application.tell(first, RequestProgress(message: "nobody waits for it"))
      let handled = caller.open("served:2", id: "two")
      let second = try await application.nextEnvelope().requestID
      let expired = caller.open("served:3", id: "three", timeout: .seconds(20))
      let third = try await application.nextEnvelope().requestID
      try await caller.bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, "two")
      await #expect(throws: BusError.self) { try await handled.value }
      await #expect(throws: BusError.self) { try await expired.value }
      try await application.tell(second, RequestProgress(message: "cancelled"))
      try await application.tell(third, RequestProgress(message: "expired"))
      try await Self.settle(application.bus)
      await application.gate.open()
      #expect(try await delivered.value.outcome == .handled)
      await caller.bus.close()
      for await signal in caller.heard { Issue.record("\(signal)") }
    }
  }

  @Test func `continues after a crash of the broker, to the caller that repeats its request`() async throws {
    try await InstalledDesktop.with { desk in
      let tap = try await ReportPipe("starts", in: desk.desktop)
      let program = try desk.desktop.installScript(
        "waits", "#!/bin/sh\necho '{\"started\": true}' >'\(tap.path)'\nexec sleep infinity\n")
      let application = try await ServedApplication.prepare(.application1, on: desk, exec: program)
      let first = try await Caller(desk)
      let answer = first.open("served:1", id: "mine")
      _ = try await tap.next()
      try await desk.waitUntilPending { $0 == 1 }
      try await desk.killBroker()
      await #expect(throws: BusError.self) { try await answer.value }
      let second = try await Caller(desk)
      let again = second.open("served:1", id: "mine")
      _ = try await tap.next()
      // The reply to this call follows the processing of the messages before it.
      _ = try await second.bus.call(BrokerInterface.cancel, at: BrokerInterface.broker, "another")
      try await application.takeName()
      let id = try await application.nextEnvelope().requestID
      try await application.tell(id, RequestProgress(completed: 1))
      #expect(try await second.next().2 == RequestProgress(completed: 1))
      await application.gate.open()
      #expect(try await again.value.outcome == .handled)
    }
  }

  @Test func `is printed at a terminal without an option`() async throws {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      let command = try await RunningProgram.start(
        "script", ["-qec", "usher open --wait handled served:1", "/dev/null"],
        environment: desk.desktop.environment)
      let id = try await application.nextEnvelope().requestID
      try await application.tell(id, RequestProgress(completed: 7, message: "importing"))
      _ = try await command.line { $0.contains("org.example.Served: 7 done, importing") }
      await application.gate.open()
      #expect(try await command.waitUntilExit().orThrow().output.contains("org.example.Served handled it"))
    }
  }

  @Test func `is printed on standard error, and only the receipt on standard output`()
    async throws
  {
    try await InstalledDesktop.with { desk in
      let application = try await ServedApplication.start(.application1, on: desk)
      for (number, words) in [["--progress"], []].enumerated() {
        async let running = desk.run(
          "usher", ["open", "--json", "--wait", "handled", "served:\(number)"] + words)
        let id = try await application.nextEnvelope().requestID
        try await application.tell(id, RequestProgress(completed: 3, of: 10, message: "importing"))
        try await Self.settle(application.bus)
        await application.gate.open()
        let result = try await running.orThrow()
        #expect(result.errorOutput == (words.isEmpty ? "" : "org.example.Served: 3 of 10, importing\n"))
        #expect(result.lines.count == 1)
        #expect(try PropertyList(json: result.output)["outcome"] == "handled")
      }
    }
  }
}
