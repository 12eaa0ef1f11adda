// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// The user's reaction to a notification.
public struct NotificationReaction: Hashable, Sendable {
  /// The action: `default`, `dismiss`, or that of a category.
  public var action: String
  /// The text that the user entered.
  public var text: String?

  /// Creates a response.
  public init(action: String, text: String? = nil) {
    self.action = action
    self.text = text
  }
}

extension NotificationRequest {
  /// Returns the payload that the application receives.
  ///
  /// - Parameters:
  ///   - date: when the notification was due.
  ///   - response: the user's reaction; `nil` if the notification is due.
  public func payload(date: WallTime, response: NotificationReaction? = nil) -> PropertyList {
    if let remotePayload { return Self.payload(remotePayload, response: response) }
    var alert: [String: PropertyList] = [:]
    alert.set("title", content.title)
    alert.set("subtitle", content.subtitle)
    alert.set("body", content.body)
    var entries = content.propertyList
    for key in ["title", "subtitle", "body", "target-content-id", "actions"] { entries[key] = nil }
    entries["identifier"] = .string(identifier)
    if !alert.isEmpty { entries["alert"] = .dictionary(alert) }
    entries["date"] = .integer(date.milliseconds)
    entries.set("action-identifier", response?.action)
    entries.set("user-text", response?.text.map(Self.shortened))
    return .dictionary(entries)
  }

  /// Returns what a server has sent, with the user's reaction.
  ///
  /// Without a reaction it has no `content-available`, because the application is not asked to fetch anything then. The value 0
  /// announces that the application receives the message in the background, too.
  private static func payload(_ sent: PropertyList, response: NotificationReaction?) -> PropertyList {
    var entries = sent.dictionary ?? [:]
    entries.set("action-identifier", response?.action)
    entries.set("user-text", response?.text.map(shortened))
    if response == nil, var fields = entries["aps"]?.dictionary {
      fields["content-available"] = RemoteNotification(payload: sent).isForBackground ? 0 : nil
      entries["aps"] = .dictionary(fields)
    }
    return .dictionary(entries)
  }

  /// Returns the text without U+0000, cut to the maximum length of a text between two characters.
  private static func shortened(_ text: String) -> String {
    String(text.filter { $0 != "\0" }.prefix(bytes: NotificationLimits.text))
  }
}
