// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Scenes

/// Tests that a repeated request gets its earlier answer, regardless of crashes in between.
@Suite struct MemoryTests {
  private static let journal = "usher/\(Stage.id).requests"

  private func withStage(
    journal: String? = nil, _ body: @Sendable (Stage, TemporaryDirectory, BusConnection) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    if let journal { try directory.write(journal, to: Self.journal, permissions: 0o600) }
    try await Stage.withStage { stage in
      var stage = stage
      stage.runtimeDirectory = directory.path
      try await body(stage, directory, try await stage.broker())
    }
  }

  /// Starts the application as a separate process.
  private func probe(
    on stage: Stage, _ broker: BusConnection, in directory: TemporaryDirectory
  ) async throws -> (RunningProgram, RunningApplication) {
    var environment = Command.bareEnvironment
    environment["DBUS_SESSION_BUS_ADDRESS"] = try stage.address.resolved()
    environment["XDG_RUNTIME_DIR"] = directory.path
    let owners = try await broker.owners(of: Stage.name)
    let program = try await RunningProgram.start(
      "\(BuiltProducts.directory)/SceneProbe", [Stage.id, "\(directory.path)/log"], environment: environment)
    let owner = try await withDeadline(Command.defaultDeadline, "the probe's name") {
      await owners.first { $0 != nil } ?? nil
    }
    return (program, RunningApplication(uniqueName: try #require(owner), run: Task { .stopped }))
  }

  private func request(_ id: String) -> Envelope { Envelope(requestID: id, urls: ["stage:a"]) }

  @Test func `The next instance repeats an answer without handling the request again`() async throws {
    try await withStage { stage, directory, broker in
      let first = try await stage.start { request in
        if request.requestID == "refused" { return .notHandled }
        if request.requestID == "failed" { throw BusError(.targetFailed, "no such note") }
        return .handled(["note": 7, "text": "ä b\n\"c\""])
      }
      var replies: [Reply] = []
      for id in ["handled", "refused", "failed"] {
        replies.append(try await first.deliver(request(id), from: broker))
      }
      try await first.end()
      let status = try FileManager.default.attributesOfItem(atPath: "\(directory.path)/\(Self.journal)")
      #expect(status[.posixPermissions] as? Int == 0o600)

      let log = Log()
      let second = try await stage.start { request in
        log.add(request.requestID)
        return .handled
      }
      for (id, reply) in zip(["handled", "refused", "failed"], replies) {
        #expect(try await second.deliver(request(id), from: broker) == reply)
      }
      _ = try await second.deliver(request("new"), from: broker)
      try await second.end()
      #expect(await log.finish() == ["new"])
    }
  }

  /// The handler could not know that it had begun before.
  @Test func `A handler learns from the journal that a crash interrupted the request`() async throws {
    try await withStage(journal: "begun begun\n") { stage, _, broker in
      let log = Log()
      let application = try await stage.start { request in
        log.add("\(request.requestID) \(request.isRedelivered)")
        return .handled
      }
      // The broker may charge a request with a crash that the application had not begun.
      var charged = request("charged")
      charged.isRedelivered = true
      for envelope in [request("begun"), charged, request("new")] {
        _ = try await application.deliver(envelope, from: broker)
      }
      try await application.end()
      #expect(await log.finish() == ["begun true", "charged false", "new false"])
    }
  }

  @Test func `A killed handler is called once more, and the reply is marked`() async throws {
    try await withStage { stage, directory, broker in
      let log = "\(directory.path)/log"
      func start() async throws -> (RunningProgram, RunningApplication) {
        try await probe(on: stage, broker, in: directory)
      }
      let envelopes = ["die", "die-always"].map { Envelope(requestID: $0, urls: ["probe:\($0)/7"]) }
      for envelope in envelopes {
        let (program, application) = try await start()
        await #expect(throws: BusError.self) { try await application.deliver(envelope, from: broker) }
        _ = await program.waitUntilExit()
      }
      let (second, again) = try await start()
      let reply = try await again.deliver(envelopes[0], from: broker)
      #expect(reply.handled && reply.isRedelivered)
      #expect(try await again.deliver(envelopes[0], from: broker) == reply)
      await #expect(throws: BusError.self) { try await again.deliver(envelopes[1], from: broker) }
      _ = await second.waitUntilExit()

      let (third, last) = try await start()
      #expect(try await last.deliver(envelopes[0], from: broker) == reply)
      let error = await #expect(throws: BusError.self) { try await last.deliver(envelopes[1], from: broker) }
      #expect(error?.brokerError == .targetFailed)
      #expect(error?.message == "\(Stage.id) exited 2 times while it handled the request")
      third.terminate()
      _ = await third.waitUntilExit()
      #expect(
        try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") == [
          "begin die probe:die/7", "begin die-always probe:die-always/7", "begin die probe:die/7",
          "end die probe:die/7", "begin die-always probe:die-always/7",
        ])
    }
  }

  /// The reply could not be sent, and its line in the journal not be read, so that the request was handled again.
  @Test(arguments: [false, true])
  func `An error with U+0000, or a long one, is an answer like any other`(isUnknown: Bool) async throws {
    struct NoSuchNote: Error, CustomStringConvertible {
      let description = "no note a\0b" + String(repeating: "x", count: 10_000)
    }
    try await withStage { stage, _, broker in
      let log = Log()
      var answers: [Result<Reply, BusError>] = []
      for _ in 1...2 {
        let application = try await stage.start { request in
          log.add(request.requestID)
          if isUnknown { throw OutcomeUnknown(NoSuchNote().description) }
          throw NoSuchNote()
        }
        do {
          answers.append(.success(try await application.deliver(request("1"), from: broker)))
        } catch let error as BusError { answers.append(.failure(error)) }
        try await application.end()
      }
      let texts = answers.map { answer -> String? in
        switch answer {
        case .success(let reply): reply.isRedelivered ? "redelivered" : reply.error
        case .failure(let error): error.brokerError == .targetFailed ? error.message : "\(error)"
        }
      }
      let expected = "no note a\u{FFFD}b" + String(repeating: "x", count: 4096 - 13) + "…"
      #expect(texts == [expected, expected])
      #expect(answers.allSatisfy { isUnknown != ((try? $0.get()) != nil) })
      #expect(await log.finish() == ["1"])
    }
  }

  /// As `usher listen` does after a crash of its program.
  @Test func `A handler that begins a request again marks the reply, and does so once`() async throws {
    try await withStage { stage, _, broker in
      let log = Log()
      let first = try await stage.start { request in
        log.add(request.requestID)
        try await request.beginAgain()
        if request.requestID == "thrice" { try await request.beginAgain() }
        return .handled
      }
      let reply = try await first.deliver(request("twice"), from: broker)
      #expect(reply.handled && reply.isRedelivered)
      for _ in 1...2 {
        let error = await #expect(throws: BusError.self) {
          try await first.deliver(request("thrice"), from: broker)
        }
        #expect(error?.brokerError == .targetFailed)
        #expect(error?.message == "\(Stage.id) exited 2 times while it handled the request")
      }
      try await first.end()
      let second = try await stage.start { request in
        log.add(request.requestID)
        return .handled
      }
      #expect(try await second.deliver(request("twice"), from: broker) == reply)
      await #expect(throws: BusError.self) { try await second.deliver(request("thrice"), from: broker) }
      try await second.end()
      #expect(await log.finish() == ["twice", "thrice"])
    }
  }

  /// Such a request was reported as failed, so that a fallback was opened, or was handled again.
  @Test func `A request with an unknown outcome fails again, and is not handled again`() async throws {
    try await withStage { stage, _, broker in
      let log = Log()
      for number in 1...2 {
        let application = try await stage.start { request in
          log.add("begin")
          throw OutcomeUnknown("the program exited\nwith signal 9")
        }
        let error = await #expect(throws: BusError.self, "\(number)") {
          try await application.deliver(request("1"), from: broker)
        }
        #expect(error?.brokerError == .targetFailed)
        #expect(error?.message == "the program exited\nwith signal 9")
        try await application.end()
      }
      #expect(await log.finish() == ["begin"])
    }
  }

  /// A broker that exited together with the application sends them all at a time, and the next crash was charged to all.
  @Test func `A request that a crash interrupted is handled alone`() async throws {
    try await withStage(journal: "1 begun\n3 begun\n") { stage, _, broker in
      let (log, gate) = (Log(), Gate())
      var concurrent = stage.application
      concurrent.maximumConcurrentRequests = 4
      let application = try await stage.started { [concurrent] in
        try await concurrent.run { request in
          log.add("begin \(request.requestID)")
          await gate.pass()
          log.add("end \(request.requestID)")
          return .handled
        }
      }
      let courier = Courier(broker, to: application)
      var replies: [Task<Reply, any Error>] = []
      for number in 1...4 { replies.append(await courier.send("\(number)", "stage:a")) }
      try await courier.arrive()
      await gate.open()
      for (reply, isRedelivered) in zip(replies, [true, false, true, false]) {
        #expect(try await reply.value.isRedelivered == isRedelivered)
      }
      try await application.end()
      let expected = (1...4).flatMap { ["begin \($0)", "end \($0)"] }
      #expect(await log.finish() == expected)
    }
  }

  @Test func `A request that was withdrawn while it was handled stays withdrawn`() async throws {
    try await withStage { stage, _, broker in
      let (log, gate) = (Log(), Gate())
      let first = try await stage.start { request in
        log.add("begin")
        await gate.pass()
        try Task.checkCancellation()
        return .handled
      }
      let courier = Courier(broker, to: first)
      let reply = await courier.send("1", "stage:a")
      #expect(try await log.next() == "begin")
      try await broker.call(Application1Interface.cancel, at: first.object, "1")
      await gate.open()
      await #expect(throws: BusError.self) { try await reply.value }
      try await first.end()
      let second = try await stage.start { _ in .handled }
      let error = await #expect(throws: BusError.self) {
        try await second.deliver(request("1"), from: broker)
      }
      #expect(error?.brokerError == .cancelled)
      try await second.end()
    }
  }

  /// It was forgotten, and handled when the next broker repeated it.
  @Test func `A request that was withdrawn while it waited stays withdrawn`() async throws {
    try await withStage { stage, _, broker in
      let (log, gate) = (Log(), Gate())
      let first = try await stage.start { request in
        log.add(request.requestID)
        await gate.pass()
        return .handled
      }
      let courier = Courier(broker, to: first)
      let running = await courier.send("running", "stage:a")
      #expect(try await log.next() == "running")
      let waiting = await courier.send("waiting", "stage:a")
      try await courier.arrive()
      try await broker.call(Application1Interface.cancel, at: first.object, "waiting")
      await #expect(throws: BusError.self) { try await waiting.value }
      let repeated = await #expect(throws: BusError.self) {
        try await first.deliver(request("waiting"), from: broker)
      }
      #expect(repeated?.brokerError == .cancelled)
      await gate.open()
      _ = try await running.value
      try await first.end()
      let second = try await stage.start { _ in .handled }
      let error = await #expect(throws: BusError.self) {
        try await second.deliver(request("waiting"), from: broker)
      }
      #expect(error?.brokerError == .cancelled)
      try await second.end()
      #expect(await log.finish() == [])
    }
  }

  @Test(arguments: [
    ("1 begun\n1 {\"handled\":tr", true), ("1 begun\n1 withd", true), ("1 begu", false), ("", false),
    ("\n\n", false),
    ("\u{FFFD}\n1\n1 what\n1 {}\n1 begun\n", true), ("1 begun\n0 begun\n0 withdrawn", true),
    ("1 begun\n\u{0}\u{0}\u{0}", true),
  ])
  func `An incomplete or invalid line is ignored`(journal: String, isRedelivered: Bool) async throws {
    try await withStage(journal: journal) { stage, _, broker in
      let application = try await stage.start { _ in .handled }
      let reply = try await application.deliver(request("1"), from: broker)
      #expect(reply.handled && reply.isRedelivered == isRedelivered)
      try await application.end()
      let next = try await stage.start { _ in .notHandled }
      #expect(try await next.deliver(request("1"), from: broker) == reply)
      try await next.end()
    }
  }

  /// The file was cut at the error, and the answered request was handled again.
  @Test
  func
    `A journal that cannot be read stays as it is, and a repeated request is not handled until it is read`()
    async throws
  {
    let text = "1 {\"handled\":true,\"value\":7}\n2 begun\n"
    try await withStage(journal: text) { stage, directory, broker in
      let log = Log()
      let isFailing = Mutex(true)
      let failure: DeduplicationLog.PartReader = { file, part, offset in
        guard isFailing.withLock({ $0 }) else { return DeduplicationLog.pread(file, part, offset) }
        errno = EIO
        return -1
      }
      var failing = stage.application
      failing.readJournal = failure
      let application = try await stage.started { [failing] in
        try await failing.run { request in
          log.add(request.requestID)
          return .handled
        }
      }
      var repeated = request("1")
      repeated.isRedelivered = true
      let error = await #expect(throws: BusError.self) {
        try await application.deliver(repeated, from: broker)
      }
      #expect(error?.brokerError == .targetFailed)
      #expect(error?.message.contains("\(Self.journal)” cannot be read (Input/output error)") == true)
      // Another broker may have sent it before, and the instance that handled it has exited in order.
      var resent = request("1")
      resent.isRepeated = true
      let unknown = await #expect(throws: BusError.self) {
        try await application.deliver(resent, from: broker)
      }
      #expect(unknown?.brokerError == .targetFailed)
      // One that is not repeated cannot be in the journal.
      #expect(try await application.deliver(request("3"), from: broker).handled)
      let path = "\(directory.path)/\(Self.journal)"
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
      isFailing.withLock { $0 = false }
      #expect(try await application.deliver(repeated, from: broker).value == 7)
      try await application.end()
      #expect(await log.finish() == ["3"])
      // What was handled meanwhile is in the journal, too.
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("3 {\"handled\":true}\n"))
    }
  }

  @Test func `A journal that cannot be opened is one that cannot be read`() async throws {
    try await withStage { stage, directory, broker in
      let path = "\(directory.path)/\(Self.journal)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let application = try await stage.start { _ in .handled(7) }
      var repeated = request("1")
      repeated.isRepeated = true
      let error = await #expect(throws: BusError.self) {
        try await application.deliver(repeated, from: broker)
      }
      #expect(error?.brokerError == .targetFailed)
      #expect(try await application.deliver(request("2"), from: broker).handled)
      try FileManager.default.removeItem(atPath: path)
      #expect(try await application.deliver(repeated, from: broker).value == 7)
      try await application.end()
    }
  }

  /// A request may be an hour old when it is interrupted, and its next run was shown as the first one.
  @Test func `Answers older than an hour are ignored, and interrupted requests are not`() async throws {
    let text = "1 begun\n1 {\"handled\":true}\n2 begun\n3 begun\n3 begun\n"
    try await withStage(journal: text) { stage, directory, broker in
      let path = "\(directory.path)/\(Self.journal)"
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -4_000)], ofItemAtPath: path)
      let log = Log()
      let application = try await stage.start { request in
        log.add("\(request.requestID) \(request.isRedelivered)")
        return .notHandled
      }
      for id in ["1", "2"] {
        #expect(try await application.deliver(request(id), from: broker).handled == false)
      }
      let error = await #expect(throws: BusError.self) {
        try await application.deliver(request("3"), from: broker)
      }
      #expect(error?.brokerError == .targetFailed)
      try await application.end()
      #expect(await log.finish() == ["1 false", "2 true"])
      // The answer may be secret.
      #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("{\"handled\":true}"))
    }
  }

  @Test func `Symbolic links are not followed, and an application without a journal works`() async throws {
    try await withStage { stage, directory, broker in
      let victim = try directory.write("precious", to: "victim")
      try directory.makeDirectory("usher")
      try FileManager.default.createSymbolicLink(
        atPath: "\(directory.path)/\(Self.journal)", withDestinationPath: victim)
      let application = try await stage.start { _ in .handled }
      #expect(try await application.deliver(request("1"), from: broker).handled)
      try await application.end()
      #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }
  }

  @Test func `The journal stays small, and keeps the latest events`() async throws {
    try await withStage { stage, directory, broker in
      let value = PropertyList.string(String(repeating: "x", count: 30_000))
      let first = try await stage.start { _ in .handled(value) }
      for number in 0..<60 { _ = try await first.deliver(request("\(number)"), from: broker) }
      try await first.end()
      let size =
        try FileManager.default.attributesOfItem(atPath: "\(directory.path)/\(Self.journal)")[.size] as? Int
      #expect(try #require(size) <= 1 << 20)
      let second = try await stage.start { _ in .notHandled }
      #expect(try await second.deliver(request("59"), from: broker).value == value)
      #expect(try await second.deliver(request("50"), from: broker).value == value)
      try await second.end()
    }
  }

  /// It would be handled a third time after another crash.
  @Test func `A long journal keeps each request that has not finished`() async throws {
    let begun = "old begun\nold begun\n"
    try await withStage(journal: begun) { stage, directory, broker in
      let value = PropertyList.string(String(repeating: "x", count: 30_000))
      let first = try await stage.start { _ in .handled(value) }
      for number in 0..<60 { _ = try await first.deliver(request("\(number)"), from: broker) }
      try await first.end()
      let path = "\(directory.path)/\(Self.journal)"
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains(begun))
      // Also among many requests, in memory.
      let second = try await stage.start { _ in .handled }
      for number in 0..<2_100 { _ = try await second.deliver(request("small-\(number)"), from: broker) }
      let error = await #expect(throws: BusError.self) {
        try await second.deliver(request("old"), from: broker)
      }
      #expect(error?.brokerError == .targetFailed)
      try await second.end()
    }
  }

  /// The answer to a payment was forgotten after two thousand activations, and the payment handled twice.
  @Test func `Requests that are never repeated do not displace those that may be`() async throws {
    try await withStage { stage, directory, broker in
      let log = Log()
      let application = try await stage.start { request in
        guard request.reason == .url else { return .handled }
        log.add(request.urlString)
        try await request.beginAgain()
        return .handled(["note": 7])
      }
      let reply = try await application.deliver(request("1"), from: broker)
      let stranger = try await stage.connect()
      for _ in 0..<2_100 {
        try await stranger.call(
          ApplicationInterface.activate, at: application.object, [:], timeout: Command.defaultDeadline)
      }
      // Its handler may pass it on again like any other.
      try await application.open(["stage:local"], from: stranger)
      #expect(try await application.deliver(request("1"), from: broker) == reply)
      let path = "\(directory.path)/\(Self.journal)"
      #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("local-"))
      try await application.end()
      #expect(await log.finish() == ["stage:a", "stage:local"])
    }
  }

  /// It was emptied.
  ///
  /// A journal becomes this long while the disk is full, because it cannot be replaced.
  @Test func `A journal of more than 4 MiB keeps the newest answers and each request that has not finished`()
    async throws
  {
    let text = String(repeating: "x", count: 30_000)
    var journal = "old begun\nold begun\n"
    for number in 0..<150 {
      journal += "\(number) begun\n\(number) {\"handled\":true,\"value\":\"\(number) \(text)\"}\n"
    }
    try await withStage(journal: journal + "last begun\nlast {") { stage, directory, broker in
      let application = try await stage.start { _ in .notHandled }
      for number in [140, 149] {
        let reply = try await application.deliver(request("\(number)"), from: broker)
        #expect(reply.value == .string("\(number) \(text)"), "\(number)")
      }
      let last = try await application.deliver(request("last"), from: broker)
      #expect(!last.handled && last.isRedelivered)
      let error = await #expect(throws: BusError.self) {
        try await application.deliver(request("old"), from: broker)
      }
      #expect(error?.brokerError == .targetFailed)
      let attributes = try FileManager.default.attributesOfItem(
        atPath: "\(directory.path)/\(Self.journal)")
      #expect(try #require(attributes[.size] as? Int) <= 1 << 20)
      try await application.end()
    }
  }

  @Test func `A second instance leaves the journal of the first alone`() async throws {
    try await withStage { stage, directory, broker in
      let first = try await stage.start { request in .handled(.string(request.requestID)) }
      let one = try await first.deliver(request("1"), from: broker)
      // A process that opens the journal after an hour without a request removes the answers.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -4_000)],
        ofItemAtPath: "\(directory.path)/\(Self.journal)")
      #expect(try await stage.run { _ in .handled }.value == .forwarded)
      let two = try await first.deliver(request("2"), from: broker)
      try await first.end()
      let next = try await stage.start { _ in .notHandled }
      #expect(try await next.deliver(request("1"), from: broker) == one)
      #expect(try await next.deliver(request("2"), from: broker) == two)
      try await next.end()
    }
  }

  /// Each instance owns the name on its own bus, and both share one runtime directory.
  @Test func `Of two instances on two buses one has the journal, and the other has it next`() async throws {
    try await withStage { stage, directory, broker in
      try await Stage.withStage { other in
        let otherBroker = try await other.broker()
        func probing(_ id: String) -> Envelope { Envelope(requestID: id, urls: ["probe:ok"]) }
        let first = try await stage.start { request in .handled(.string(request.requestID)) }
        let one = try await first.deliver(request("1"), from: broker)
        let (program, second) = try await probe(on: other, otherBroker, in: directory)
        let early = try await second.deliver(probing("early"), from: otherBroker)
        let two = try await first.deliver(request("2"), from: broker)
        try await first.end()
        let late = try await second.deliver(probing("late"), from: otherBroker)
        #expect(try await second.deliver(request("1"), from: otherBroker) == one)
        program.terminate()
        _ = await program.waitUntilExit()
        let next = try await stage.start { _ in .notHandled }
        for (id, reply) in [("1", one), ("2", two), ("early", early), ("late", late)] {
          #expect(reply.handled)
          #expect(try await next.deliver(request(id), from: broker) == reply)
        }
        try await next.end()
      }
    }
  }
}
