// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

@testable import Scenes

/// Tests of sessions, which outlive the process without storing secrets.
@Suite struct SceneSessionTests {
  private func run(
    in directory: TemporaryDirectory, _ behaviour: Behaviour = Behaviour(),
    _ body: @Sendable (Play) async throws -> Void
  ) async throws -> [String] {
    let lines = Log()
    try await Stage.withStage { stage in
      let play = try await Play.begin(
        .scenes, .awaited, on: stage, stateDirectory: directory.path, behaviour)
      try await body(play)
      for line in try await play.end() { lines.add(line) }
    }
    return await lines.finish()
  }

  private func files(_ directory: TemporaryDirectory) throws -> [String] {
    let scenes = "\(directory.path)/\(Stage.id)/scenes"
    return try FileManager.default.contentsOfDirectory(atPath: scenes).map { "\(scenes)/\($0)" }
  }

  @Test func `The next process reconnects the session with its restored state`() async throws {
    let directory = try TemporaryDirectory()
    _ = try await run(in: directory) { play in
      try await play.deliver(Play.envelope("notes://me@host/note/7?token=secret#part"))
    }
    let file = try #require(try files(directory).first)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    let stored = try String(contentsOfFile: file, encoding: .utf8)
    #expect(stored.contains("notes://host/note/7"))
    for secret in ["secret", "part", "me@"] { #expect(!stored.contains(secret)) }
    let second = try await run(in: directory) { play in
      try await play.deliver(Play.envelope("notes://note/8"))
    }
    #expect(
      second.contains {
        $0.hasPrefix("scene(_:willConnectTo") && $0.hasSuffix("restores notes://host/note/7")
      })
    #expect(try files(directory) == [file])
  }

  @Test func `The session that prefers the content is connected, though another one was active later`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let behaviour = Behaviour(
      conditions: [7, 8].map {
        SceneActivationConditions(prefersToActivate: .beginsWith("notes://note/\($0)"))
      })
    _ = try await run(in: directory, behaviour) { play in
      try await play.deliver(Play.envelope("notes://note/7"))
      try await play.application.requestSceneSessionActivation()
      try await play.transcript.until("sceneDidBecomeActive", times: 2)
      try await play.deliver(Play.envelope("notes://note/8"))
    }
    #expect(try files(directory).count == 2)
    let second = try await run(in: directory) { play in
      try await play.deliver(Play.envelope("notes://note/7"))
    }
    #expect(
      second.contains { $0.hasPrefix("scene(_:willConnectTo") && $0.hasSuffix("restores notes://note/7") })
  }

  @Test func `A destroyed session is removed, and the delegate is notified`() async throws {
    let directory = try TemporaryDirectory()
    let lines = try await run(in: directory) { play in
      try await play.deliver(Play.envelope("notes://note/7"))
      let application = try await play.application
      let session = try #require(application.openSessions.first)
      application.requestSceneSessionDestruction(session)
      try await play.transcript.until("application(_:didDiscardSceneSessions:)")
      #expect(application.openSessions.isEmpty)
      let log = Log()
      application.requestSceneSessionActivation(session) { log.add("\($0)") }
      #expect(try await log.next().contains("may have been destroyed"))
    }
    #expect(lines.contains { $0.hasPrefix("sceneDidDisconnect") })
    #expect(try files(directory).isEmpty)
  }

  @Test func `Changes between requests are stored on demand`() async throws {
    let directory = try TemporaryDirectory()
    _ = try await run(in: directory) { play in
      try await play.deliver(Play.envelope("notes://note/7"))
      let scene = try #require(try await play.application.connectedScenes.first)
      scene.activationConditions.prefersToActivateForTargetContentIdentifier = .equals("notes://note/9")
      scene.application.requestSceneSessionRefresh(scene.session)
      // A later request is handled after it, and writes no file itself.
      let log = Log()
      scene.application.requestSceneSessionActivation(SceneSession("none")) { log.add("\($0)") }
      _ = try await log.next()
      let stored = try String(contentsOfFile: try #require(try files(directory).first), encoding: .utf8)
      #expect(stored.contains("notes://note/9"))
    }
  }

  @Test func `Other files, and symbolic links, are not changed`() async throws {
    let directory = try TemporaryDirectory()
    let scenes = "\(Stage.id)/scenes"
    try directory.write("{", to: "\(scenes)/broken.json")
    try directory.write("{\"activated\":1}", to: "elsewhere.json")
    try FileManager.default.createSymbolicLink(
      atPath: "\(directory.path)/\(scenes)/link.json", withDestinationPath: "\(directory.path)/elsewhere.json"
    )
    let (kept, dropped) = SceneStore(of: Stage.id, in: directory.path).load()
    #expect(kept.isEmpty && dropped.isEmpty)
    #expect(try files(directory).count == 2)
  }

  @Test func `Beyond the limit, the least recently active sessions are deleted`() throws {
    let directory = try TemporaryDirectory()
    let store = SceneStore(of: Stage.id, in: directory.path)
    for number in 0..<(SceneStore.capacity + 2) {
      store.save(SceneSession("s\(number)", SceneSession.State(activated: Int64(number))))
    }
    let (kept, dropped) = store.load()
    #expect(kept.count == SceneStore.capacity)
    #expect(kept.first?.persistentIdentifier == "s\(SceneStore.capacity + 1)")
    #expect(Set(dropped.map(\.persistentIdentifier)) == ["s0", "s1"])
  }

  @Test func `A state that is too large leaves the session itself whole`() throws {
    let directory = try TemporaryDirectory()
    let store = SceneStore(of: Stage.id, in: directory.path)
    let session = SceneSession("large", SceneSession.State(activated: 7))
    session.userInfo = ["text": .string(String(repeating: "x", count: 100_000))]
    store.save(session)
    let found = try #require(store.load().kept.first)
    #expect(found.stored.activated == 7)
    #expect(found.userInfo.isEmpty)
  }

  @Test func `Where nothing can be written sessions live as long as the process`() async throws {
    let lines = Log()
    try await Stage.withStage { stage in
      let play = try await Play.begin(.scenes, .awaited, on: stage, stateDirectory: "/proc/none")
      try await play.deliver(Play.envelope("notes://note/7"))
      for line in try await play.end() { lines.add(line) }
    }
    #expect(await lines.finish().contains("-> handled"))
  }
}
