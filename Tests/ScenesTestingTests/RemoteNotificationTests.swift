// SPDX-License-Identifier: Apache-2.0
import Foundation
import ScenesTesting
import Testing

@Suite struct `Remote notifications of an application without a bus` {
  /// Decides how alerts are shown, unless it has no such method.
  private struct Delegate: ApplicationDelegate {
    var presents = true
    var result = BackgroundFetchResult.newData

    func application(
      _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions?
    ) async -> Bool {
      _ = try? await application.notifications.requestAuthorization(options: .alert)
      return true
    }

    func application(
      _: Application, willPresent notification: UserNotification
    ) async throws -> NotificationPresentationOptions {
      guard presents else { throw NotImplemented() }
      return .banner
    }

    func application(
      _: Application, didReceiveRemoteNotification _: UserNotification
    ) async throws -> BackgroundFetchResult { result }

    func application(
      _: Application, handleActionWithIdentifier _: String, for _: UserNotification
    ) async throws {}
  }

  private let alert: PropertyList = ["aps": ["alert": "Milk"]]
  private let both: PropertyList = ["aps": ["alert": "Milk", "content-available": 1]]

  private func push(_ message: PropertyList, to app: TestApplication) async throws
    -> TestApplication.PushResult
  {
    try await app.push(message.dictionary ?? [:])
  }

  /// UIKit calls one method for each part; without the first, it calls the second once.
  @Test(arguments: [true, false])
  func `in the foreground reach one method for each part`(_ presents: Bool) async throws {
    let app = TestApplication(delegate: Delegate(presents: presents))
    try await app.launch()
    _ = app.takeCalls()
    let pushed = try await push(both, to: app)
    #expect(pushed.presentation == (presents ? .banner : [.banner, .list, .sound, .badge]))
    #expect(pushed.result == .handled(["fetch-result": "new-data"]))
    let offered: PropertyList = ["aps": ["alert": "Milk", "content-available": 0]]
    #expect(
      app.takeCalls() == [
        .willPresent(.notification(offered)), .didReceiveRemoteNotification(.notification(both)),
      ])
    let second = try await push(alert, to: app)
    #expect(second.result == nil)
    var calls = [RecordedCall.willPresent(.notification(alert))]
    if !presents { calls.append(.didReceiveRemoteNotification(.notification(alert))) }
    #expect(app.takeCalls() == calls)
  }

  @Test func `in the background reach the application only for the background, and when they are tapped`()
    async throws
  {
    let app = TestApplication(delegate: Delegate())
    try await app.launch()
    await app.move(to: .background)
    _ = app.takeCalls()
    let pushed = try await push(alert, to: app)
    #expect(pushed.presentation == [.banner, .list, .sound, .badge])
    #expect(app.takeCalls() == [])
    let delivered = try await app.application.notifications.deliveredNotifications()
    #expect(delivered.map(\.isRemote) == [true] && delivered.first?.identifier == pushed.identifier)
    _ = try await push(both, to: app)
    #expect(app.takeCalls() == [.didReceiveRemoteNotification(.notification(both))])
    try await app.respond(toNotification: try #require(pushed.identifier), action: "later")
    let tapped: PropertyList = ["aps": ["alert": "Milk"], "action-identifier": "later"]
    #expect(
      app.takeCalls() == [
        .applicationWillEnterForeground, .handleAction(.notification(tapped, action: "later")),
        .applicationDidBecomeActive,
      ])
  }

  @Test func `start the application only for the background`() async throws {
    let app = TestApplication(delegate: Delegate(result: .noData))
    // Without the user's permission, nothing is shown.
    #expect(try await push(alert, to: app) == TestApplication.PushResult())
    #expect(app.calls == [])
    let pushed = try await app.push(#"{"note":7}"#)
    #expect(pushed.result == .handled(["fetch-result": "no-data"]))
    let payload: PropertyList = ["note": 7]
    #expect(
      app.calls == [
        .willFinishLaunching(.notification(payload)), .didFinishLaunching(.notification(payload)),
        .didReceiveRemoteNotification(.notification(payload)),
      ])
    #expect(app.application.activationState == .background)
    let text = try await app.push("Build finished")
    #expect(text.identifier != nil && text.result == nil)
    let failing = TestApplication(delegate: Delegate(result: .failed))
    await #expect(throws: RequestFailure.failed("the content of the notification could not be fetched")) {
      try await failing.push("{}")
    }
  }

  @Test func `need a registration, which the delegate and a closure can make`() async throws {
    var dependencies = Dependencies()
    dependencies.registering = { key throws(SceneError) in
      guard let key else { throw .notRegistered("there is no push distributor") }
      return RemoteNotificationToken(
        endpoint: "https://push.example.org/\(key)", publicKey: [4], authenticationSecret: [2])
    }
    let app = TestApplication(delegate: Delegate(), in: dependencies)
    try await app.launch()
    _ = app.takeCalls()
    app.application.registerForRemoteNotifications()
    app.application.registerForRemoteNotifications(vapid: "key")
    await app.untilIdle()
    #expect(
      app.takeCalls() == [
        .didFailToRegisterForRemoteNotifications("there is no push distributor"),
        .didRegisterForRemoteNotifications("https://push.example.org/key"),
      ])
    await app.replaceRemoteNotificationToken(with: nil)
    #expect(
      app.takeCalls().map(\.description) == [
        """
        .didFailToRegisterForRemoteNotifications("the push distributor or the user has ended the registration; register \
        again when the user has enabled it")
        """
      ])
    #expect(!app.application.isRegisteredForRemoteNotifications)

    let plain = TestApplication(in: dependencies) { request, application in
      let token = try await application.notifications.registerForRemoteNotifications(vapid: "key")
      return .handled(.string(token.json))
    }
    #expect(
      try await plain.open("a:1")
        == .handled(
          #"{"endpoint":"https://push.example.org/key","keys":{"auth":"Ag","p256dh":"BA"}}"#))
    var changes = try await plain.application.notifications.remoteNotificationTokenChanges()
      .makeAsyncIterator()
    await plain.replaceRemoteNotificationToken(with: nil)
    #expect(await changes.next() == .some(nil))
  }
}
