// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Scenes

/// Requests of an application to a simulated broker, which can give every answer.
@Suite struct OpeningTests {
  /// A broker that records its calls, and answers as configured.
  actor PlayedBroker {
    let bus: BusConnection
    private(set) var asked: [(urls: [String], options: OpenOptions)] = []
    private(set) var cancelled: [String] = []
    private let answer: @Sendable (BusCall, OpenOptions) async throws(BusError) -> Receipt

    init(
      _ stage: Stage,
      answer: @escaping @Sendable (BusCall, OpenOptions) async throws(BusError) -> Receipt = {
        call, options async throws(BusError) in PlayedBroker.receipt(options)
      }
    ) async throws {
      bus = try await stage.connect()
      self.answer = answer
      try await bus.export(
        BusObject(
          BrokerInterface.path,
          [
            .method(BrokerInterface.open) { call, urls, entries async throws(BusError) in
              try await self.open(call, urls, entries).entries
            },
            .method(BrokerInterface.canOpen) { _, url async throws(BusError) in url.hasPrefix("known:") },
            .method(BrokerInterface.cancel) { _, id async throws(BusError) in await self.cancel(id) },
            .signal(BrokerInterface.progress), .signal(BrokerInterface.handling),
          ]))
      #expect(try await bus.requestName(BrokerInterface.busName) == .owned)
    }

    static func receipt(_ options: OpenOptions) -> Receipt {
      Receipt(
        requestID: options.requestID ?? "none",
        deliveries: [Delivery(application: "org.example.Reader", outcome: .handled, value: ["page": 7])])
    }

    private func open(
      _ call: BusCall, _ urls: [String], _ entries: [String: Variant]
    ) async throws(BusError) -> Receipt {
      let options: OpenOptions
      do throws(MessageError) { options = try OpenOptions(entries) } catch { throw BusError(error) }
      asked.append((urls, options))
      return try await answer(call, options)
    }

    private func cancel(_ id: String) { cancelled.append(id) }
  }

  /// Runs an application whose handler does `body`, and sends the request that calls it.
  private func open(
    _ stage: Stage, as envelope: Envelope = Play.envelope("stage:go"), by broker: PlayedBroker,
    _ body: @escaping @Sendable (Application) async throws -> Void
  ) async throws -> Reply {
    let application = stage.application
    let running = try await stage.started {
      try await application.run { _, application in
        try await body(application)
        return .handled
      }
    }
    let reply = try await running.deliver(envelope, from: broker.bus)
    try await running.end()
    return reply
  }

  @Test func `Options that UIKit lacks are passed on, and the receipt is returned`() async throws {
    try await Stage.withStage { stage in
      let broker = try await PlayedBroker(stage)
      let reply = try await open(stage, by: broker) { application in
        var options = OpenExternalURLOptions()
        options.annotation = ["page": 7]
        options.activationToken = "token"
        options.universalLinksOnly = true
        options.eventAttribution = ["campaign": 1]
        options.target = "org.example.Reader"
        options.wait = .handled
        let receipt = try await application.open("notes://note/7?a=b", options: options)
        #expect(receipt.deliveries.first?.value == ["page": 7])
      }
      #expect(reply.error == nil)
      let asked = await broker.asked
      #expect(asked.map(\.urls) == [["notes://note/7?a=b"]])
      let options = try #require(asked.first?.options)
      #expect(options.sourceApplication == Stage.id)
      #expect(options.annotation == ["page": 7])
      #expect(options.activationToken == "token")
      #expect(options.universalLinksOnly)
      #expect(options.payload == ["event-attribution": ["campaign": 1]])
      #expect(options.target == "org.example.Reader")
      #expect(options.wait == .handled)
    }
  }

  @Test func `A URL that is opened while a request is handled has one more hop`() async throws {
    try await Stage.withStage { stage in
      let broker = try await PlayedBroker(stage)
      _ = try await open(stage, as: Play.envelope("stage:go") { $0.hops = 3 }, by: broker) { application in
        try await application.open("notes://here")
        _ = try await Task { try await application.open("notes://in-a-task") }.value
        _ = try await Task.detached { try await application.open("notes://detached") }.value
      }
      #expect(await broker.asked.map(\.options.hops) == [4, 4, 0])
    }
  }

  @Test func `Rule 13: UIKit's completion reports that the URL was delivered`() async throws {
    try await Stage.withStage { stage in
      let broker = try await PlayedBroker(stage) { _, options async throws(BusError) in
        guard options.annotation == nil else { throw BusError(.denied, "no") }
        return PlayedBroker.receipt(options)
      }
      let log = Log()
      _ = try await open(stage, by: broker) { application in
        guard let url = URL(string: "notes://note/7") else { return }
        application.open(url) { log.add("delivered \($0)") }
        let word1 = try await log.next()
        #expect(word1 == "delivered true")
        var options = OpenExternalURLOptions()
        options.annotation = 1
        application.open(url, options: options) { log.add("delivered \($0)") }
        let word2 = try await log.next()
        #expect(word2 == "delivered false")
      }
    }
  }

  @Test func `A rejection is an error with the reason`() async throws {
    try await Stage.withStage { stage in
      let broker = try await PlayedBroker(stage) { _, _ async throws(BusError) in
        throw BusError(.noHandler, "no application opens nobody: links")
      }
      let reply = try await open(stage, by: broker) { application in try await application.open("nobody:x") }
      #expect(reply.error == "no application opens nobody: links")
    }
  }

  @Test func `A document is opened as a file with its annotation, in place only if requested`()
    async throws
  {
    try await Stage.withStage { stage in
      let broker = try await PlayedBroker(stage)
      _ = try await open(stage, by: broker) { application in
        try await application.open(document: "/tmp/a b#c.txt", annotation: ["x": 1], openInPlace: true)
        try await application.open(document: "/tmp/d.txt")
      }
      let asked = await broker.asked
      #expect(asked.map(\.urls) == [["file:///tmp/a%20b%23c.txt"], ["file:///tmp/d.txt"]])
      #expect(asked.map(\.options.openInPlace) == [true, false])
      #expect(asked.map(\.options.annotation) == [["x": 1], nil])
    }
  }

  @Test func `Rule 15: canOpen queries a scheme or a URL`() async throws {
    try await Stage.withStage { stage in
      let broker = try await PlayedBroker(stage)
      _ = try await open(stage, by: broker) { application in
        let answers = [
          try await application.canOpen("known:x"), try await application.canOpen(scheme: "known"),
          try await application.canOpen("other:x"), try await application.canOpen(scheme: "other"),
        ]
        #expect(answers == [true, true, false, false])
      }
    }
  }

  @Test func `Progress of the target reaches only the caller that opened the URL`() async throws {
    try await Stage.withStage { stage in
      let broker = try await PlayedBroker(stage) { call, options async throws(BusError) in
        for (id, count) in [("another", 1), (options.requestID ?? "", 2)] as [(String, UInt64)] {
          try await call.connection.emit(
            BrokerInterface.handling, from: BrokerInterface.path, to: call.sender, id, "org.example.Reader",
            RequestProgress(completed: count, of: 3, message: "importing").entries)
        }
        return PlayedBroker.receipt(options)
      }
      let log = Log()
      _ = try await open(stage, by: broker) { application in
        try await application.open("notes://x") { progress in
          log.add(
            "\(progress.completedUnitCount ?? 0) of \(progress.totalUnitCount ?? 0) \(progress.message ?? "")"
          )
        }
        let word3 = try await log.next()
        #expect(word3 == "2 of 3 importing")
      }
    }
  }

  @Test func `A task that is cancelled withdraws the request`() async throws {
    try await Stage.withStage { stage in
      let (log, gate) = (Log(), Gate())
      let broker = try await PlayedBroker(stage) { _, options async throws(BusError) in
        log.add(options.requestID ?? "")
        await gate.pass()
        throw BusError(.cancelled, "the caller cancelled it")
      }
      _ = try await open(stage, by: broker) { application in
        let opening = Task { try await application.open("notes://slow") }
        let id = try await log.next()
        opening.cancel()
        while await broker.cancelled.isEmpty { await Task.yield() }
        #expect(await broker.cancelled == [id])
        await gate.open()
        let error = await #expect(throws: SceneError.self) { try await opening.value }
        #expect(error?.brokerError == .cancelled)
      }
    }
  }

  @Test func `A task that was cancelled before sends no request`() async throws {
    try await Stage.withStage { stage in
      let broker = try await PlayedBroker(stage)
      _ = try await open(stage, by: broker) { application in
        let opening = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await application.open("notes://x")
        }
        let error = await #expect(throws: SceneError.self) { try await opening.value }
        #expect(error?.brokerError == .cancelled)
      }
      #expect(await broker.asked.isEmpty)
    }
  }

  /// Returns the connection of a broker without a name that records the order of its calls.
  private func recordingBroker(_ stage: Stage, _ log: Log) async throws -> BusConnection {
    let bus = try await stage.connect()
    try await bus.export(
      BusObject(
        BrokerInterface.path,
        [
          .method(BrokerInterface.open) { _, _, _ async throws(BusError) in
            log.add("open")
            throw BusError(.cancelled, "the caller cancelled it")
          },
          .method(BrokerInterface.cancel) { _, _ async throws(BusError) in log.add("cancel") },
        ]))
    return bus
  }

  /// A cancellation that arrives first has no effect, so that the URL was opened.
  @Test func `A request whose task is cancelled at once reaches the broker before its cancellation`()
    async throws
  {
    try await Stage.withStage { stage in
      let log = Log()
      let bus = try await recordingBroker(stage, log)
      #expect(try await bus.requestName(BrokerInterface.busName) == .owned)
      let client = BrokerClient(on: try await stage.connect())
      // Calls that are sent by independent tasks usually have the same order.
      for _ in 0..<200 {
        let opening = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await client.open(["notes://x"], options: OpenOptions(), progress: nil)
        }
        await #expect(throws: SceneError.self) { try await opening.value }
        let events = [try await log.next(), try await log.next()]
        try #require(events == ["open", "cancel"])
      }
    }
  }

  /// The client did not listen for such a declaration any more, and the link was opened twice.
  @Test func `After a cancelled task, a request whose outcome the broker declares unknown is not repeated`()
    async throws
  {
    try await Stage.withStage { stage in
      let (followers, following) = AsyncStream<PlayedBroker>.makeStream()
      let first = try await PlayedBroker(stage) { call, options async throws(BusError) in
        guard options.requestID == "uncertain" else { throw BusError(.cancelled, "the caller cancelled it") }
        try await call.connection.emit(
          BrokerInterface.progress, from: BrokerInterface.path, to: call.sender, "uncertain", "unknown", "")
        try await call.connection.releaseName(BrokerInterface.busName)
        if let second = try? await PlayedBroker(stage) { following.yield(second) }
        await call.connection.close()
        throw BusError(.failed, "gone")
      }
      let client = BrokerClient(on: try await stage.connect())
      let opening = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.open(["notes://x"], options: OpenOptions(), progress: nil)
      }
      await #expect(throws: SceneError.self) { try await opening.value }
      var options = OpenOptions()
      options.requestID = "uncertain"
      await #expect(throws: SceneError.self) {
        try await client.open(["notes://x"], options: options, progress: nil)
      }
      let second = try #require(await followers.first { _ in true })
      #expect(await first.asked.map(\.options.requestID) == [nil, "uncertain"])
      #expect(await second.asked.isEmpty)
    }
  }

  /// The next broker had received no cancellation, and opened the link.
  @Test func `A cancelled request is repeated after its broker exits, and then cancelled again`() async throws
  {
    try await Stage.withStage { stage in
      let log = Log()
      let second = try await recordingBroker(stage, log)
      let first = try await PlayedBroker(stage) { call, _ async throws(BusError) in
        try await call.connection.releaseName(BrokerInterface.busName)
        _ = try await second.requestName(BrokerInterface.busName)
        await call.connection.close()
        throw BusError(.failed, "gone")
      }
      let client = BrokerClient(on: try await stage.connect())
      let opening = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.open(["notes://x"], options: OpenOptions(), progress: nil)
      }
      let error = await #expect(throws: SceneError.self) { try await opening.value }
      #expect(error?.brokerError == .cancelled)
      #expect(await first.asked.count == 1)
      // The first cancellation may arrive at the second broker, too.
      while try await log.next() != "open" {}
      #expect(try await log.next() == "cancel")
    }
  }

  /// The broker took the first call for a repetition, and rejected the link of an application that had exited.
  @Test func `After a broker exits, the next one receives the same request, as a repetition`() async throws {
    try await Stage.withStage { stage in
      let (followers, following) = AsyncStream<PlayedBroker>.makeStream()
      let first = try await PlayedBroker(stage) { call, _ async throws(BusError) in
        try await call.connection.releaseName(BrokerInterface.busName)
        if let second = try? await PlayedBroker(stage) { following.yield(second) }
        await call.connection.close()
        throw BusError(.failed, "gone")
      }
      let application = stage.application
      let running = try await stage.started {
        try await application.run { _, application in
          try await application.open("notes://x")
          return .handled
        }
      }
      try await running.open(["stage:go"], from: stage.connect())
      try await running.end()
      let second = try #require(await followers.first { _ in true })
      #expect(await second.asked.map(\.options.requestID) == first.asked.map(\.options.requestID))
      #expect(await first.asked.map(\.options.isFirstAttempt) == [true])
      #expect(await second.asked.map(\.options.isFirstAttempt) == [false])
    }
  }
}
