// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import ScenesTesting
import TestSupport
import Testing

@testable import Scenes

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

  @Test(arguments: [
    ("https://ada:secret@h.example/a?token=1#x", "https://h.example/a"),
    ("https://ada@h.example", "https://h.example"), ("webcal:ada:secret@h.example/a", "webcal:h.example/a"),
    ("feed://https://ada:secret@h.example/rss", "feed://https://h.example/rss"),
    ("feed:https://ada:secret@h.example/rss", "feed:https://h.example/rss"),
    ("https://a.example/web/https://ada:s@cret@h.example/", "https://a.example/web/https://h.example/"),
    ("https://ada:secret@\u{301}h.example/", "https://\u{301}h.example/"),
    // These have no user information.
    ("mailto:ada@h.example", "mailto:ada@h.example"), ("https://h.example/a:1@2", "https://h.example/a:1@2"),
    ("https://h.example//@ada", "https://h.example//@ada"), ("file:///a@b/c:d@e", "file:///a@b/c:d@e"),
    ("a@b:c", "a@b:c"), ("", ""),
  ])
  func `A URL is stored without user information, query and fragment`(url: String, stored: String) {
    let activity = UserActivity(browsing: url)
    #expect(activity.webpageURL?.unicodeScalars.elementsEqual(stored.unicodeScalars) == true)
  }
}
