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
}
