// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

/// The identifier of the action that opens the notification itself.
public let UNNotificationDefaultActionIdentifier = NotificationResponse.defaultActionIdentifier

/// The identifier of the action of a notification that the user dismissed.
public let UNNotificationDismissActionIdentifier = "dismiss"

/// The user's response to a notification.
public struct UNNotificationResponse {
  /// The notification.
  public let notification: UNNotification
  /// The chosen action, or ``UNNotificationDefaultActionIdentifier``.
  public let actionIdentifier: String

  init(_ response: NotificationResponse) {
    notification = UNNotification(response.notification)
    actionIdentifier = response.actionIdentifier
  }
}

/// A notification.
public struct UNNotification {
  /// The request that caused it.
  public let request: UNNotificationRequest

  init(_ content: NotificationContent) { request = UNNotificationRequest(content) }
}

/// The request of a notification.
public struct UNNotificationRequest {
  /// The identifier that the application gave to the notification, `identifier` of the payload.
  public let identifier: String
  /// The content.
  public let content: UNNotificationContent

  init(_ content: NotificationContent) {
    identifier = content.payload["identifier"]?.string ?? ""
    self.content = UNNotificationContent(content)
  }
}

/// The content of a notification.
public struct UNNotificationContent {
  /// The title.
  public let title: String
  /// The subtitle.
  public let subtitle: String
  /// The text.
  public let body: String
  /// The number on the application's icon.
  public let badge: Int?
  /// The payload of the application.
  public let userInfo: [AnyHashable: Any]
  /// The category, `category` of the `aps` part.
  public let categoryIdentifier: String
  /// The identifier of the thread of notifications, `thread-id` of the `aps` part.
  public let threadIdentifier: String
  /// The identifier of the content, by which a scene is chosen.
  public let targetContentIdentifier: String?

  init(_ content: NotificationContent) {
    title = content.title ?? ""
    subtitle = (content.payload["aps"] ?? content.payload)["alert"]?["subtitle"]?.string ?? ""
    body = content.body ?? ""
    badge = content.badge.map(Int.init)
    userInfo = content.userInfo.mapValues(\.foundation)
    categoryIdentifier = content.payload["aps"]?["category"]?.string ?? ""
    threadIdentifier = content.payload["aps"]?["thread-id"]?.string ?? ""
    targetContentIdentifier = content.payload["target-content-id"]?.string
  }
}
