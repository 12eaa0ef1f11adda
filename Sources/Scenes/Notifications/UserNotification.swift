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

  /// The identifier of the notification; `nil` for a remote one, unless it is among the notifications that are shown.
  public let identifier: String?
  /// The time at which the notification was due; `nil` for a remote one, unless it is among the notifications that are shown.
  public let date: Date?

  init(_ request: SceneRequest) {
    isRemote = request.reason == .remoteNotification
    payload = request.payload ?? .dictionary([:])
    // A payload of a server has only the keys that the server has chosen.
    identifier = isRemote ? nil : payload["identifier"]?.string
    date = isRemote ? nil : payload["date"]?.integer.map { Date(WallTime(milliseconds: $0)) }
  }

  /// Creates a notification that is shown since `date`.
  package init(_ request: NotificationRequest, date: WallTime) {
    isRemote = request.reason == .remoteNotification
    payload = request.remotePayload ?? request.payload(date: date)
    identifier = request.identifier
    self.date = Date(date)
  }

  /// The displayed part: the `aps` dictionary of a remote notification, otherwise the payload.
  private var shown: PropertyList { payload["aps"] ?? payload }

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
    (isRemote ? shown["thread-id"] : payload["thread-identifier"])?.string
  }
  /// The identifier of the category, whose actions are shown.
  public var categoryIdentifier: String? {
    (isRemote ? shown["category"] : payload["category-identifier"])?.string
  }
  /// The identifier of the content that a remote notification is about, by which a scene is chosen.
  public var targetContentIdentifier: String? {
    (isRemote ? shown["target-content-id"] : payload["target-content-id"])?.string
  }
  /// The application's own entries; those of a remote notification are its payload, as the server has sent it.
  public var userInfo: [String: PropertyList] {
    guard isRemote else { return payload["user-info"]?.dictionary ?? [:] }
    var entries = payload.dictionary ?? [:]
    // The user's reaction, which `NotificationResponse` has.
    entries["action-identifier"] = nil
    entries["user-text"] = nil
    return entries
  }

  /// A Boolean value that is `true` if a remote notification is for the background, and not to be shown.
  var isForBackground: Bool { RemoteNotification(payload: payload).isForBackground }
  /// A Boolean value that is `true` if a remote notification that is to be shown arrives in the background, too.
  var isAlsoForBackground: Bool { shown["content-available"]?.integer == 0 }
}
