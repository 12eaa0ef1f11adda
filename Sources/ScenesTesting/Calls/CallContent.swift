public import BusInterfaces
import Scenes

/// What a call brought to the application, as far as the application was told it.
///
/// A text is one URL that nobody is named for: `"notes://note/7"` is `.urls(["notes://note/7"])`.
public enum CallContent: Hashable, Sendable {
  /// URLs in their order, who asked as far as the policy tells it, and what was attached.
  case urls([String], from: String? = nil, annotation: PropertyList? = nil)
  /// A quick action, or an action of the desktop entry, by its type.
  case shortcutItem(String)
  /// What to go on with, by its type.
  case userActivity(String)
  /// The type of what comes from another device, and is not here yet or failed to come.
  case handoff(String)
  /// What a notification says, and the action that a person chose, where one did.
  case notification(PropertyList, action: String? = nil)
  /// An invitation that a person accepted.
  case cloudKitShare(PropertyList)
  /// Another reason, with its payload.
  case other(LaunchReason, PropertyList? = nil)

  /// One URL.
  public static func url(
    _ url: String, from source: String? = nil, annotation: PropertyList? = nil
  ) -> CallContent {
    .urls([url], from: source, annotation: annotation)
  }
}

extension CallContent: ExpressibleByStringLiteral {
  /// One URL, of which nothing else is told.
  public init(stringLiteral url: String) { self = .urls([url]) }
}

extension CallContent {
  init(_ contexts: [OpenURLContext]) {
    let options = contexts.first?.options
    self = .urls(
      contexts.map(\.urlString), from: options?.sourceApplication, annotation: options?.annotation)
  }

  init(_ response: NotificationResponse) {
    self = .notification(response.notification.payload, action: response.actionIdentifier)
  }

  /// `nil` where there is no reason.
  init?(_ options: LaunchOptions?) {
    guard let options else { return nil }
    switch options.content {
    case .urls(let contexts): self.init(contexts)
    case .activate: return nil
    case .shortcutItem(let item): self = .shortcutItem(item.type)
    case .userActivity(let activity): self = .userActivity(activity.activityType)
    case .handoff(let type), .handoffFailed(let type, _): self = .handoff(type)
    case .notification(let notification): self = .notification(notification.payload)
    case .notificationResponse(let response): self.init(response)
    case .cloudKitShare(let metadata): self = .cloudKitShare(metadata)
    case .other: self = .other(options.request.reason, options.request.payload)
    }
  }

  /// `nil` where there is no reason.
  init?(_ options: ConnectionOptions) {
    if !options.urlContexts.isEmpty {
      self.init(options.urlContexts)
    } else if let activity = options.userActivities.first {
      self = .userActivity(activity.activityType)
    } else if let type = options.handoffUserActivityType {
      self = .handoff(type)
    } else if let item = options.shortcutItem {
      self = .shortcutItem(item.type)
    } else if let response = options.notificationResponse {
      self.init(response)
    } else if let metadata = options.cloudKitShareMetadata {
      self = .cloudKitShare(metadata)
    } else {
      return nil
    }
  }

  /// What the one closure gets: all of it, whatever the policy.
  init?(_ request: SceneRequest) {
    if let action = request.desktopAction {
      self = .shortcutItem(action)
    } else if request.reason == .url {
      self = .urls(request.urlStrings, from: request.sourceApplication, annotation: request.annotation)
    } else if request.reason == .activate {
      return nil
    } else {
      self = .other(request.reason, request.payload)
    }
  }
}
