// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Scenes

/// The content of a notification.
public class UNNotificationContent {
  fileprivate var stored: NotificationContent
  fileprivate var info: [AnyHashable: Any]

  fileprivate init(_ content: NotificationContent, userInfo: [AnyHashable: Any]) {
    stored = content
    info = userInfo
  }

  /// Creates an empty content.
  public init() {
    stored = NotificationContent()
    info = [:]
  }

  convenience init(_ content: NotificationContent) {
    self.init(content, userInfo: content.userInfo.mapValues(\.foundation))
  }

  /// The content of a notification that the application receives.
  convenience init(_ notification: UserNotification) {
    self.init(
      NotificationContent(
        title: notification.title, subtitle: notification.subtitle, body: notification.body,
        badge: notification.badge.map(UInt32.init(clamping:)), sound: notification.sound,
        threadIdentifier: notification.threadIdentifier, categoryIdentifier: notification.categoryIdentifier,
        targetContentID: notification.targetContentIdentifier),
      userInfo: notification.userInfo.mapValues(\.foundation))
  }

  /// The title.
  public var title: String { stored.title ?? "" }
  /// The subtitle.
  public var subtitle: String { stored.subtitle ?? "" }
  /// The text.
  public var body: String { stored.body ?? "" }
  /// The number on the application's icon; `nil` leaves it unchanged.
  public var badge: NSNumber? { stored.badge.map { NSNumber(value: $0) } }
  /// The sound; `nil` for none.
  public var sound: UNNotificationSound? { stored.sound.map(UNNotificationSound.init(text:)) }
  /// The data of the application: values of a property list.
  public var userInfo: [AnyHashable: Any] { info }
  /// The category, which determines the actions.
  public var categoryIdentifier: String { stored.categoryIdentifier ?? "" }
  /// The identifier that the notifications of one conversation share.
  public var threadIdentifier: String { stored.threadIdentifier ?? "" }
  /// The identifier of the content, by which a scene is chosen.
  public var targetContentIdentifier: String? { stored.targetContentID }

  /// The content of `Scenes`.
  ///
  /// - Throws: ``NoPropertyList`` if the data of the application is no property list.
  var content: NotificationContent {
    get throws {
      var content = stored
      for (key, value) in info {
        guard let key = key.base as? String, let value = PropertyList(foundation: value) else {
          throw NoPropertyList(key: "\(key.base)")
        }
        content.userInfo[key] = value
      }
      return content
    }
  }

  /// Returns a mutable copy.
  public func mutableCopy() -> Any { UNMutableNotificationContent(stored, userInfo: info) }
}

/// The content of a notification that the application creates.
public final class UNMutableNotificationContent: UNNotificationContent {
  /// The title.
  override public var title: String {
    get { super.title }
    set { stored.title = newValue }
  }
  /// The subtitle.
  override public var subtitle: String {
    get { super.subtitle }
    set { stored.subtitle = newValue }
  }
  /// The text.
  override public var body: String {
    get { super.body }
    set { stored.body = newValue }
  }
  /// The number on the application's icon; `nil` leaves it unchanged.
  override public var badge: NSNumber? {
    get { super.badge }
    set { stored.badge = newValue.map { UInt32(clamping: $0.intValue) } }
  }
  /// The sound; `nil` for none.
  override public var sound: UNNotificationSound? {
    get { super.sound }
    set { stored.sound = newValue?.text }
  }
  /// The data of the application: values of a property list.
  override public var userInfo: [AnyHashable: Any] {
    get { super.userInfo }
    set { info = newValue }
  }
  /// The category, which determines the actions.
  override public var categoryIdentifier: String {
    get { super.categoryIdentifier }
    set { stored.categoryIdentifier = newValue.isEmpty ? nil : newValue }
  }
  /// The identifier that the notifications of one conversation share.
  override public var threadIdentifier: String {
    get { super.threadIdentifier }
    set { stored.threadIdentifier = newValue.isEmpty ? nil : newValue }
  }
  /// The identifier of the content, by which a scene is chosen.
  override public var targetContentIdentifier: String? {
    get { super.targetContentIdentifier }
    set { stored.targetContentID = newValue }
  }
}

/// A sound of the desktop's sound theme.
public struct UNNotificationSound: Hashable, Sendable {
  /// The default sound.
  public static let `default` = Self(text: "default")

  let text: String
  init(text: String) { self.text = text }

  /// Creates the sound of a name, such as `message-new-instant`.
  public init(named name: UNNotificationSoundName) { text = name.rawValue }
}

/// The name of a sound.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// Creates a name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The error of a notification whose `userInfo` has an entry that is no property list.
struct NoPropertyList: LocalizedError {
  let key: String
  var errorDescription: String? {
    "the entry “\(key)” of userInfo is no property list; use texts, numbers, Boolean values, dates, data, arrays and dictionaries"
  }
}
