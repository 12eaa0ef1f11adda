// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes
import ScenesTesting
import Testing

/// Tests of requests with several URLs, one of which fails.
@Suite struct SeveralURLsTests {
  private struct NoSuchNote: Error, CustomStringConvertible {
    let url: String
    var description: String { "\(url) does not exist" }
  }

  private actor Delegate: ApplicationDelegate {
    func application(_ application: Application, open context: OpenURLContext) throws -> SceneResult {
      guard !context.urlString.contains("missing") else { throw NoSuchNote(url: context.urlString) }
      return .handled
    }
    func application(_ application: Application, continue activity: UserActivity) throws -> Bool {
      throw NoSuchNote(url: activity.webpageURL ?? "")
    }
  }

  private actor Window: SceneDelegate {
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) throws {
      for context in contexts where context.urlString.contains("missing") {
        throw NoSuchNote(url: context.urlString)
      }
    }
  }

  @Test func `Without scenes, the URLs after an error are opened, and the first error is thrown`()
    async throws
  {
    let app = TestApplication(delegate: Delegate())
    await #expect(throws: RequestFailure.failed("notes://missing/1 does not exist")) {
      try await app.open("notes://1", "notes://missing/1", "notes://2", "notes://missing/2", "notes://3")
    }
    #expect(
      app.calls.filter { if case .open = $0 { true } else { false } } == [
        .open("notes://1"), .open("notes://missing/1"), .open("notes://2"), .open("notes://missing/2"),
        .open("notes://3"),
      ])
  }

  @Test func `No web link is opened if a launching method returns false`() async throws {
    actor Refusing: ApplicationDelegate {
      func application(_: Application, didFinishLaunchingWithOptions _: LaunchOptions?) -> Bool { false }
      func application(_: Application, continue _: UserActivity) -> Bool { true }
    }
    var dependencies = Dependencies()
    dependencies.webLinks = .userActivities
    let app = TestApplication(delegate: Refusing(), in: dependencies)
    let result = try await app.open("https://example.com/1", "https://example.com/2")
    #expect(!result.isHandled)
    #expect(!app.calls.contains(.continueUserActivity(UserActivity.browsingWeb)))
  }

  @Test func `A web link that fails does not drop the URLs behind it`() async throws {
    var dependencies = Dependencies()
    dependencies.webLinks = .userActivities
    let app = TestApplication(delegate: Delegate(), in: dependencies)
    await #expect(throws: RequestFailure.failed("https://example.com/1 does not exist")) {
      try await app.open("https://example.com/1", "notes://2")
    }
    #expect(app.calls.contains(.open("notes://2")))
  }

  @Test func `A scene that fails does not keep the URLs of other scenes from them`() async throws {
    let app = TestApplication(delegate: Delegate(), scenes: SceneConfiguration { Window() })
    try await app.openScene()
    for number in 1...2 {
      let scene = try #require(app.scene(number))
      scene.activationConditions = SceneActivationConditions(
        prefersToActivate: .beginsWith(number == 1 ? "notes://missing" : "notes://2"))
    }
    await #expect(throws: RequestFailure.failed("notes://missing/1 does not exist")) {
      try await app.open("notes://missing/1", "notes://2")
    }
    #expect(app.calls.contains(.sceneOpenURLContexts(2, "notes://2")))
  }
}
