// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import DBus

/// A notification and its trigger: the `request` of `org.usher.Triggers1.AddNotification`.
public struct NotificationRequest: Hashable, Sendable {
  /// `identifier` s: its identifier in the application.
  public var identifier: String
  /// `content` a{sv}: what is shown and delivered.
  public var content: NotificationContent
  /// `trigger` a{sv}: when it is due; `nil` for at once.
  public var trigger: NotificationTrigger?
  /// `payload` a{sv}: what a server has sent, of a remote notification; `nil` for a local one.
  ///
  /// Only ``init(stored:)`` reads it, so that no caller creates a remote notification.
  package var remotePayload: PropertyList?

  /// Creates a request.
  public init(
    identifier: String, content: NotificationContent, trigger: NotificationTrigger? = nil
  ) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
  }

  /// Reads a request.
  /// - Throws: ``MessageError`` with the key; the daemon replies `org.usher.Error.InvalidRequest`.
  public init(_ value: PropertyList) throws(MessageError) {
    let size = value.encodedSize
    guard size <= NotificationLimits.request else {
      throw MessageError(.tooLarge(bytes: size, limit: NotificationLimits.request))
    }
    let fields = try PropertyListFields(value)
    identifier = try fields.requiredIdentifier()
    guard let content = try fields.fields("content") else { throw fields.missing("content") }
    self.content = try NotificationContent(content)
    trigger = try fields.fields("trigger").map { fields throws(MessageError) in
      try NotificationTrigger(fields)
    }
  }

  /// Reads a request of the daemon's own: a stored one, or one that is shown.
  package init(stored value: PropertyList) throws(MessageError) {
    try self.init(value)
    remotePayload = value["payload"]
  }

  /// Creates a remote notification, which is due at once.
  package init(identifier: String, content: NotificationContent, remotePayload: PropertyList) {
    self.init(identifier: identifier, content: content)
    self.remotePayload = remotePayload
  }

  /// The reason for which the application receives the notification.
  package var reason: LaunchReason { remotePayload == nil ? .localNotification : .remoteNotification }

  /// Reads the `a{sv}` of the bus.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    try self.init(PropertyList(.dictionary(entries)))
  }

  /// The request as a property list.
  public var propertyList: PropertyList {
    var entries: [String: PropertyList] = [
      "identifier": .string(identifier), "content": .dictionary(content.propertyList),
    ]
    entries["trigger"] = trigger.map { .dictionary($0.propertyList) }
    entries["payload"] = remotePayload
    return .dictionary(entries)
  }

  /// The `a{sv}` on the bus.
  public var entries: [String: Variant] { propertyList.variant.entries ?? [:] }
}
