// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

/// The identifier of the action that opens the notification itself.
public let UNNotificationDefaultActionIdentifier = NotificationResponse.defaultActionIdentifier

/// The center whose delegate receives the user's responses to notifications.
@MainActor public final class UNUserNotificationCenter {
  private static let center = UNUserNotificationCenter()

  /// Returns the center of the application.
  public static func current() -> UNUserNotificationCenter { center }

  /// The delegate, which must be set before the launch is complete.
  public weak var delegate: (any UNUserNotificationCenterDelegate)?

  /// Delivers a response to the delegate; throws ``NotImplemented`` without one.
  func receive(_ response: NotificationResponse) async throws {
    guard let delegate else { throw NotImplemented() }
    let received = UNNotificationResponse(response)
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

/// The delegate that receives the user's responses to notifications.
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
}

/// The user's response to a notification.
public struct UNNotificationResponse {
  /// The notification.
  public let notification: UNNotification
  /// The chosen action, or ``UNNotificationDefaultActionIdentifier``.
  public let actionIdentifier: String

  init(_ response: NotificationResponse) {
    notification = UNNotification(
      request: UNNotificationRequest(UNNotificationContent(response.notification)))
    actionIdentifier = response.actionIdentifier
  }
}

/// A notification.
public struct UNNotification {
  /// The request that caused it.
  public let request: UNNotificationRequest
}

/// The request of a notification.
public struct UNNotificationRequest {
  /// The content.
  public let content: UNNotificationContent

  init(_ content: UNNotificationContent) { self.content = content }
}

/// The content of a notification.
public struct UNNotificationContent {
  /// The title.
  public let title: String
  /// The text.
  public let body: String
  /// The number on the application's icon.
  public let badge: Int?
  /// The payload of the application.
  public let userInfo: [AnyHashable: Any]
  /// The category, `category` of the `aps` part.
  public let categoryIdentifier: String
  /// The identifier of the content, by which a scene is chosen.
  public let targetContentIdentifier: String?

  init(_ content: NotificationContent) {
    title = content.title ?? ""
    body = content.body ?? ""
    badge = content.badge.map(Int.init)
    userInfo = content.userInfo.mapValues(\.foundation)
    categoryIdentifier = content.payload["aps"]?["category"]?.string ?? ""
    targetContentIdentifier = content.payload["target-content-id"]?.string
  }
}
