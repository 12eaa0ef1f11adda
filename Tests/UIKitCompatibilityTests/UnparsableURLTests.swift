// SPDX-License-Identifier: Apache-2.0
import Scenes
import ScenesTesting
import Testing
import UIKitCompatibility

/// A scene that records the calls that it receives, in order.
private class RecordingScene: UIResponder, UIWindowSceneDelegate {
  var events: [String] = []

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    let content =
      names(connectionOptions.urlContexts)
      + connectionOptions.userActivities.map { $0.webpageURL?.absoluteString ?? "nil" }
    events.append("connect \(content)")
  }
  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
    events.append("open \(names(URLContexts))")
  }
  func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    events.append("continue \(userActivity.webpageURL?.absoluteString ?? "nil")")
  }
  func sceneWillEnterForeground(_ scene: UIScene) { events.append("foreground") }

  private func names(_ contexts: Set<UIOpenURLContext>) -> [String] {
    contexts.map(\.url.absoluteString).sorted()
  }
}

/// An application that chooses the configuration of its scenes.
private class ChoosingDelegate: UIResponder, UIApplicationDelegate {
  var continued = 0
  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    UISceneConfiguration(name: "Chosen", sessionRole: connectingSceneSession.role)
  }
  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    continued += 1
    return true
  }
}

extension `UIKit compatibility` {
  @Suite(.serialized) @MainActor struct `A URL that Foundation cannot parse` {
    private static let failure = RequestFailure.failed(SceneError.unparsableURL.description)

    @Test func `connects a scene all the same`() async throws {
      let scene = RecordingScene()
      let app = TestApplication(delegate: ChoosingDelegate(), scenes: SceneConfiguration { scene })
      await #expect(throws: Self.failure) { try await app.open("notes://[bad") }
      #expect(scene.events == ["connect []", "foreground"])
      #expect(app.session()?.configurationName == "Chosen")
      #expect(try await app.open("notes://a") == .handled)
      #expect(scene.events.last == "open [\"notes://a\"]")
    }

    @Test func `does not keep the other URLs of its request from the scene, and fails`() async throws {
      let scene = RecordingScene()
      let app = TestApplication(delegate: ChoosingDelegate(), scenes: SceneConfiguration { scene })
      await #expect(throws: Self.failure) {
        try await app.open("notes://a", "notes://[bad", targetContentID: "a")
      }
      #expect(scene.events == ["connect [\"notes://a\"]", "foreground"])
      await #expect(throws: Self.failure) { try await app.open("notes://b", "notes://[bad") }
      #expect(scene.events.last == "open [\"notes://b\"]")
      await #expect(throws: Self.failure) { try await app.open("notes://[bad") }
      #expect(scene.events.count == 3)
    }

    @Test func `is no universal link`() async throws {
      var dependencies = Dependencies()
      dependencies.webLinks = .userActivities
      let scene = RecordingScene()
      let app = TestApplication(
        delegate: ChoosingDelegate(), scenes: SceneConfiguration { scene }, in: dependencies)
      await #expect(throws: Self.failure) { try await app.open("https://[bad") }
      await #expect(throws: Self.failure) { try await app.open("https://[bad") }
      #expect(scene.events == ["connect []", "foreground"])
      #expect(try await app.open("https://example.com/1") == .handled)
      #expect(scene.events.last == "continue https://example.com/1")
      let delegate = ChoosingDelegate()
      let withoutScenes = TestApplication(delegate: delegate, in: dependencies)
      await #expect(throws: Self.failure) { try await withoutScenes.open("https://[bad") }
      #expect(delegate.continued == 0)
    }
  }
}
