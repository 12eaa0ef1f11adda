// SPDX-License-Identifier: Apache-2.0
import Foundation
import ScenesTesting
import Testing

@Suite struct `Notifications of an application without a bus` {
  /// Schedules a reminder for each link, and decides how it is shown.
  private struct Delegate: ApplicationDelegate {
    var presentation: NotificationPresentationOptions? = [.list, .badge]

    func application(_ application: Application, open context: OpenURLContext) async throws -> SceneResult {
      let center = application.notifications
      guard try await center.requestAuthorization(options: [.alert, .badge]) else { return .notHandled }
      try await center.add(
        NotificationRequest(
          identifier: context.urlString,
          content: NotificationContent(
            title: "Milk", badge: 3, userInfo: ["note": 7], targetContentID: "note-7"),
          trigger: .after(.seconds(60), repeats: context.urlString.hasSuffix("daily"))))
      return .handled
    }

    func application(
      _: Application, willPresent _: UserNotification
    ) async throws -> NotificationPresentationOptions {
      guard let presentation else { throw CancellationError() }
      return presentation
    }

    func application(_: Application, didReceive _: UserNotification) async throws {}
    func application(_: Application, handleActionWithIdentifier _: String, for _: UserNotification)
      async throws
    {
    }
  }

  private let date = Date(timeIntervalSince1970: 1_000)

  @Test func `are scheduled, shown as the delegate decides, and delivered when the user acts`() async throws {
    let app = TestApplication(delegate: Delegate())
    try await app.open("a:1")
    #expect(app.scheduledNotifications.map(\.identifier) == ["a:1"])
    #expect(app.scheduledNotifications.first?.trigger == .interval(60_000, repeats: false))
    _ = app.takeCalls()

    #expect(try await app.showNotification("a:1", date: date) == [.list, .badge])
    #expect(app.scheduledNotifications.isEmpty)
    #expect(app.badgeCount == 3)
    let center = app.application.notifications
    let delivered = try await center.deliveredNotifications()
    #expect(delivered.map(\.identifier) == ["a:1"])
    #expect(delivered.first?.date == date)
    #expect(delivered.first?.userInfo == ["note": 7])
    try await app.respond(toNotification: "a:1")
    #expect(try await center.deliveredNotifications().isEmpty)
    let calls = app.takeCalls()
    guard case .willPresent(.notification(let offered, action: nil)) = calls.first,
      case .didReceiveLocalNotification(.notification(let tapped, action: nil)) = calls.last
    else {
      Issue.record("\(calls)")
      return
    }
    #expect(offered["action-identifier"] == nil)
    #expect(tapped["action-identifier"] == "default")
    #expect(tapped["date"] == 1_000_000)
  }

  @Test func `start the application when the user acts, and only then`() async throws {
    let app = TestApplication(delegate: Delegate())
    let center = app.application.notifications
    _ = try await center.requestAuthorization(options: .alert)
    try await center.add(NotificationRequest(identifier: "n", content: NotificationContent(title: "Milk")))
    #expect(try await app.showNotification("n") == [.banner, .list, .sound, .badge])
    #expect(app.calls.isEmpty)
    try await app.respond(toNotification: "n", action: "later", text: "an hour")
    guard
      case .handleAction(.notification(let payload, action: "later")) = app.calls.first(where: {
        if case .handleAction = $0 { true } else { false }
      })
    else {
      Issue.record("\(app.calls)")
      return
    }
    #expect(payload["user-text"] == "an hour")
    await #expect(throws: RequestFailure.failed("no notification “n” is shown")) {
      try await app.respond(toNotification: "n")
    }
    await #expect(throws: RequestFailure.failed("no notification “n” is scheduled")) {
      try await app.showNotification("n")
    }
  }

  @Test func `that repeat remain scheduled, and one is shown although the delegate fails`() async throws {
    let app = TestApplication(delegate: Delegate(presentation: nil))
    try await app.open("a:daily")
    for _ in 1...2 {
      #expect(try await app.showNotification("a:daily") == [.banner, .list, .sound, .badge])
    }
    #expect(app.scheduledNotifications.count == 1)
    #expect(try await app.application.notifications.deliveredNotifications().count == 1)
  }

  @Test func `need the user's permission and values that are allowed`() async throws {
    var dependencies = Dependencies()
    dependencies.allowsNotifications = false
    let app = TestApplication(delegate: Delegate(), in: dependencies)
    let center = app.application.notifications
    #expect(try await center.notificationSettings().authorizationStatus == .notDetermined)
    #expect(try await app.open("a:1") == .notHandled)
    #expect(try await center.notificationSettings().authorizationStatus == .denied)
    let request = NotificationRequest(identifier: "n", content: NotificationContent(title: "Milk"))
    let refused = await #expect(throws: SceneError.self) { try await center.add(request) }
    #expect(refused?.brokerError == .denied)

    let allowed = TestApplication(delegate: Delegate()).application.notifications
    _ = try await allowed.requestAuthorization(options: [.alert, .sound])
    let settings = try await allowed.notificationSettings()
    #expect(settings.authorizationStatus == .authorized)
    #expect((settings.alertSetting, settings.badgeSetting) == (.enabled, .disabled))
    let empty = NotificationRequest(identifier: "n", content: NotificationContent(subtitle: "no title"))
    let invalid = await #expect(throws: SceneError.self) { try await allowed.add(empty) }
    #expect("\(try #require(invalid))".contains("content.title"))
    let brief = NotificationRequest(
      identifier: "n", content: NotificationContent(title: "Milk"),
      trigger: .after(.seconds(59), repeats: true))
    await #expect(throws: SceneError.self) { try await allowed.add(brief) }
  }

  @Test func `are removed by identifier or all at once`() async throws {
    let center = TestApplication(delegate: Delegate()).application.notifications
    _ = try await center.requestAuthorization()
    for name in ["a", "b", "c"] {
      try await center.add(NotificationRequest(identifier: name, content: NotificationContent(title: name)))
    }
    try await center.removePendingNotificationRequests(withIdentifiers: ["b", "x"])
    #expect(try await center.pendingNotificationRequests().map(\.identifier) == ["a", "c"])
    try await center.removeAllPendingNotificationRequests()
    #expect(try await center.pendingNotificationRequests().isEmpty)
    try await center.setNotificationCategories([
      NotificationCategory(identifier: "z"), NotificationCategory(identifier: "a"),
    ])
    #expect(try await center.notificationCategories().map(\.identifier) == ["a", "z"])
  }

  @Test func `have triggers of durations and dates`() {
    #expect(NotificationTrigger.after(.milliseconds(1_500)) == .interval(1_500, repeats: false))
    #expect(NotificationTrigger.after(.nanoseconds(1)) == .interval(1, repeats: false))
    #expect(NotificationTrigger.after(.seconds(Int64.max)) == .interval(.max, repeats: false))
    #expect(NotificationTrigger.at(date) == .date(WallTime(milliseconds: 1_000_000)))
    #expect(
      NotificationTrigger.at(.distantFuture.addingTimeInterval(1e300)) == .date(WallTime(milliseconds: .max)))
    #expect(
      NotificationTrigger.matching(CalendarComponents(hour: 18), timeZone: "Europe/Berlin", repeats: true)
        == .calendar(CalendarComponents(hour: 18), zone: "Europe/Berlin", repeats: true))
  }
}
