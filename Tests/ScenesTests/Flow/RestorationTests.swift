// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes
import ScenesTesting
import TestSupport
import Testing

/// Tests of the activity with which a session is restored.
@Suite struct RestorationTests {
  /// A scene that shows a document until it receives `notes://close`.
  private actor Window: SceneDelegate {
    private var document: String?
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
      guard let url = contexts.last?.urlString else { return }
      document = url == "notes://close" ? nil : url
    }
    func scene(_ scene: Scene, performActionFor item: ShortcutItem) -> Bool {
      document = nil
      return true
    }
    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
      document.map { UserActivity(activityType: "org.example.editing", targetContentIdentifier: $0) }
    }
  }

  private actor Delegate: ApplicationDelegate {}

  /// Creates an application with its state in `directory`, which must exist until it has quit: its store would create it again.
  private func application(in directory: TemporaryDirectory) -> TestApplication {
    var dependencies = Dependencies()
    dependencies.stateDirectory = directory.path
    return TestApplication(delegate: Delegate(), scenes: SceneConfiguration { Window() }, in: dependencies)
  }

  @Test func `A document that the user has closed is not restored`() async throws {
    let directory = try TemporaryDirectory()
    let app = application(in: directory)
    try await app.open("notes://7")
    #expect(app.session()?.stateRestorationActivity?.targetContentIdentifier == "notes://7")
    try await app.deliver(.desktopAction("close"))
    #expect(app.session()?.stateRestorationActivity == nil)
    try await app.quit()
    let next = application(in: directory)
    try await next.launch()
    #expect(next.session() != nil)
    #expect(next.session()?.stateRestorationActivity == nil)
    try await next.quit()
    withExtendedLifetime(directory) {}
  }

  @Test func `A document that the user closes in the next process is not restored after that`() async throws {
    let directory = try TemporaryDirectory()
    let first = application(in: directory)
    try await first.open("notes://7")
    try await first.quit()
    // The scene of this process restores nothing.
    let second = application(in: directory)
    try await second.launch()
    try await second.quit()
    let third = application(in: directory)
    try await third.launch()
    #expect(third.session()?.stateRestorationActivity == nil)
    try await third.quit()
    withExtendedLifetime(directory) {}
  }

  @Test func `After that, the last URL is restored again`() async throws {
    let directory = try TemporaryDirectory()
    let app = application(in: directory)
    try await app.open("notes://7")
    try await app.open("notes://close")
    #expect(app.session()?.stateRestorationActivity?.webpageURL == "notes://close")
    try await app.disconnect()
    #expect(app.session()?.stateRestorationActivity?.webpageURL == "notes://close")
    try await app.quit()
    withExtendedLifetime(directory) {}
  }
}
