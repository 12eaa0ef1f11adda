// SPDX-License-Identifier: Apache-2.0
import ScenesTesting
import TestSupport
import Testing

@Suite struct `An application without a bus` {
  /// A delegate with configurable answers.
  private struct Delegate: ApplicationDelegate {
    var didFinish = true
    func application(_: Application, didFinishLaunchingWithOptions _: LaunchOptions?) async -> Bool {
      didFinish
    }
    func application(_: Application, open context: OpenURLContext) async throws -> SceneResult { .handled }
    func application(_: Application, didReceiveRemoteNotification _: UserNotification) async throws
      -> BackgroundFetchResult
    { .newData }
  }

  private struct Window: SceneDelegate {
    func scene(_: Scene, openURLContexts _: [OpenURLContext]) async throws {}
  }

  private func scenes(_ dependencies: Dependencies = Dependencies()) -> TestApplication {
    TestApplication(delegate: Delegate(), scenes: SceneConfiguration { Window() }, in: dependencies)
  }

  @Test func `It is started by a person once`() async throws {
    let app = TestApplication(delegate: Delegate())
    try await app.launch()
    try await app.launch()
    #expect(
      app.calls == [.willFinishLaunching(nil), .didFinishLaunching(nil), .applicationDidBecomeActive])
  }

  @Test func `Arguments start it without a source application`() async throws {
    let app = TestApplication(delegate: Delegate())
    try await app.launch(arguments: ["notes://note/1", "notes://note/2"])
    #expect(
      app.calls == [
        .willFinishLaunching(.urls(["notes://note/1", "notes://note/2"])),
        .didFinishLaunching(.urls(["notes://note/1", "notes://note/2"])),
        .open("notes://note/1"), .open("notes://note/2"), .applicationDidBecomeActive,
      ])
  }

  @Test func `Cold and warm are distinguished, and the source follows the policy`() async throws {
    let app = TestApplication { request in
      .handled([
        "delivery": .string(request.delivery.rawValue), "reason": .string(request.reason.rawValue),
      ])
    }
    #expect(try await app.open("a:") == .handled(["delivery": "launch", "reason": "url"]))
    #expect(try await app.deliver(.activate) == .handled(["delivery": "running", "reason": "activate"]))

    let warm = TestApplication(delegate: Delegate())
    try await warm.open("a:1", from: "org.example.Mail", assurance: .claimed)
    try await warm.open("a:2", from: "org.example.Mail")
    #expect(
      warm.calls.compactMap(\.content).suffix(2) == ["a:1", .url("a:2", from: "org.example.Mail")])
    var dependencies = Dependencies()
    dependencies.sourceApplicationPolicy = .all
    let trusting = TestApplication(delegate: Delegate(), in: dependencies)
    try await trusting.open("a:1", from: "org.example.Mail", assurance: .claimed)
    #expect(trusting.calls.contains(.open(.url("a:1", from: "org.example.Mail"))))
  }

  @Test func `A launch that returns false does not prevent a notification`() async throws {
    let app = TestApplication(delegate: Delegate(didFinish: false))
    #expect(try await app.open("notes://note/7") == .notHandled)
    #expect(!app.calls.contains(.open("notes://note/7")))

    let other = TestApplication(delegate: Delegate(didFinish: false))
    let result = try await other.deliver(.remoteNotification(["aps": ["alert": "News"]]))
    #expect(result == .handled(["fetch-result": "new-data"]))
    #expect(other.calls.contains(.didReceiveRemoteNotification(.notification(["aps": ["alert": "News"]]))))
  }

  @Test func `Several scenes have numbers`() async throws {
    let app = scenes()
    try await app.openScene()
    #expect(app.scene(1) != nil && app.scene(2) != nil && app.scene(3) == nil)
    #expect(await app.explain(.urls(["notes://x"])).scene == 2)
    try await app.destroy(scene: 2)
    #expect(app.calls.suffix(4).last == .didDiscardSceneSessions([2]))
    #expect(app.session(2) == nil)
    await #expect(throws: SceneError.self) { try await app.disconnect(scene: 2) }
    await #expect(throws: SceneError.self) { try await app.move(scene: 7, to: .background) }
    try await app.disconnect()
    #expect(app.scene() == nil && app.session() != nil)
    #expect(await app.explain(.urls(["notes://x"])).scene == 1)
  }

  @Test func `Requests to its own scenes are handled in turn`() async throws {
    let app = scenes()
    try await app.launch()
    app.application.requestSceneSessionActivation(userActivity: UserActivity(activityType: "edit"))
    try await app.open("notes://x")
    await app.untilIdle()
    #expect(app.calls.contains(.sceneWillConnect(2, .userActivity("edit"))))
  }

  @Test func `Sessions are found again by the next process`() async throws {
    let directory = try TemporaryDirectory()
    var dependencies = Dependencies()
    dependencies.stateDirectory = directory.path
    let first = scenes(dependencies)
    try await first.open("notes://note/7")
    try await first.quit()
    #expect(first.calls.suffix(2) == [.sceneDidDisconnect(1), .applicationWillTerminate])
    let second = scenes(dependencies)
    try await second.launch()
    #expect(second.session()?.stateRestorationActivity?.webpageURL == "notes://note/7")
    try await second.quit()
    withExtendedLifetime(directory) {}
  }

  @Test func `A failed start reports its error`() async throws {
    struct Locked: Error, CustomStringConvertible { let description = "the database is locked" }
    func app() -> TestApplication { TestApplication(preparing: { throw Locked() }) { _ in .handled } }
    let failure = await #expect(throws: SceneError.self) { try await app().launch() }
    #expect(failure?.description == "the preparation of the application failed: the database is locked")
    let refused = await #expect(throws: RequestFailure.self) { try await app().open("a:") }
    #expect(refused == .failed("the preparation of the application failed: the database is locked"))
  }

  @Test func `An ended application rejects requests, and does not start again`() async throws {
    let app = scenes()
    try await app.quit()
    try await app.launch()
    try await app.openScene()
    await #expect(throws: RequestFailure.failed("the application has ended")) { try await app.open("a:") }
    #expect(app.calls.isEmpty)
  }

  @Test func `A task that is cancelled withdraws its request`() async throws {
    let log = Log()
    let app = TestApplication { _ in
      log.add("begun")
      try await Task.sleep(for: .seconds(600))
      return .handled
    }
    let caller = Task { try await app.open("notes://long") }
    #expect(try await log.next() == "begun")
    caller.cancel()
    await #expect(throws: RequestFailure.cancelled) { try await caller.value }
  }

  @Test func `The same request is handled once`() async throws {
    let app = TestApplication { _ in .handled }
    let envelope = Envelope.urls(["notes://note/7"])
    let one = await app.send(envelope)
    let other = await app.send(envelope)
    #expect(try await one.result == other.result)
    #expect(app.calls.count == 1)
  }

  @Test func `URLs that it opens are recorded and answered`() async throws {
    var dependencies = Dependencies()
    dependencies.canOpen = { $0.hasPrefix("maps:") }
    let app = TestApplication(delegate: Delegate(), in: dependencies)
    var options = OpenExternalURLOptions()
    options.wait = .handled
    let receipt = try await app.application.open("maps:berlin", options: options)
    #expect(receipt.outcome == .handled)
    #expect(app.opened.first?.urls == ["maps:berlin"])
    #expect(app.opened.first?.options.sourceApplication == "org.example.Application")
    #expect(try await app.application.canOpen(scheme: "maps"))
    #expect(try await !app.application.canOpen(scheme: "news"))
  }

  @Test func `Every kind of request arrives with its kind`() async throws {
    struct Everything: SceneDelegate {
      func scene(_: Scene, continue _: UserActivity) async throws {}
      func scene(_: Scene, performActionFor _: ShortcutItem) async throws -> Bool { true }
      func scene(_: Scene, didReceive _: NotificationResponse) async throws {}
    }
    let app = TestApplication(delegate: Delegate(), scenes: SceneConfiguration { Everything() })
    try await app.launch()
    _ = app.takeCalls()
    try await app.deliver(.shortcutItem("new"))
    try await app.deliver(.desktopAction("search", parameter: "milk"))
    try await app.deliver(.handoff("edit"))
    try await app.deliver(.userActivity(UserActivity(activityType: "edit")))
    try await app.deliver(.handoff("read", failed: "gone"))
    try await app.deliver(.localNotification(["alert": "Time"], action: "snooze"))
    try await app.deliver(.reason(.location, ["latitude": 52.5]))
    #expect(
      app.calls == [
        .scenePerformAction(1, "new"), .scenePerformAction(1, "search"),
        .sceneWillContinueUserActivity(1, "edit"), .sceneContinueUserActivity(1, "edit"),
        .sceneDidFailToContinueUserActivity(1, "read"),
        .sceneDidReceiveNotificationResponse(
          1, .notification(["alert": "Time", "action-identifier": "snooze"], action: "snooze")),
        .didReceiveRequest(.other(.location, ["latitude": 52.5])),
      ])
  }

  @Test func `Calls are described as a test writes them`() {
    let calls: [RecordedCall] = [
      .applicationDidBecomeActive, .willFinishLaunching(nil), .sceneDidBecomeActive(2),
      .sceneOpenURLContexts(1, .url("a:1", from: "org.example.Mail", annotation: ["page": 3])),
      .open(.urls(["a:1", "a:2"])), .continueUserActivity("edit"),
    ]
    #expect(
      calls.map(\.description) == [
        ".applicationDidBecomeActive", ".willFinishLaunching(nil)", ".sceneDidBecomeActive(2)",
        #".sceneOpenURLContexts(1, .url("a:1", from: "org.example.Mail", annotation: {"page":3}))"#,
        #".open(.urls(["a:1", "a:2"]))"#, #".continueUserActivity("edit")"#,
      ])
  }
}
