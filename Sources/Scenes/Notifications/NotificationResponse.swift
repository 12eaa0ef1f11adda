// SPDX-License-Identifier: Apache-2.0
/// The user's response to a notification, corresponding to `UNNotificationResponse`.
public struct NotificationResponse: Hashable, Sendable {
  /// The identifier of the action that opens the notification itself.
  public static let defaultActionIdentifier = NotificationCategory.defaultAction
  /// The identifier of the action of a notification that the user removed.
  public static let dismissActionIdentifier = NotificationCategory.dismissAction

  /// The notification.
  public let notification: UserNotification
  /// The chosen action (`action-identifier`), or ``defaultActionIdentifier`` for the notification itself.
  public let actionIdentifier: String
  /// The text that the user entered for the action, like `UNTextInputNotificationResponse`; `nil` for another action.
  public let userText: String?

  /// Creates the response of a request; `nil` if the user has not responded.
  package init?(_ request: SceneRequest) {
    guard let action = request.payload?["action-identifier"]?.string else { return nil }
    notification = UserNotification(request)
    actionIdentifier = action
    userText = request.payload?["user-text"]?.string
  }

  /// The action, or `nil` for the notification itself.
  var otherAction: String? { actionIdentifier == Self.defaultActionIdentifier ? nil : actionIdentifier }
}
