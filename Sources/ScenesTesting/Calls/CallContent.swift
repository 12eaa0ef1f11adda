// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
import Scenes

/// The content of a call, as far as the application can see it.
///
/// A string literal is one URL without a source application: `"notes://note/7"` is `.urls(["notes://note/7"])`.
public enum CallContent: Hashable, Sendable {
  /// URLs in order, the source application as far as the policy permits, and the annotation.
  case urls([String], from: String? = nil, annotation: PropertyList? = nil)
  /// A shortcut item or an action of the desktop entry, by its type.
  case shortcutItem(String)
  /// A user activity, by its type.
  case userActivity(String)
  /// The type of a Handoff activity that has not arrived yet, or that failed to arrive.
  case handoff(String)
  /// The payload of a notification, and the action that the user chose; `nil` if the user chose none.
  case notification(PropertyList, action: String? = nil)
  /// The metadata of a share invitation that the user accepted.
  case cloudKitShare(PropertyList)
  /// A request with another launch reason, with its payload.
  case other(LaunchReason, PropertyList? = nil)

  /// Returns content of one URL.
  public static func url(
    _ url: String, from source: String? = nil, annotation: PropertyList? = nil
  ) -> CallContent {
    .urls([url], from: source, annotation: annotation)
  }
}

extension CallContent: ExpressibleByStringLiteral {
  /// Creates content of one URL, without a source application and annotation.
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

  /// Creates the content of launch options; `nil` without a launch reason.
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

  /// Creates the content of connection options; `nil` without a reason.
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

  /// Creates the complete content of a request to a closure, regardless of the policy; `nil` for a plain activation.
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
