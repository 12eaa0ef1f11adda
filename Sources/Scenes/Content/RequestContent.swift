package import BusInterfaces

/// What a request brings, by its reason: one of UIKit's kinds.
package enum RequestContent: Hashable, Sendable {
  case urls([OpenURLContext])
  /// To start, or to come to the front.
  case activate
  case shortcutItem(ShortcutItem)
  case userActivity(UserActivity)
  /// What is continued is not here yet, only its type.
  case handoff(type: String)
  case handoffFailed(type: String, reason: String)
  /// A notification that nobody has acted on.
  case notification(NotificationContent)
  case notificationResponse(NotificationResponse)
  case cloudKitShare(PropertyList)
  /// What UIKit leaves to other frameworks, and what this version does not know.
  case other

  init(_ request: SceneRequest, _ policy: SourceApplicationPolicy) {
    if let item = ShortcutItem(request) {
      self = .shortcutItem(item)
      return
    }
    self =
      switch request.reason {
      case .url: .urls(request.urlStrings.map { OpenURLContext($0, request, policy) })
      case .activate: .activate
      case .userActivity: request.payload.flatMap(Self.activity) ?? .other
      case .remoteNotification, .localNotification:
        NotificationResponse(request).map(Self.notificationResponse)
          ?? .notification(NotificationContent(request))
      case .cloudKitShare: .cloudKitShare(request.payload ?? .dictionary([:]))
      default: .other
      }
  }

  private static func activity(_ payload: PropertyList) -> RequestContent? {
    guard let activity = UserActivity(payload) else { return nil }
    if let reason = payload["error"]?.string {
      return .handoffFailed(type: activity.activityType, reason: reason)
    }
    return payload["handoff"]?.boolean == true
      ? .handoff(type: activity.activityType) : .userActivity(activity)
  }

  /// Whether it is for a place that shows content; the application itself gets the rest.
  var isForScene: Bool {
    switch self {
    case .notification, .other: false
    default: true
    }
  }

  /// The content that it is about, by which a scene is chosen; `nil` where it says nothing.
  var targetContentIdentifier: String? {
    switch self {
    case .urls(let contexts): contexts.first?.urlString
    case .shortcutItem(let item): item.targetContentIdentifier ?? item.urlStrings.first
    case .userActivity(let activity): activity.targetContentIdentifier ?? activity.webpageURL
    case .notificationResponse(let response):
      response.notification.payload["target-content-id"]?.string
        ?? response.notification.payload["aps"]?["target-content-id"]?.string
    default: nil
    }
  }
}
