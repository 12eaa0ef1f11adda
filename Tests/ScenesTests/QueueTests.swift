// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Scenes
import TestSupport
import Testing

@Suite struct QueueTests {
  @Test func `Requests are handled one at a time in the order of their arrival`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let (log, gate) = (Log(), Gate())
      let application = try await stage.start { request in
        log.add("begin \(request.urlString)")
        await gate.pass()
        log.add("end \(request.urlString)")
        return .handled
      }
      let urls = (0..<50).map { "stage:\($0)" }
      let courier = Courier(broker, to: application)
      var replies: [Task<Reply, any Error>] = []
      for (index, url) in urls.enumerated() { replies.append(await courier.send("\(index)", url)) }
      #expect(try await log.next() == "begin stage:0")
      await gate.open()
      for reply in replies { #expect(try await reply.value.handled) }
      try await application.end()
      let rest = await log.finish()
      #expect(["begin stage:0"] + rest == urls.flatMap { ["begin \($0)", "end \($0)"] })
    }
  }

  @Test func `Rule 1: two waiting requests are never merged`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let (log, gate) = (Log(), Gate())
      let application = try await stage.start(
        preparing: { await gate.pass() },
        { request in
          log.add("\(request.requestID) \(request.urlStrings) \(request.annotation?.json ?? "-")")
          return .handled(.string(request.requestID))
        })
      // The requests are equal except for their IDs.
      var replies: [Task<Reply, any Error>] = []
      let courier = Courier(broker, to: application)
      for id in ["1", "2"] { replies.append(await courier.send(id, "stage:same")) }
      try await courier.arrive()
      await gate.open()
      for (reply, id) in zip(replies, ["1", "2"]) { #expect(try await reply.value.value == .string(id)) }
      try await application.end()
      #expect(await log.finish() == [#"1 ["stage:same"] -"#, #"2 ["stage:same"] -"#])
    }
  }

  @Test func `A request waits until the application is ready`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let (log, gate) = (Log(), Gate())
      let application = try await stage.start(
        preparing: {
          log.add("preparing")
          await gate.pass()
          log.add("ready")
        },
        { request in
          log.add(request.urlString)
          return .handled
        })
      #expect(try await log.next() == "preparing")
      let courier = Courier(broker, to: application)
      let reply = await courier.send("1", "stage:a")
      try await courier.arrive()
      await gate.open()
      #expect(try await reply.value.handled)
      #expect(try await log.next() == "ready")
      #expect(try await log.next() == "stage:a")
      try await application.end()
    }
  }

  /// The error said that the outcome was unknown, so that no fallback was opened.
  @Test func `A caller of an application that never becomes ready learns that the request failed`()
    async throws
  {
    struct NoDisk: Error {}
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let gate = Gate()
      let application = try await stage.start(
        preparing: {
          await gate.pass()
          throw NoDisk()
        }, { _ in .handled })
      let courier = Courier(broker, to: application)
      let reply = await courier.send("1", "stage:a")
      var repeated = Envelope(requestID: "2", urls: ["stage:b"])
      repeated.isRepeated = true
      let unknown = await courier.send(repeated)
      try await courier.arrive()
      await gate.open()
      let text = "the preparation of the application failed: NoDisk()"
      #expect(try await reply.value == Reply(handled: false, error: text))
      // An earlier instance may have handled it, and there is no journal.
      let error = await #expect(throws: BusError.self) { try await unknown.value }
      #expect(error?.brokerError == .targetFailed)
      await #expect(throws: SceneError.self) { try await application.run.value }
    }
  }

  @Test func `A repeated request is answered and not handled again`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let (log, gate) = (Log(), Gate())
      let application = try await stage.start { request in
        log.add(request.requestID)
        await gate.pass()
        return .handled(.string("\(request.urlString)"))
      }
      let courier = Courier(broker, to: application)
      let first = await courier.send("1", "stage:first")
      #expect(try await log.next() == "1")
      let during = await courier.send("1", "stage:again")
      try await courier.arrive()
      await gate.open()
      let after = await courier.send("1", "stage:again")
      let replies = try await [first.value, during.value, after.value]
      #expect(replies == Array(repeating: Reply(handled: true, value: "stage:first"), count: 3))
      try await application.end()
      #expect(await log.finish() == [])
    }
  }

  @Test func `A waiting request is withdrawn and a running one is cancelled`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let log = Log()
      let application = try await stage.start { request in
        log.add(request.requestID)
        try await Task.sleep(for: .seconds(600))
        return .handled
      }
      let courier = Courier(broker, to: application)
      let running = await courier.send("running", "a:")
      #expect(try await log.next() == "running")
      let waiting = await courier.send("waiting", "a:")
      try await courier.arrive()
      try await broker.call(Application1Interface.cancel, at: application.object, "waiting")
      let withdrawn = await #expect(throws: BusError.self) { try await waiting.value }
      #expect(withdrawn?.brokerError == .cancelled)
      try await broker.call(Application1Interface.cancel, at: application.object, "running")
      let stopped = await #expect(throws: BusError.self) { try await running.value }
      #expect(stopped?.brokerError == .cancelled)
      try await application.end()
      #expect(await log.finish() == [])
    }
  }
}
