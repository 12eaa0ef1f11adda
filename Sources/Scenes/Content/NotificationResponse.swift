// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// The content of a notification, remote or local.
public struct NotificationContent: Hashable, Sendable {
  /// A Boolean value that is `true` if a server pushed the notification, and `false` if the application scheduled it.
  public let isRemote: Bool
  /// The complete payload, unchanged.
  public let payload: PropertyList

  init(_ request: SceneRequest) {
    isRemote = request.reason == .remoteNotification
    payload = request.payload ?? .dictionary([:])
  }

  /// The displayed part: the `aps` dictionary of a remote notification, otherwise the payload.
  private var shown: PropertyList { payload["aps"] ?? payload }

  /// The text: `alert` if it is a string, otherwise its `body`.
  public var body: String? { shown["alert"]?.string ?? shown["alert"]?["body"]?.string }
  /// The title, if `alert` has one.
  public var title: String? { shown["alert"]?["title"]?.string }
  /// The number on the application's icon.
  public var badge: Int64? { shown["badge"]?.integer }
  /// The sound to play.
  public var sound: String? { shown["sound"]?.string }
  /// The application's own entries.
  public var userInfo: [String: PropertyList] {
    payload["user-info"]?.dictionary ?? payload.dictionary ?? [:]
  }
}

/// The user's response to a notification, corresponding to `UNNotificationResponse`.
public struct NotificationResponse: Hashable, Sendable {
  /// The identifier of the action that opens the notification itself.
  public static let defaultActionIdentifier = "default"

  /// The notification.
  public let notification: NotificationContent
  /// The chosen action (`action-identifier`), or ``defaultActionIdentifier`` for the notification itself.
  public let actionIdentifier: String

  /// Creates the response of a request; `nil` if the user has not responded.
  package init?(_ request: SceneRequest) {
    guard let action = request.payload?["action-identifier"]?.string else { return nil }
    notification = NotificationContent(request)
    actionIdentifier = action
  }

  /// The action, or `nil` for the notification itself.
  var otherAction: String? { actionIdentifier == Self.defaultActionIdentifier ? nil : actionIdentifier }
}
