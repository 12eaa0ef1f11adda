// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import FoundationEssentials
package import Triggers

/// A notification that the application receives, corresponding to `UNNotification`.
public struct UserNotification: Hashable, Sendable {
  /// A Boolean value that is `true` if a server pushed the notification, and `false` if the application scheduled it.
  public let isRemote: Bool
  /// The complete payload, unchanged.
  public let payload: PropertyList

  init(_ request: SceneRequest) {
    isRemote = request.reason == .remoteNotification
    payload = request.payload ?? .dictionary([:])
  }

  /// Creates a notification that the application scheduled, and that was due at `date`.
  package init(_ request: NotificationRequest, date: WallTime) {
    isRemote = false
    payload = request.payload(date: date)
  }

  /// The displayed part: the `aps` dictionary of a remote notification, otherwise the payload.
  private var shown: PropertyList { payload["aps"] ?? payload }

  /// The identifier that the application gave to the notification; `nil` for a remote one.
  public var identifier: String? { payload["identifier"]?.string }
  /// The time at which the notification was due; `nil` for a remote one.
  public var date: Date? { payload["date"]?.integer.map { Date(WallTime(milliseconds: $0)) } }
  /// The text: `alert` if it is a string, otherwise its `body`.
  public var body: String? { shown["alert"]?.string ?? shown["alert"]?["body"]?.string }
  /// The title, if `alert` has one.
  public var title: String? { shown["alert"]?["title"]?.string }
  /// The line after the title, if `alert` has one.
  public var subtitle: String? { shown["alert"]?["subtitle"]?.string }
  /// The number on the application's icon.
  public var badge: Int64? { shown["badge"]?.integer }
  /// The sound to play.
  public var sound: String? { shown["sound"]?.string }
  /// The identifier that the notifications of one conversation share.
  public var threadIdentifier: String? {
    payload["thread-identifier"]?.string ?? payload["aps"]?["thread-id"]?.string
  }
  /// The identifier of the category, whose actions are shown.
  public var categoryIdentifier: String? {
    payload["category-identifier"]?.string ?? payload["aps"]?["category"]?.string
  }
  /// The application's own entries.
  public var userInfo: [String: PropertyList] {
    if let entries = payload["user-info"]?.dictionary { return entries }
    return isRemote ? payload.dictionary ?? [:] : [:]
  }
}
