// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The identifier of the action that opens the notification itself.
public let UNNotificationDefaultActionIdentifier = NotificationResponse.defaultActionIdentifier

/// The identifier of the action of a notification that the user dismissed.
public let UNNotificationDismissActionIdentifier = NotificationResponse.dismissActionIdentifier

/// The user's response to a notification.
public class UNNotificationResponse {
  /// The notification.
  public let notification: UNNotification
  /// The chosen action, or ``UNNotificationDefaultActionIdentifier``.
  public let actionIdentifier: String

  fileprivate init(_ response: NotificationResponse) {
    notification = UNNotification(response.notification)
    actionIdentifier = response.actionIdentifier
  }

  /// Returns the response in UIKit's class for it.
  static func of(_ response: NotificationResponse) -> UNNotificationResponse {
    guard let text = response.userText else { return UNNotificationResponse(response) }
    return UNTextInputNotificationResponse(response, text)
  }
}

/// The user's response to a notification with the text that the user entered.
public final class UNTextInputNotificationResponse: UNNotificationResponse {
  /// The text.
  public let userText: String

  fileprivate init(_ response: NotificationResponse, _ text: String) {
    userText = text
    super.init(response)
  }
}

/// A notification.
public struct UNNotification {
  /// The time at which the notification was due, or arrived.
  public let date: Date
  /// The request that caused it.
  public let request: UNNotificationRequest

  init(_ notification: UserNotification) {
    date = notification.date ?? Date()
    request = UNNotificationRequest(
      identifier: notification.identifier ?? "", content: UNNotificationContent(notification),
      trigger: notification.isRemote ? UNPushNotificationTrigger() : nil)
  }
}
