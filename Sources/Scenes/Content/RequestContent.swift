// SPDX-License-Identifier: Apache-2.0
package import BusInterfaces

/// The content of a request by its reason, as UIKit classifies it.
package enum RequestContent: Hashable, Sendable {
  case urls([OpenURLContext])
  /// A launch or an activation without content.
  case activate
  case shortcutItem(ShortcutItem)
  case userActivity(UserActivity)
  /// The announcement of a Handoff activity that has not arrived yet.
  case handoff(type: String)
  case handoffFailed(type: String, reason: String)
  /// A notification to which the user has not responded.
  case notification(UserNotification)
  case notificationResponse(NotificationResponse)
  case cloudKitShare(PropertyList)
  /// A reason that UIKit assigns to other frameworks, or that this version does not know.
  case other

  init(_ request: SceneRequest, for application: Application) {
    self.init(request, application.sourceApplicationPolicy, webLinks: application.webLinks)
  }

  init(_ request: SceneRequest, _ policy: SourceApplicationPolicy, webLinks: WebLinkDelivery = .urls) {
    if let item = ShortcutItem(request) {
      self = .shortcutItem(item)
      return
    }
    self =
      switch request.reason {
      case .url:
        webLinks.activity(of: request).map(Self.userActivity)
          ?? .urls(
            request.urlStrings.enumerated().map { index, url in
              OpenURLContext(url, request: request, policy: policy, index: index)
            })
      case .activate: .activate
      case .userActivity: request.payload.flatMap(Self.activity) ?? .other
      case .remoteNotification, .localNotification:
        NotificationResponse(request).map(Self.notificationResponse)
          ?? .notification(UserNotification(request))
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

  /// A Boolean value that is `true` if a scene receives the content, and `false` if the application delegate does.
  var isForScene: Bool {
    switch self {
    case .notification, .other: false
    default: true
    }
  }

  /// The identifier of the content, by which a scene is chosen; `nil` if the request has none.
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
