// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The center whose delegate receives notifications, and the user's responses to them.
@MainActor public final class UNUserNotificationCenter {
  private static let center = UNUserNotificationCenter()

  /// Returns the center of the application.
  public static func current() -> UNUserNotificationCenter { center }

  /// The delegate, which must be set before the launch is complete.
  public weak var delegate: (any UNUserNotificationCenterDelegate)?

  /// The center of the running application.
  ///
  /// - Throws: ``NoApplication`` before the launch.
  private var center: UserNotificationCenter {
    get throws {
      guard let application = UIApplication.shared.backing else { throw NoApplication() }
      return application.notifications
    }
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
    try await center.requestAuthorization(options: options.options)
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
    UNNotificationSettings((try? await center.notificationSettings()) ?? .unavailable)
  }

  /// Schedules a notification.
  public func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    // The request is read now, because the application may change its content afterwards.
    let request = Result { try request.request }
    report(to: completionHandler) { try await $0.center.add(try request.get()) }
  }

  /// Schedules a notification, and returns when it is stored.
  public func add(_ request: UNNotificationRequest) async throws { try await center.add(try request.request) }

  /// Passes the notifications that are not due yet to the handler; none without `usher-triggers`.
  public func getPendingNotificationRequests(
    completionHandler: @escaping @MainActor @Sendable ([UNNotificationRequest]) -> Void
  ) { Task { completionHandler(await pendingNotificationRequests()) } }

  /// Returns the notifications that are not due yet; none without `usher-triggers`.
  public func pendingNotificationRequests() async -> [UNNotificationRequest] {
    ((try? await center.pendingNotificationRequests()) ?? []).map(UNNotificationRequest.init)
  }

  /// Passes the notifications that are shown to the handler; none without `usher-triggers`.
  public func getDeliveredNotifications(
    completionHandler: @escaping @MainActor @Sendable ([UNNotification]) -> Void
  ) { Task { completionHandler(await deliveredNotifications()) } }

  /// Returns the notifications that are shown; none without `usher-triggers`.
  public func deliveredNotifications() async -> [UNNotification] {
    ((try? await center.deliveredNotifications()) ?? []).map(UNNotification.init)
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
  ) { Task { completionHandler(await notificationCategories()) } }

  /// Returns the categories; none without `usher-triggers`.
  public func notificationCategories() async -> Set<UNNotificationCategory> {
    Set(((try? await center.notificationCategories()) ?? []).map(UNNotificationCategory.init))
  }

  /// Sets the number on the icon of the application; 0 removes it.
  public func setBadgeCount(
    _ count: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    report(to: completionHandler) { try await $0.setBadgeCount(count) }
  }

  /// Sets the number on the icon of the application; 0 removes it.
  public func setBadgeCount(_ count: Int) async throws {
    try await center.setBadgeCount(UInt32(clamping: count))
  }

  /// Performs a call, and passes its error to the handler.
  private func report(
    to completionHandler: (@Sendable ((any Error)?) -> Void)?,
    _ call: @escaping @MainActor (UNUserNotificationCenter) async throws -> Void
  ) {
    Task {
      do {
        try await call(self)
        completionHandler?(nil)
      } catch {
        completionHandler?(error)
      }
    }
  }

  /// The last call that returns no error, which the next one follows, as in UIKit.
  private var last: Task<Void, Never>?

  /// Performs a call that returns no error, after the earlier ones.
  private func perform(_ call: @escaping @Sendable (UserNotificationCenter) async throws -> Void) {
    guard let center = try? center else { return }
    last = Task { [last] in
      await last?.value
      try? await call(center)
    }
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

/// The error of a call before the application is launched.
struct NoApplication: LocalizedError {
  let errorDescription: String? = "the application is not launched yet"
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

  /// Throws an error that makes the request not handled.
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
