// SPDX-License-Identifier: Apache-2.0
import DBus

/// The notifications that the user allows and the desktop supports, corresponding to `UNNotificationSettings`.
public struct NotificationSettings: Hashable, Sendable {
  /// The user's answer to the request for authorization.
  public enum AuthorizationStatus: String, Hashable, Sendable {
    /// The user was not asked.
    case notDetermined = "not-determined"
    /// The user, or the administrator, does not allow notifications.
    case denied
    /// The user allows notifications.
    case authorized
  }

  /// The setting of one way to notify the user.
  public enum Setting: String, Hashable, Sendable {
    /// The desktop cannot do it.
    case notSupported = "not-supported"
    /// The application has not requested it, or the user does not allow it.
    case disabled
    /// It is allowed.
    case enabled
  }

  /// The user's answer.
  public var authorizationStatus: AuthorizationStatus
  /// The setting of texts.
  public var alertSetting: Setting
  /// The setting of sounds.
  public var soundSetting: Setting
  /// The setting of numbers on the icon.
  public var badgeSetting: Setting
  /// A Boolean value that indicates whether the notification server shows the actions of a category.
  public var showsActions: Bool
  /// A Boolean value that indicates whether the notification server lets the user enter a text.
  public var acceptsText: Bool

  /// Creates settings.
  public init(
    authorizationStatus: AuthorizationStatus, alertSetting: Setting, soundSetting: Setting,
    badgeSetting: Setting, showsActions: Bool, acceptsText: Bool
  ) {
    self.authorizationStatus = authorizationStatus
    self.alertSetting = alertSetting
    self.soundSetting = soundSetting
    self.badgeSetting = badgeSetting
    self.showsActions = showsActions
    self.acceptsText = acceptsText
  }

  /// Reads the reply of `NotificationSettings`; a value of a later version counts as the most restrictive one.
  init(_ entries: [String: Variant]) {
    func setting(_ key: String) -> Setting { entries[key]?.string.flatMap(Setting.init) ?? .notSupported }
    self.init(
      authorizationStatus: entries["authorization"]?.string.flatMap(AuthorizationStatus.init) ?? .denied,
      alertSetting: setting("alert"), soundSetting: setting("sound"), badgeSetting: setting("badge"),
      showsActions: entries["actions"]?.boolean ?? false,
      acceptsText: entries["inline-reply"]?.boolean ?? false)
  }
}
