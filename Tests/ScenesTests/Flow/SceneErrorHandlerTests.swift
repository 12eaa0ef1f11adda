// SPDX-License-Identifier: Apache-2.0
import ScenesTesting
import TestSupport
import Testing

@Suite struct `The error handler of a request for a scene` {
  private struct Unreadable: Error, Hashable { let type: String }

  private struct Delegate: ApplicationDelegate {}

  private struct Window: SceneDelegate {
    func scene(_: Scene, continue activity: UserActivity) async throws {
      throw Unreadable(type: activity.activityType)
    }
  }

  /// Returns the error that the handler of a request receives.
  private func error(
    of request: (@escaping @Sendable (any Error) -> Void) -> Void
  ) async throws -> any Error {
    let (errors, continuation) = AsyncStream<any Error>.makeStream()
    request { continuation.yield($0) }
    let error = try await withDeadline(Command.defaultDeadline, "the error") {
      await errors.first { _ in true }
    }
    return try #require(error)
  }

  private func windows() -> TestApplication {
    TestApplication(delegate: Delegate(), scenes: SceneConfiguration { Window() })
  }

  /// It received another error with the same text.
  @Test func `receives the error that the delegate throws`() async throws {
    let app = windows()
    try await app.launch()
    let session = try #require(app.session())
    let error = try await error { handler in
      app.application.requestSceneSessionActivation(
        session, userActivity: UserActivity(activityType: "edit"), errorHandler: handler)
    }
    #expect(error as? Unreadable == Unreadable(type: "edit"))
  }

  @Test func `receives an error about a session that does not exist`() async throws {
    let app = windows()
    try await app.launch()
    let session = try #require(app.session())
    try await app.destroy()
    let activation = try await error { handler in
      app.application.requestSceneSessionActivation(session, errorHandler: handler)
    }
    let destruction = try await error { handler in
      app.application.requestSceneSessionDestruction(session, errorHandler: handler)
    }
    for error in [activation, destruction] {
      guard case SceneError.noSuchScene(session.persistentIdentifier) = error else {
        Issue.record(error)
        continue
      }
    }
  }

  /// It was not called.
  @Test func `receives an error if the application has no scenes`() async throws {
    for app in [TestApplication(delegate: Delegate()), TestApplication { _ in .handled }] {
      try await app.launch()
      let error = try await error { handler in
        app.application.requestSceneSessionActivation(errorHandler: handler)
      }
      #expect("\(error)".contains("\(app.application.id) has no scenes"))
    }
  }
}
