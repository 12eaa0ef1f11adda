// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

@testable import Scenes

/// Tests of handlers that report their progress, and that are cancelled when no caller waits any more.
@Suite struct ProgressTests {
  @Test func `Only the broker that delivered a request receives its progress`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let stranger = try await stage.connect()
      let heard = try await broker.signals(Application1Interface.progress)
      let overheard = try await stranger.signals(Application1Interface.progress)
      let running = try await stage.start { request in
        request.report(1, of: 3, "importing")
        return .handled
      }
      _ = try await running.deliver(Play.envelope("stage:a") { $0.requestID = "r1" }, from: broker)
      let signal = try #require(
        await withDeadline(Command.defaultDeadline, "the progress") { await heard.first { _ in true } })
      #expect(signal.sender == running.uniqueName)
      #expect(signal.values.0 == "r1")
      #expect(
        try RequestProgress(signal.values.1)
          == RequestProgress(completed: 1, of: 3, message: "importing"))
      // A request that was not sent by a broker has no recipient of progress.
      try await running.open(["stage:b"], from: stranger)
      try await running.end()
      await stranger.close()
      #expect(await overheard.first { _ in true } == nil)
    }
  }

  @Test func `Frequent progress reports are limited to a visible rate`() async throws {
    try await Stage.withStage { stage in
      let broker = try await stage.broker()
      let heard = try await broker.signals(Application1Interface.progress)
      let running = try await stage.start { request in
        let start = ContinuousClock.now
        for number in 0..<10_000 { request.report(UInt64(number)) }
        return .handled(.integer((ContinuousClock.now - start).components.seconds))
      }
      let reply = try await running.deliver(Play.envelope("stage:a"), from: broker)
      let seconds = try #require(reply.value?.integer)
      try await running.end()
      await broker.close()
      let count = await heard.reduce(0) { count, _ in count + 1 }
      #expect(count >= 1)
      #expect(count <= 20 * (seconds + 1) + 1)
    }
  }

  @Test func `A delegate is asked to stop when its request is withdrawn`() async throws {
    let log = Log()
    let behaviour = Behaviour(opens: { _, _ in
      log.add("begun")
      try await Task.sleep(for: .seconds(600))
      return .handled
    })
    try await Stage.withStage { stage in
      let play = try await Play.begin(.scenes, .direct, on: stage, behaviour)
      try await play.untilItRuns()
      let courier = Courier(try play.bus.broker, to: try play.bus.actors)
      let reply = await courier.send("long", "notes://long")
      #expect(try await log.next() == "begun")
      try await play.bus.broker.call(Application1Interface.cancel, at: try play.bus.actors.object, "long")
      let error = await #expect(throws: BusError.self) { try await reply.value }
      #expect(error?.brokerError == .cancelled)
      _ = try await play.end()
    }
  }

  @Test func `Only the broker can query the scene for a link, and nothing is delivered`()
    async throws
  {
    let behaviour = Behaviour(conditions: [
      SceneActivationConditions(canActivate: .none, prefersToActivate: .beginsWith("notes://note/7"))
    ])
    try await Stage.withStage { stage in
      let play = try await Play.begin(.scenes, .direct, on: stage, behaviour)
      try await play.untilItRuns()
      func explain(_ url: String, _ bus: BusConnection) async throws -> [String: Variant] {
        try await bus.call(
          Application1Interface.explain, at: play.bus.actors.object, Play.envelope(url).entries)
      }
      let scene = try #require(try await play.application.openSessions.first?.persistentIdentifier)
      let known = try await explain("notes://note/7?tab=edit", play.bus.broker)
      #expect(known["scene"] == .string(scene))
      #expect(
        known["steps"]?.strings == [
          "scene \(scene) (connected): prefers “notes://note/7…”",
          "scene \(scene) receives it: a scene that prefers it",
        ])
      let new = try await explain("notes://note/8", play.bus.broker)
      #expect(new["scene"] == nil)
      #expect(new["steps"]?.strings?.last == "a new scene receives it: no scene accepts it")
      let refused = await #expect(throws: BusError.self) { try await explain("notes://x", play.bus.stranger) }
      #expect(refused?.name == .accessDenied)
      #expect(try await play.end().contains { $0.hasPrefix("scene(_:openURL") } == false)
    }
  }
}
