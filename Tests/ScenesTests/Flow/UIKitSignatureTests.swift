// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Scenes
import ScenesTesting
import Testing

/// UIKit's signatures with the types of `Scenes`: a set, and completion handlers.
@MainActor private final class FormDelegate: ApplicationDelegate, SceneDelegate {
  var calls: [String] = []

  func application(
    _ application: Application, performActionFor item: ShortcutItem,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    calls.append("action \(item.type)")
    completionHandler(item.type == "new")
    completionHandler(false)
  }

  func application(
    _ application: Application, didReceiveRemoteNotification notification: UserNotification,
    fetchCompletionHandler: @escaping @Sendable (BackgroundFetchResult) -> Void
  ) {
    calls.append("push")
    // On another thread.
    Task.detached { fetchCompletionHandler(.newData) }
  }

  func scene(_ scene: Scene, openURLContexts contexts: Set<OpenURLContext>) {
    calls += contexts.map(\.urlString)
  }

  func windowScene(
    _ scene: Scene, performActionFor item: ShortcutItem, completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    calls.append("scene action \(item.type)")
    if item.type == "new" { completionHandler(true) }
  }

  func windowScene(_ scene: Scene, userDidAcceptCloudKitShareWith metadata: PropertyList) {
    calls.append("share")
  }
}

@Suite struct `UIKit's signatures` {
  private func request(_ reason: LaunchReason, _ payload: PropertyList = [:]) -> Envelope {
    var envelope = Envelope(requestID: RequestID.random(), urls: [])
    envelope.reason = reason
    envelope.payload = payload
    return envelope
  }

  /// A set of 512 contexts hashed the 4 MiB of their request 512 times.
  @Test func `take a set of contexts, each of which hashes the ID of its request and not all URLs`() {
    let requests = ["a:", "b:"].map { SceneRequest(Envelope(requestID: "1", urls: [$0])) }
    #expect(requests[0] != requests[1])
    #expect(requests[0].hashValue == requests[1].hashValue)
  }

  @Test func `of the application delegate are called, and their handlers answer once`() async throws {
    let delegate = FormDelegate()
    let app = TestApplication(delegate: delegate)
    #expect(try await app.deliver(.desktopAction("new")) == .handled)
    #expect(try await app.deliver(.desktopAction("old")) == .notHandled)
    #expect(try await app.deliver(request(.remoteNotification)) == .handled(["fetch-result": "new-data"]))
    #expect(await delegate.calls == ["action new", "action old", "push"])
  }

  @Test func `take a set that contains a URL as often as the caller names it`() async throws {
    let delegate = FormDelegate()
    let app = TestApplication(delegate: delegate, scenes: SceneConfiguration { delegate })
    #expect(try await app.open("notes://a", "notes://a") == .handled)
    #expect(await delegate.calls == ["notes://a", "notes://a"])
  }

  @Test func `of the scene delegate are called, cold and warm`() async throws {
    let delegate = FormDelegate()
    let app = TestApplication(delegate: delegate, scenes: SceneConfiguration { delegate })
    #expect(try await app.open("notes://a") == .handled)
    #expect(try await app.open("notes://b") == .handled)
    #expect(try await app.deliver(.desktopAction("new")) == .handled)
    // The handler is released without a call.
    #expect(try await app.deliver(.desktopAction("old")) == .notHandled)
    #expect(try await app.deliver(request(.cloudKitShare)) == .handled)
    #expect(
      await delegate.calls == ["notes://a", "notes://b", "scene action new", "scene action old", "share"])
  }
}

@Suite struct `Web links as activities` {
  @MainActor final class Recorder: ApplicationDelegate, SceneDelegate {
    var calls: [String] = []
    func application(_ application: Application, open url: URL, options: OpenURLOptions) -> Bool {
      calls.append("open \(url)")
      return true
    }
    func application(_ application: Application, continue activity: UserActivity) -> Bool {
      calls.append("\(activity.activityType) \(activity.webpageURL ?? "")")
      return true
    }
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
      calls += options.userActivities.map { "connect \($0.webpageURL ?? "")" }
      calls += options.urlContexts.map { "connect by URL \($0.urlString)" }
    }
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
      calls += contexts.map { "open \($0.urlString)" }
    }
    func scene(_ scene: Scene, continue activity: UserActivity) {
      calls.append("\(activity.activityType) \(activity.webpageURL ?? "")")
    }
  }

  private var activities: Dependencies {
    var dependencies = Dependencies()
    dependencies.webLinks = .userActivities
    return dependencies
  }

  private static let web = "https://example.org/a?token=1#b"

  @Test func `reach the application delegate, each alone`() async throws {
    let delegate = Recorder()
    let app = TestApplication(delegate: delegate, in: activities)
    #expect(try await app.open(Self.web, "notes://b") == .handled)
    #expect(try await app.open("HTTP://example.org/c") == .handled)
    #expect(
      await delegate.calls == [
        "NSUserActivityTypeBrowsingWeb \(Self.web)", "open notes://b",
        "NSUserActivityTypeBrowsingWeb HTTP://example.org/c",
      ])
  }

  @Test func `reach the scene, and its session keeps no query`() async throws {
    let delegate = Recorder()
    let app = TestApplication(delegate: delegate, scenes: SceneConfiguration { delegate }, in: activities)
    #expect(try await app.open(Self.web) == .handled)
    #expect(try await app.open(Self.web, "notes://b", "notes://c") == .handled)
    #expect(
      await delegate.calls == [
        "connect \(Self.web)", "NSUserActivityTypeBrowsingWeb \(Self.web)", "open notes://b",
        "open notes://c",
      ])
    #expect(app.session()?.stateRestorationActivity?.webpageURL?.contains("token") != true)
  }

  @Test func `are URLs by default`() async throws {
    let delegate = Recorder()
    let app = TestApplication(delegate: delegate, scenes: SceneConfiguration { delegate })
    #expect(try await app.open(Self.web) == .handled)
    #expect(await delegate.calls == ["connect by URL \(Self.web)"])
  }
}

@Suite struct `The configuration of a scene` {
  struct Delegate: ApplicationDelegate {
    func application(
      _ application: Application, configurationForConnecting session: SceneSession, options: ConnectionOptions
    ) -> SceneConfiguration { SceneConfiguration(name: "other") { Empty() } }
  }
  struct Empty: SceneDelegate {
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {}
  }

  @Test func `is chosen once for each new session`() async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var dependencies = Dependencies()
    dependencies.stateDirectory = directory
    func start() -> TestApplication {
      TestApplication(
        delegate: Delegate(), scenes: SceneConfiguration { Empty() }, in: dependencies)
    }
    func choices(_ app: TestApplication) -> Int {
      app.calls.count { if case .configurationForConnecting = $0 { true } else { false } }
    }
    let app = start()
    try await app.open("notes://a")
    try await app.disconnect()
    try await app.open("notes://a")
    #expect(choices(app) == 1)
    try await app.openScene()
    #expect(choices(app) == 2)
    try await app.quit()
    // A closure cannot be stored, so that the next process asks again, once.
    let next = start()
    try await next.launch()
    try await next.disconnect()
    try await next.open("notes://a")
    #expect(choices(next) == 1)
    try await next.quit()
  }
}
