// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The center whose delegate receives notifications, and the user's responses to them.
///
/// Calls take effect in their order, and those before the launch take effect after it. Only requests for authorization and settings do
/// not wait for earlier calls, because the user may take any time to answer.
@MainActor public final class UNUserNotificationCenter {
  private static let center = UNUserNotificationCenter()

  /// Returns the center of the application.
  public static func current() -> UNUserNotificationCenter { center }

  /// The delegate, which must be set before the launch is complete.
  public weak var delegate: (any UNUserNotificationCenterDelegate)?

  /// The center of the running application; `nil` before the launch.
  private var backing: UserNotificationCenter?
  /// The calls that wait for the launch.
  private var waiting: [CheckedContinuation<UserNotificationCenter, Never>] = []

  /// Connects the center to an application that launches, and makes the calls that waited for it.
  func attach(to application: Application) {
    backing = application.notifications
    let calls = waiting
    waiting = []
    for call in calls { call.resume(returning: application.notifications) }
  }

  /// Returns the center of the running application, after its launch.
  private func launched() async -> UserNotificationCenter {
    if let backing { return backing }
    return await withCheckedContinuation { waiting.append($0) }
  }

  /// Asks the user once whether the application may show notifications, and passes the answer to the handler.
  public func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    Task {
      do { completionHandler(try await requestAuthorization(options: options), nil) } catch {
        completionHandler(false, error)
      }
    }
  }

  /// Asks the user once whether the application may show notifications, and returns the answer.
  @discardableResult
  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    try await launched().requestAuthorization(options: options.options)
  }

  /// Passes to the handler what the user allows and what the desktop can do.
  ///
  /// Without `usher-triggers` the handler receives settings in which nothing is supported.
  public func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void)
  {
    Task { completionHandler(await notificationSettings()) }
  }

  /// Returns what the user allows and what the desktop can do; nothing without `usher-triggers`.
  public func notificationSettings() async -> UNNotificationSettings {
    UNNotificationSettings((try? await launched().notificationSettings()) ?? .unavailable)
  }

  /// Schedules a notification.
  public func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    // The request is read now, because the application may change its content afterwards.
    let request = Result { try request.request }
    report(perform { try await $0.add(try request.get()) }, to: completionHandler)
  }

  /// Schedules a notification, and returns when it is stored.
  public func add(_ request: UNNotificationRequest) async throws {
    let request = try request.request
    try await perform { try await $0.add(request) }.value
  }

  /// Passes the notifications that are not due yet to the handler; none without `usher-triggers`.
  public func getPendingNotificationRequests(
    completionHandler: @escaping @MainActor @Sendable ([UNNotificationRequest]) -> Void
  ) {
    let requests = perform { try await $0.pendingNotificationRequests() }
    Task { completionHandler(await requests.elements().map(UNNotificationRequest.init)) }
  }

  /// Returns the notifications that are not due yet; none without `usher-triggers`.
  public func pendingNotificationRequests() async -> [UNNotificationRequest] {
    await perform { try await $0.pendingNotificationRequests() }.elements().map(UNNotificationRequest.init)
  }

  /// Passes the notifications that are shown to the handler; none without `usher-triggers`.
  public func getDeliveredNotifications(
    completionHandler: @escaping @MainActor @Sendable ([UNNotification]) -> Void
  ) {
    let notifications = perform { try await $0.deliveredNotifications() }
    Task { completionHandler(await notifications.elements().map(UNNotification.init)) }
  }

  /// Returns the notifications that are shown; none without `usher-triggers`.
  public func deliveredNotifications() async -> [UNNotification] {
    await perform { try await $0.deliveredNotifications() }.elements().map(UNNotification.init)
  }

  /// Removes notifications that are not due yet.
  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    perform { try await $0.removePendingNotificationRequests(withIdentifiers: identifiers) }
  }

  /// Removes all notifications that are not due yet.
  public func removeAllPendingNotificationRequests() {
    perform { try await $0.removeAllPendingNotificationRequests() }
  }

  /// Removes notifications that are shown.
  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    perform { try await $0.removeDeliveredNotifications(withIdentifiers: identifiers) }
  }

  /// Removes all notifications that are shown.
  public func removeAllDeliveredNotifications() {
    perform { try await $0.removeAllDeliveredNotifications() }
  }

  /// Replaces the categories, which determine the actions of notifications.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    let categories = categories.map(\.category)
    perform { try await $0.setNotificationCategories(categories) }
  }

  /// Passes the categories to the handler; none without `usher-triggers`.
  public func getNotificationCategories(
    completionHandler: @escaping @MainActor @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    let categories = perform { try await $0.notificationCategories() }
    Task { completionHandler(Set(await categories.elements().map(UNNotificationCategory.init))) }
  }

  /// Returns the categories; none without `usher-triggers`.
  public func notificationCategories() async -> Set<UNNotificationCategory> {
    Set(await perform { try await $0.notificationCategories() }.elements().map(UNNotificationCategory.init))
  }

  /// Sets the number on the icon of the application; 0 removes it.
  public func setBadgeCount(
    _ count: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    report(perform { try await $0.setBadgeCount(UInt32(clamping: count)) }, to: completionHandler)
  }

  /// Sets the number on the icon of the application; 0 removes it.
  public func setBadgeCount(_ count: Int) async throws {
    try await perform { try await $0.setBadgeCount(UInt32(clamping: count)) }.value
  }

  /// Passes the error of a call to the handler.
  private func report(_ call: Task<Void, any Error>, to handler: (@Sendable ((any Error)?) -> Void)?) {
    guard let handler else { return }
    Task {
      do {
        try await call.value
        handler(nil)
      } catch {
        handler(error)
      }
    }
  }

  /// The end of the last call, which the next one follows.
  private var last: Task<Void, Never>?

  /// Makes a call after the earlier ones, and after the launch.
  @discardableResult
  private func perform<Value: Sendable>(
    _ call: @escaping @MainActor (UserNotificationCenter) async throws -> Value
  ) -> Task<Value, any Error> {
    let task = Task { [last, backing] in
      await last?.value
      // In tests, another application may have launched since the call.
      let center = if let backing { backing } else { await launched() }
      return try await call(center)
    }
    last = Task { _ = await task.result }
    return task
  }

  /// Asks the delegate how to present a notification on which the user has not acted; throws ``NotImplemented`` if there is none.
  func present(_ notification: UserNotification) async throws -> NotificationPresentationOptions {
    guard let delegate else { throw NotImplemented() }
    let notification = UNNotification(notification)
    do {
      return try await Completion<UNNotificationPresentationOptions>.waitOnMain(orReleased: []) { handler in
        try delegate.userNotificationCenter(
          self, willPresent: notification, withCompletionHandler: { handler($0) })
      }.options
    } catch is NotImplemented {
      return try await delegate.userNotificationCenter(self, willPresent: notification).options
    }
  }

  /// Delivers a response to the delegate; throws ``NotImplemented`` without one.
  func receive(_ response: NotificationResponse) async throws {
    guard let delegate else { throw NotImplemented() }
    let received = UNNotificationResponse.of(response)
    do {
      try await Completion<Void>.waitOnMain(orReleased: ()) { handler in
        try delegate.userNotificationCenter(
          self, didReceive: received, withCompletionHandler: { handler(()) })
      }
    } catch is NotImplemented {
      try await delegate.userNotificationCenter(self, didReceive: received)
    }
  }
}

extension Task where Failure == any Error {
  /// Returns the elements of a reply; none after an error.
  fileprivate func elements<Element>() async -> [Element] where Success == [Element] {
    (try? await value) ?? []
  }
}

extension NotificationSettings {
  /// The settings of a desktop without `usher-triggers`.
  fileprivate static let unavailable = NotificationSettings(
    authorizationStatus: .denied, alertSetting: .notSupported, soundSetting: .notSupported,
    badgeSetting: .notSupported, showsActions: false, acceptsText: false)
}

/// The delegate that receives notifications, and the user's responses to them.
@MainActor public protocol UNUserNotificationCenterDelegate: AnyObject {
  /// Receives a response, and calls the handler when it is processed.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) throws
  /// Receives a response.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async throws
  /// Receives a notification in the foreground, and passes to the handler how to present it.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) throws
  /// Receives a notification in the foreground, and returns how to present it.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async throws -> UNNotificationPresentationOptions
}

extension UNUserNotificationCenterDelegate {
  /// Throws an error that selects the other form.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) throws { throw NotImplemented() }

  /// Throws an error that makes the request not handled.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async throws { throw NotImplemented() }

  /// Throws an error that selects the other form.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) throws { throw NotImplemented() }

  /// Throws an error, so that the banner, sound, badge and list entry of the notification are shown; UIKit shows nothing without the method.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async throws -> UNNotificationPresentationOptions { throw NotImplemented() }
}

/// The kinds of notifications for which an application requests authorization.
public struct UNAuthorizationOptions: OptionSet, Sendable {
  /// A number on the icon.
  public static let badge = Self(rawValue: 1 << 0)
  /// A sound.
  public static let sound = Self(rawValue: 1 << 1)
  /// A text.
  public static let alert = Self(rawValue: 1 << 2)
  /// Notifications that interrupt nothing.
  public static let provisional = Self(rawValue: 1 << 6)

  /// The bits of the options.
  public let rawValue: UInt
  /// Creates options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The options of `Scenes`; provisional notifications need the same permission as others.
  var options: NotificationAuthorizationOptions {
    var options: NotificationAuthorizationOptions = []
    if contains(.badge) { options.insert(.badge) }
    if contains(.sound) { options.insert(.sound) }
    if contains(.alert) || contains(.provisional) { options.insert(.alert) }
    return options
  }
}

/// The ways to present a notification of an application in the foreground.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  /// The number on the icon.
  public static let badge = Self(rawValue: 1 << 0)
  /// The sound.
  public static let sound = Self(rawValue: 1 << 1)
  /// The text.
  public static let alert = Self(rawValue: 1 << 2)
  /// An entry in the list of notifications.
  public static let list = Self(rawValue: 1 << 3)
  /// The text, for a short time.
  public static let banner = Self(rawValue: 1 << 4)

  /// The bits of the options.
  public let rawValue: UInt
  /// Creates options from their bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The options of `Scenes`; `alert` stands for a banner and an entry in the list.
  var options: NotificationPresentationOptions {
    var options: NotificationPresentationOptions = []
    if contains(.badge) { options.insert(.badge) }
    if contains(.sound) { options.insert(.sound) }
    if contains(.list) || contains(.alert) { options.insert(.list) }
    if contains(.banner) || contains(.alert) { options.insert(.banner) }
    return options
  }
}
