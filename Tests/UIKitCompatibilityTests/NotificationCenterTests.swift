// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scenes
import ScenesTesting
import Testing

@testable import UIKitCompatibility

/// A delegate that schedules a reminder at the launch, with the code of an application for UIKit.
private class ReminderDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
  var presented: [String] = []
  var responses: [String] = []
  var options: UNNotificationPresentationOptions = [.alert, .sound]

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = self
    return true
  }

  func schedule() async throws {
    let center = UNUserNotificationCenter.current()
    guard try await center.requestAuthorization(options: [.alert, .sound]) else { return }
    center.setNotificationCategories([
      UNNotificationCategory(
        identifier: "reminder",
        actions: [
          UNNotificationAction(identifier: "show", title: "Show", options: [.foreground]),
          UNTextInputNotificationAction(
            identifier: "reply", title: "Reply", textInputButtonTitle: "Send", textInputPlaceholder: "Text"),
        ],
        intentIdentifiers: [], options: [.customDismissAction])
    ])
    let content = UNMutableNotificationContent()
    content.title = "Milk"
    content.body = "Two litres"
    content.badge = 3
    content.sound = .default
    content.userInfo = ["note": 7, "tags": ["shop"]]
    content.categoryIdentifier = "reminder"
    try await center.add(
      UNNotificationRequest(
        identifier: "milk", content: content,
        trigger: UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 18), repeats: true)))
    // A later change of the content has no effect.
    content.title = "Tea"
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    presented.append(notification.request.content.title)
    completionHandler(options)
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let text = (response as? UNTextInputNotificationResponse)?.userText ?? "-"
    let content = response.notification.request.content
    responses.append(
      "\(response.actionIdentifier) \(text) \(response.notification.request.identifier) \(content.userInfo["note"] ?? "-")"
    )
    completionHandler()
  }
}

extension `UIKit compatibility` {
  @Suite(.serialized) @MainActor struct `The notification center` {
    @Test func `schedules, and its delegate receives`() async throws {
      let delegate = ReminderDelegate()
      let app = TestApplication(delegate: delegate)
      try await app.launch()
      try await delegate.schedule()
      let request = try #require(app.scheduledNotifications.first)
      #expect(request.content.title == "Milk")
      #expect(request.content.userInfo == ["note": 7, "tags": ["shop"]])
      #expect(request.trigger == .matching(CalendarComponents(hour: 18), repeats: true))
      let center = UNUserNotificationCenter.current()
      let pending = await center.pendingNotificationRequests()
      #expect((pending.first?.trigger as? UNCalendarNotificationTrigger)?.dateComponents.hour == 18)
      #expect(pending.first?.content.badge == 3)
      #expect(pending.first?.content.sound == .default)
      let category = try #require(await center.notificationCategories().first)
      #expect(category.actions.map(\.title) == ["Show", "Reply"])
      #expect(category.actions.last is UNTextInputNotificationAction)

      #expect(try await app.showNotification("milk") == [.banner, .list, .sound])
      #expect(delegate.presented == ["Milk"])
      #expect(await center.deliveredNotifications().map(\.request.identifier) == ["milk"])
      try await app.respond(toNotification: "milk", action: "reply", text: "done")
      #expect(delegate.responses == ["reply done milk 7"])
    }

    /// UIKit shows nothing, but a window that others cover counts as one in the foreground here.
    @Test func `shows a notification in the foreground if its delegate does not decide how`() async throws {
      class Silent: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {}
      let delegate = Silent()
      let app = TestApplication(delegate: delegate)
      try await app.launch()
      let center = UNUserNotificationCenter.current()
      center.delegate = delegate
      #expect(try await center.requestAuthorization(options: .alert))
      let content = UNMutableNotificationContent()
      content.title = "Milk"
      let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
      try await center.add(UNNotificationRequest(identifier: "milk", content: content, trigger: trigger))
      #expect(UIApplication.shared.applicationState == .active)
      #expect(try await app.showNotification("milk") == [.banner, .list, .sound, .badge])
    }

    @Test func `schedules for a region, and copies it`() async throws {
      let delegate = ReminderDelegate()
      let app = TestApplication(delegate: delegate)
      try await app.launch()
      let center = UNUserNotificationCenter.current()
      #expect(try await center.requestAuthorization(options: .alert))
      let manager = LocationManager(of: app.application)
      #expect(try await manager.requestAlwaysAuthorization())
      let region = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 48, longitude: 11), radius: 200, identifier: "shop")
      region.notifyOnExit = false
      let trigger = UNLocationNotificationTrigger(region: region, repeats: true)
      region.notifyOnEntry = false
      let content = UNMutableNotificationContent()
      content.title = "Milk"
      try await center.add(UNNotificationRequest(identifier: "milk", content: content, trigger: trigger))
      let pending =
        await center.pendingNotificationRequests().first?.trigger as? UNLocationNotificationTrigger
      #expect(pending?.repeats == true && pending?.region.identifier == "shop")
      #expect(pending?.region.notifyOnEntry == true && pending?.region.notifyOnExit == false)
      #expect((pending?.region as? CLCircularRegion)?.radius == 200)
      _ = try await app.enterRegion("shop")
      #expect(delegate.presented == ["Milk"])
      let nowhere = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 91, longitude: 11), radius: 200, identifier: "nowhere")
      await #expect(throws: CLError.self) {
        try await center.add(
          UNNotificationRequest(
            identifier: "a", content: content,
            trigger: UNLocationNotificationTrigger(region: nowhere, repeats: false)))
      }
    }

    @Test func `reports settings and errors`() async throws {
      var dependencies = Dependencies()
      dependencies.allowsNotifications = false
      let app = TestApplication(delegate: ReminderDelegate(), in: dependencies)
      try await app.launch()
      let center = UNUserNotificationCenter.current()
      #expect(await center.notificationSettings().authorizationStatus == .notDetermined)
      #expect(try await center.requestAuthorization(options: .alert) == false)
      #expect(await center.notificationSettings().authorizationStatus == .denied)
      let content = UNMutableNotificationContent()
      content.title = "Milk"
      await #expect(throws: SceneError.self) {
        try await center.add(UNNotificationRequest(identifier: "a", content: content, trigger: nil))
      }
      content.userInfo = ["window": UIResponder()]
      let error = await withCheckedContinuation { continuation in
        center.add(UNNotificationRequest(identifier: "a", content: content, trigger: nil)) { error in
          continuation.resume(returning: error?.localizedDescription)
        }
      }
      #expect(error?.contains("“window”") == true)
      content.userInfo = ["list": [1, NSNull()] as [Any]]
      let nested = await #expect(throws: (any Error).self) {
        try await center.add(UNNotificationRequest(identifier: "a", content: content, trigger: nil))
      }
      #expect(nested?.localizedDescription.contains("“list”") == true)
    }

    /// The start of many applications: they replace all that an earlier process has scheduled.
    @Test func `performs calls in their order, with and without a result`() async throws {
      let app = TestApplication(delegate: ReminderDelegate())
      try await app.launch()
      let center = UNUserNotificationCenter.current()
      #expect(try await center.requestAuthorization(options: .alert))
      let content = UNMutableNotificationContent()
      content.title = "Milk"
      let pending = await withCheckedContinuation { continuation in
        center.setNotificationCategories([
          UNNotificationCategory(identifier: "reminder", actions: [], intentIdentifiers: [])
        ])
        center.removeAllPendingNotificationRequests()
        center.add(UNNotificationRequest(identifier: "milk", content: content, trigger: nil))
        center.getPendingNotificationRequests { continuation.resume(returning: $0.map(\.identifier)) }
        center.removeAllPendingNotificationRequests()
        center.add(UNNotificationRequest(identifier: "tea", content: content, trigger: nil))
      }
      #expect(pending == ["milk"])
      #expect(await center.pendingNotificationRequests().map(\.identifier) == ["tea"])
      #expect(await center.notificationCategories().map(\.identifier) == ["reminder"])
    }

    @Test func `performs calls before the launch after it`() async throws {
      let app = TestApplication(delegate: ReminderDelegate())
      let center = UNUserNotificationCenter()
      center.setNotificationCategories([
        UNNotificationCategory(identifier: "reminder", actions: [], intentIdentifiers: [])
      ])
      center.setBadgeCount(5) { _ in }
      center.attach(to: app.application)
      #expect(await center.notificationCategories().map(\.identifier) == ["reminder"])
      #expect(app.badgeCount == 5)
    }

    @Test(arguments: [0, -1, .infinity, -.infinity, .nan, 1e300])
    func `refuses an interval that is not valid`(interval: TimeInterval) async throws {
      let app = TestApplication(delegate: ReminderDelegate())
      try await app.launch()
      let center = UNUserNotificationCenter.current()
      #expect(try await center.requestAuthorization(options: .alert))
      let trigger = UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: false)
      let content = UNMutableNotificationContent()
      content.title = "Milk"
      await #expect(throws: SceneError.self) {
        try await center.add(UNNotificationRequest(identifier: "milk", content: content, trigger: trigger))
      }
    }

    @Test func `sets the number on the icon`() async throws {
      let app = TestApplication(delegate: ReminderDelegate())
      try await app.launch()
      try await UNUserNotificationCenter.current().setBadgeCount(5)
      #expect(app.badgeCount == 5)
      try await UNUserNotificationCenter.current().setBadgeCount(-1)
      #expect(app.badgeCount == 0)
    }
  }
}
