public import BusInterfaces

/// What a notification says: one handler for what was pushed, and for the application's own.
public struct NotificationContent: Hashable, Sendable {
  /// Whether a server pushed it; the application's own otherwise.
  public let isRemote: Bool
  /// All that came, as it came.
  public let payload: PropertyList

  init(_ request: SceneRequest) {
    isRemote = request.reason == .remoteNotification
    payload = request.payload ?? .dictionary([:])
  }

  /// The part that is shown: `aps` of what was pushed.
  private var shown: PropertyList { payload["aps"] ?? payload }

  /// What it tells, whether `alert` is a text or has a `body`.
  public var body: String? { shown["alert"]?.string ?? shown["alert"]?["body"]?.string }
  /// Its title, where `alert` has one.
  public var title: String? { shown["alert"]?["title"]?.string }
  /// The number on the application's icon.
  public var badge: Int64? { shown["badge"]?.integer }
  /// The sound to play.
  public var sound: String? { shown["sound"]?.string }
  /// What the application put in beside.
  public var userInfo: [String: PropertyList] {
    payload["user-info"]?.dictionary ?? payload.dictionary ?? [:]
  }
}

/// What a person did with a notification: `UNNotificationResponse`.
public struct NotificationResponse: Hashable, Sendable {
  /// The action that stands for the notification itself.
  public static let defaultActionIdentifier = "default"

  /// The notification.
  public let notification: NotificationContent
  /// `action-identifier`: the action; ``defaultActionIdentifier`` for the notification itself.
  public let actionIdentifier: String

  /// `nil` where nobody has acted on it.
  init?(_ request: SceneRequest) {
    guard let action = request.payload?["action-identifier"]?.string else { return nil }
    notification = NotificationContent(request)
    actionIdentifier = action
  }

  /// The action, `nil` for the notification itself.
  var otherAction: String? { actionIdentifier == Self.defaultActionIdentifier ? nil : actionIdentifier }
}
