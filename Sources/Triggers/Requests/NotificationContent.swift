// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// The content of a notification: what is shown to the user and delivered to the application.
public struct NotificationContent: Hashable, Sendable {
  /// `title` s: the first line.
  public var title: String?
  /// `subtitle` s: the line after the title.
  public var subtitle: String?
  /// `body` s: the text, which may have several lines.
  public var body: String?
  /// `badge` u: the number on the icon of the application; 0 removes it, and `nil` does not change it.
  public var badge: UInt32?
  /// `sound` s: `default`, or a name of the sound theme; `nil` for no sound.
  public var sound: String?
  /// `user-info` a{sv}: data of the application, which is never shown or logged.
  public var userInfo: [String: PropertyList] = [:]
  /// `thread-identifier` s: an identifier that the notifications of one conversation share.
  public var threadIdentifier: String?
  /// `category-identifier` s: the category whose actions are shown.
  public var categoryIdentifier: String?
  /// `actions` aa{sv}: the actions of this notification alone, if it has no category.
  public var actions: [NotificationCategory.Action] = []
  /// `target-content-id` s: the content that the notification is about.
  public var targetContentID: String?

  /// Creates a content; one without a title and a body needs a badge.
  public init(
    title: String? = nil, subtitle: String? = nil, body: String? = nil, badge: UInt32? = nil,
    sound: String? = nil, userInfo: [String: PropertyList] = [:], threadIdentifier: String? = nil,
    categoryIdentifier: String? = nil, targetContentID: String? = nil
  ) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.badge = badge
    self.sound = sound
    self.userInfo = userInfo
    self.threadIdentifier = threadIdentifier
    self.categoryIdentifier = categoryIdentifier
    self.targetContentID = targetContentID
  }

  /// A Boolean value that is `true` if there is a text to show, and not only a badge.
  public var isShown: Bool { title != nil || subtitle != nil || body != nil }

  init(_ fields: PropertyListFields) throws(MessageError) {
    title = try fields.shownText("title")
    subtitle = try fields.shownText("subtitle")
    body = try fields.shownText("body", lines: true)
    badge = try fields.integer("badge", 0...Int64(UInt32.max)).map(UInt32.init(truncatingIfNeeded:))
    sound = try fields.identifier("sound")
    userInfo = try fields.dictionary("user-info") ?? [:]
    threadIdentifier = try fields.identifier("thread-identifier")
    categoryIdentifier = try fields.identifier("category-identifier")
    actions = try NotificationCategory.Action.list(in: fields)
    targetContentID = try fields.shownText("target-content-id")
    guard title != nil || body != nil || badge != nil else { throw fields.missing("title") }
  }

  /// The content as a property list, without absent values.
  public var propertyList: [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    entries.set("title", title)
    entries.set("subtitle", subtitle)
    entries.set("body", body)
    entries["badge"] = badge.map { .integer(Int64($0)) }
    entries.set("sound", sound)
    if !userInfo.isEmpty { entries["user-info"] = .dictionary(userInfo) }
    entries.set("thread-identifier", threadIdentifier)
    entries.set("category-identifier", categoryIdentifier)
    if !actions.isEmpty { entries["actions"] = .array(actions.map(\.propertyList)) }
    entries.set("target-content-id", targetContentID)
    return entries
  }
}
