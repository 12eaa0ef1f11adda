// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// A caller whose request starts a program for each of many URLs.
///
/// A program reports its start after its interpreter has started, so two reports may arrive in another order than the starts.
@Suite struct `A caller that has many programs started` {
  /// The configuration that starts the program.
  enum Starter: CaseIterable { case entry, route }

  private static func install(_ starter: Starter, on desk: InstalledDesktop) throws -> Recorder {
    let recorder = try Recorder("recorder", in: desk.desktop)
    switch starter {
    case .entry:
      try desk.desktop.installDesktopEntry(
        "recorder", exec: "\(recorder.execWord) %u", schemes: ["record"])
      try desk.desktop.setDefaults(["record": ["org.usher.Handler", "recorder"]])
    case .route:
      try install(routeTo: recorder, on: desk)
    }
    return recorder
  }

  private static func install(
    routeTo recorder: Recorder, on desk: InstalledDesktop, otherRoutes: String = ""
  ) throws {
    try desk.desktop.installRoutes(
      "record",
      """
      format = 1
      owner = "user"
      [route.record]
      match = "record:{number}"
      exec = ["\(recorder.path)", "record:{number}"]
      \(otherRoutes)

      """)
  }

  private static func open(_ count: Int, on desk: InstalledDesktop) async throws {
    let bus = try await desk.connect()
    var options = OpenOptions()
    options.wait = .accepted
    _ = try await bus.call(
      BrokerInterface.open, at: BrokerInterface.broker, (0..<count).map { "record:\($0)" }, options.entries)
    await bus.close()
  }

  /// Opens links by one request, and cancels it after the first start of their program.
  private static func cancel(
    _ urls: [String], by caller: BusConnection, after recorder: Recorder, on desk: InstalledDesktop
  ) async throws {
    var options = OpenOptions()
    options.requestID = "many"
    options.wait = .handled
    options.timeout = .seconds(600)
    let entries = options.entries
    async let answer = caller.call(
      BrokerInterface.open, at: BrokerInterface.broker, urls, entries, timeout: .seconds(600) * timeoutFactor)
    _ = try await recorder.nextStart()
    try await caller.call(BrokerInterface.cancel, at: BrokerInterface.broker, "many")
    try await desk.waitUntilPending { $0 == 0 }
    _ = try? await answer
  }

  /// Opens `record:other`; returns the number of starts before that of its program.
  private static func starts(of recorder: Recorder, beforeAnotherBy caller: BusConnection) async throws -> Int
  {
    var options = OpenOptions()
    options.wait = .accepted
    _ = try await caller.call(
      BrokerInterface.open, at: BrokerInterface.broker, ["record:other"], options.entries)
    var started = 0
    while try await recorder.nextStart().arguments != ["record:other"] { started += 1 }
    return started
  }

  /// At one start a second, the starts of the first caller would take eight minutes.
  @Test(arguments: Starter.allCases)
  func `waits for its turns without delaying another caller`(starter: Starter) async throws {
    try await InstalledDesktop.with { desk in
      let recorder = try Self.install(starter, on: desk)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "starts=1"])
      try await Self.open(500, on: desk)
      _ = try await recorder.nextStart()
      let other = Task { try await desk.open("--wait", "accepted", "record:other") }
      var started = 1
      while try await recorder.nextStart().arguments != ["record:other"] { started += 1 }
      #expect(started < 500)
      #expect(try await other.value.status == 0)
      broker.program.kill()
    }
  }

  @Test(arguments: Starter.allCases)
  func `gets all of them started`(starter: Starter) async throws {
    try await InstalledDesktop.with { desk in
      let recorder = try Self.install(starter, on: desk)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "starts=20"])
      try await Self.open(60, on: desk)
      var started: Set<[String]> = []
      for _ in 0..<60 { started.insert(try await recorder.nextStart().arguments) }
      #expect(started == Set((0..<60).map { ["record:\($0)"] }))
      try await desk.waitUntilPending { $0 == 0 }
      broker.program.kill()
    }
  }

  @Test func `has those that a route runs and that wait started by the next broker`() async throws {
    try await InstalledDesktop.with { desk in
      let recorder = try Self.install(.route, on: desk)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "starts=1"])
      try await Self.open(40, on: desk)
      var started = [try await recorder.nextStart().arguments]
      _ = try await broker.stop()
      // Any call starts the next broker.
      try await desk.usher("history").orThrow()
      while started.count < 40 { started.append(try await recorder.nextStart().arguments) }
      #expect(Set(started) == Set((0..<40).map { ["record:\($0)"] }))
      try await desk.waitUntilPending { $0 == 0 }
      let history = try await desk.usher("history").lines
      #expect(history.allSatisfy { $0.contains("delivered") }, "\(history)")
    }
  }

  /// At one start a second, the last of them wait for more than a minute.
  @Test func `has none started by the next broker that the rules do not run any more`() async throws {
    try await InstalledDesktop.with { desk in
      let recorder = try Self.install(.route, on: desk)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "starts=1"])
      try await Self.open(100, on: desk)
      var started = [try await recorder.nextStart().arguments]
      try Self.install(
        routeTo: recorder, on: desk,
        otherRoutes: """
          [route.denied]
          match = "record:98"
          deny = "closed by now"
          [route.other]
          match = "record:99"
          exec = ["\(recorder.path)", "other"]
          """)
      _ = try await broker.stop()
      // Any call starts the next broker.
      try await desk.usher("history").orThrow()
      while started.count < 98 { started.append(try await recorder.nextStart().arguments) }
      #expect(Set(started) == Set((0..<98).map { ["record:\($0)"] }))
      try await desk.waitUntilPending { $0 == 0 }
      let history = try await desk.usher("history").lines
      #expect(history.count { $0.contains("failed (Denied)") } == 2, "\(history)")
    }
  }

  /// At one start a second, the starts that remain would take eight minutes.
  @Test(arguments: Starter.allCases)
  func `has no more of them started after it has cancelled the request`(starter: Starter) async throws {
    try await InstalledDesktop.with { desk in
      let recorder = try Self.install(starter, on: desk)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "starts=1"])
      let caller = try await desk.connect()
      try await Self.cancel((0..<500).map { "record:\($0)" }, by: caller, after: recorder, on: desk)
      // The caller need not wait for the turns of what it has cancelled.
      #expect(try await 1 + Self.starts(of: recorder, beforeAnotherBy: caller) < 250)
      await caller.close()
      broker.program.kill()
    }
  }

  /// At one start a second, the turns of the hundred applications would take longer than a minute.
  @Test func `waits for no turn of applications whose links it has cancelled`() async throws {
    try await InstalledDesktop.with { desk in
      let recorder = try Self.install(.entry, on: desk)
      var defaults = ["record": ["org.usher.Handler", "recorder"]]
      for number in 0..<100 {
        try desk.desktop.installDesktopEntry(
          "recorder\(number)", exec: "\(recorder.execWord) %u", schemes: ["record\(number)"])
        defaults["record\(number)"] = ["org.usher.Handler", "recorder\(number)"]
      }
      try desk.desktop.setDefaults(defaults)
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "starts=1"])
      let caller = try await desk.connect()
      let urls = ["record:0"] + (0..<100).map { "record\($0):x" }
      try await Self.cancel(urls, by: caller, after: recorder, on: desk)
      // The starts of another caller show the time.
      let clock = ["open", "--wait", "accepted"] + (0..<100).map { "record:clock\($0)" }
      try await desk.run("usher", clock).orThrow()
      #expect(try await Self.starts(of: recorder, beforeAnotherBy: caller) < 50)
      await caller.close()
      broker.program.kill()
    }
  }

  @Test func `waits with its requests for an application, while others can start it`() async throws {
    try await InstalledDesktop.with { desk in
      let recorder = try Self.install(.entry, on: desk)
      let application = try await BusApplication.install(.silent, .application1, on: desk)
      try desk.desktop.setDefaults([
        "record": ["org.usher.Handler", "recorder"], "mimic": ["org.usher.Handler", application.id],
      ])
      let broker = try await desk.startBroker(adding: ["USHER_TEST_LIMITS": "starts=1"])
      try await Self.open(500, on: desk)
      _ = try await recorder.nextStart()
      var options = OpenOptions()
      options.wait = .accepted
      let bus = try await desk.connect()
      _ = try await bus.call(BrokerInterface.open, at: BrokerInterface.broker, ["mimic:1"], options.entries)
      #expect(try await desk.open("--wait", "accepted", "mimic:2").status == 0)
      var opened: Set<String> = []
      while opened.count < 2 {
        opened.formUnion(try await application.nextCall()["urls"]?.array?.compactMap(\.string) ?? [])
      }
      #expect(opened == ["mimic:1", "mimic:2"])
      await bus.close()
      broker.program.kill()
    }
  }
}
