// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Scenes

@Suite struct `The store of sessions` {
  @Test func `makes its directory in a home directory that exists, and makes no home directory`() throws {
    let directory = try TemporaryDirectory()
    let home = "\(directory.path)/home"
    let store = SceneStore(of: "org.example.Notes", in: "\(home)/.local/state", home: home)
    let session = SceneSession("1", SceneSession.State())
    store.save(session)
    #expect(!FileManager.default.fileExists(atPath: home))
    try directory.makeDirectory("home")
    store.save(session)
    #expect(store.load().kept.count == 1)
  }

  /// One number in a file stopped the application at each start.
  @Test(arguments: [Int64.max, .min, -1])
  func `reads any number as an order of activation, and counts on`(number: Int64) async throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] {
      try directory.write(
        "{\"activated\":\(number),\"configuration\":\"Default\"}",
        to: "\(Stage.id)/scenes/\(name).json", permissions: 0o600)
    }
    let store = SceneStore(of: Stage.id, in: directory.path)
    let expected = number > 0 ? SceneStore.maximumActivation : 0
    #expect(store.load().kept.map(\.stored.activated) == [expected, expected])
    try await Stage.withStage { stage in
      let play = try await Play.begin(.scenes, .awaited, on: stage, stateDirectory: directory.path)
      try await play.deliver(Play.envelope("notes://note/7"))
      _ = try await play.end()
    }
    #expect(
      store.load().kept.map(\.stored.activated).max() == min(expected + 1, SceneStore.maximumActivation))
  }
}
