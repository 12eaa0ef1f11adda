// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// The shares of callers; the test itself is one caller, and every `usher open` is a separate one.
@Suite struct `A caller that uses its maximum` {
  /// Opens links on its own connection until the broker rejects one as too many; returns the accepted number and the message.
  private static func fill(_ desk: InstalledDesktop, _ options: OpenOptions) async throws -> (
    accepted: Int, message: String
  ) {
    let bus = try await desk.connect()
    defer { Task { await bus.close() } }
    var accepted = 0
    while accepted < 100 {
      do {
        _ = try await bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, ["mimic:\(accepted)"], options.entries)
      } catch {
        #expect(error.brokerError == .tooMany)
        return (accepted, error.message)
      }
      accepted += 1
    }
    return (accepted, "")
  }

  @Test(arguments: [("target=12", "requests waiting for org.example.Mimic"), ("total=12", "URLs waiting")])
  func `leaves most capacity to others, and gains none by new connections`(
    limits: String, message: String
  ) async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.hesitates, .application1, on: desk)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": limits])
      var options = OpenOptions()
      options.wait = .accepted
      let first = try await Self.fill(desk, options)
      #expect(
        first.accepted == 3 && first.message.contains("this caller already has 3 \(message)"), "\(first)")
      let again = try await Self.fill(desk, options)
      #expect(again.accepted == 0 && again.message.contains("this caller already has 3"), "\(again)")
      for number in 1...9 {
        let report = try await desk.open("--wait", "accepted", "mimic:other\(number)")
        #expect(report.status == 0, "\(report)")
      }
      #expect(try await desk.open("--wait", "accepted", "mimic:thirteenth").error == "TooMany")
      broker.program.kill()
    }
  }

  @Test func `is charged for each URL of a request`() async throws {
    try await InstalledDesktop.with { desk in
      _ = try await BusApplication.install(.hesitates, .application1, on: desk)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "total=40"])
      let bus = try await desk.connect()
      var options = OpenOptions()
      options.wait = .accepted
      func open(_ count: Int) async -> BrokerErrorName? {
        do {
          _ = try await bus.call(
            BrokerInterface.open, at: BrokerInterface.broker, (0..<count).map { "mimic:\($0)" },
            options.entries)
          return nil
        } catch { return error.brokerError }
      }
      #expect(await open(41) == .tooMany)
      #expect(await open(8) == nil)
      #expect(await open(3) == .tooMany)
      #expect(await open(2) == nil)
      #expect(await open(1) == .tooMany)
      #expect(try await desk.open("--wait", "accepted", "mimic:other").status == 0)
      await bus.close()
      broker.program.kill()
    }
  }

  @Test func `of bytes that wait for the user may open ordinary links, and other callers any`() async throws {
    try await InstalledDesktop.with { desk in
      let id = "org.example.Play"
      try desk.desktop.installDesktopEntry(id, exec: "true %u", schemes: ["play", "free"])
      try desk.desktop.setDefaults(["play": ["org.usher.Handler", id], "free": ["org.usher.Handler", id]])
      try desk.desktop.writeRoutes("ask.toml", "[route.play]\nmatch = \"play:{x...}\"\nask = true\n")
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "undecided-bytes=65536"])
      let server = try await NotificationServer.start(on: desk)
      let text = String(repeating: "a", count: 20_000)
      let caller = try await PipelinedOpener(desk)
      let waiting = await caller.send(["play:\(text)"], OpenOptions())
      _ = try await server.next(1)
      let error = await #expect(throws: BusError.self) {
        _ = try await caller.send(["free:\(text)"], OpenOptions())[0].value
      }
      #expect(error?.brokerError == .tooMany)
      #expect(
        error?.message.contains("bytes of this caller are waiting for a decision") == true,
        "\(String(describing: error))")
      try await caller.open(["free:1"])
      #expect(try await desk.open("free:\(text)").status == 0)
      try await server.press(0, of: 1)
      for call in waiting { _ = try await call.value }
      try await caller.open(["free:\(text)"])
      _ = try await broker.stop()
    }
  }

  @Test func `is charged for each repetition of a request that waits for the user`() async throws {
    try await InstalledDesktop.with { desk in
      let id = "org.example.Play"
      try desk.desktop.installDesktopEntry(id, exec: "true %u", schemes: ["play", "free"])
      try desk.desktop.setDefaults(["play": ["org.usher.Handler", id], "free": ["org.usher.Handler", id]])
      try desk.desktop.writeRoutes("ask.toml", "[route.play]\nmatch = \"play:{x...}\"\nask = true\n")
      // One caller may have four of these calls.
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "undecided-bytes=262144"])
      let server = try await NotificationServer.start(on: desk)
      let url = "play:\(String(repeating: "a", count: 20_000))"
      var options = OpenOptions()
      options.requestID = "repeated"
      let caller = try await PipelinedOpener(desk)
      var waiting = await caller.send([url], options)
      _ = try await server.next(1)
      for number in 1...3 {
        waiting += await caller.send([url], options)
        // The repetition before it is admitted.
        try await caller.open(["free:\(number)"])
      }
      let (call, again) = (url, options)
      let error = await #expect(throws: BusError.self) {
        _ = try await caller.send([call], again)[0].value
      }
      #expect(error?.brokerError == .tooMany, "\(String(describing: error))")
      try await server.press(0, of: 1)
      for call in waiting { _ = try await call.value }
      try await caller.open(["free:\(String(repeating: "a", count: 20_000))"])
      _ = try await broker.stop()
    }
  }

  @Test func `through an intermediary may open thirty links at once, and none of thirty-one`() async throws {
    try await InstalledDesktop.with { desk in
      let recorder = try Recorder("recorder", in: desk.desktop)
      try desk.desktop.installDesktopEntry("recorder", exec: "\(recorder.execWord) %u", schemes: ["record"])
      try desk.desktop.setDefaults(["record": ["org.usher.Handler", "recorder"]])
      let bus = try await desk.connect()
      var options = OpenOptions()
      options.hops = 1
      // The claimed source has no rate of its own.
      options.sourceApplication = "org.example.Claimed"
      let many = await #expect(throws: BusError.self) {
        try await bus.call(
          BrokerInterface.open, at: BrokerInterface.broker, (0..<31).map { "record:\($0)" }, options.entries)
      }
      #expect(many?.brokerError == .tooMany)
      #expect(many?.message.contains("30 links within 10 s") == true, "\(String(describing: many))")
      let few = try await bus.call(
        BrokerInterface.open, at: BrokerInterface.broker, (0..<30).map { "record:\($0)" }, options.entries)
      #expect(try Receipt(few).deliveries.count == 1)
      options.sourceApplication = "org.example.Other"
      let more = await #expect(throws: BusError.self) {
        try await bus.call(BrokerInterface.open, at: BrokerInterface.broker, ["record:30"], options.entries)
      }
      #expect(more?.brokerError == .tooMany)
      // A fallback is not a way around the rate.
      options.fallback = "record:fallback"
      await #expect(throws: BusError.self) {
        try await bus.call(BrokerInterface.open, at: BrokerInterface.broker, ["nothing:1"], options.entries)
      }
      var opened: Set<String> = []
      while opened.count < 30 { opened.formUnion(try await recorder.nextStart().arguments) }
      #expect(opened == Set((0..<30).map { "record:\($0)" }))
      await bus.close()
    }
  }
}
