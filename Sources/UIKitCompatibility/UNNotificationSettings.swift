// SPDX-License-Identifier: Apache-2.0
import Scenes

/// The user's answer to the request for authorization.
public enum UNAuthorizationStatus: Int, Sendable {
  /// The user was not asked.
  case notDetermined
  /// The user, or the administrator, does not allow notifications.
  case denied
  /// The user allows notifications.
  case authorized
  /// The notifications interrupt nothing; a desktop does not report it.
  case provisional
}

/// The setting of one way to notify the user.
public enum UNNotificationSetting: Int, Sendable {
  /// The desktop cannot do it.
  case notSupported
  /// The application has not requested it, or the user does not allow it.
  case disabled
  /// It is allowed.
  case enabled

  init(_ setting: NotificationSettings.Setting) {
    self =
      switch setting {
      case .notSupported: .notSupported
      case .disabled: .disabled
      case .enabled: .enabled
      }
  }
}

/// The notifications that the user allows and the desktop supports.
public struct UNNotificationSettings: Sendable {
  /// The user's answer.
  public let authorizationStatus: UNAuthorizationStatus
  /// The setting of texts.
  public let alertSetting: UNNotificationSetting
  /// The setting of sounds.
  public let soundSetting: UNNotificationSetting
  /// The setting of numbers on the icon.
  public let badgeSetting: UNNotificationSetting

  init(_ settings: NotificationSettings) {
    authorizationStatus =
      switch settings.authorizationStatus {
      case .notDetermined: .notDetermined
      case .denied: .denied
      case .authorized: .authorized
      }
    alertSetting = UNNotificationSetting(settings.alertSetting)
    soundSetting = UNNotificationSetting(settings.soundSetting)
    badgeSetting = UNNotificationSetting(settings.badgeSetting)
  }
}
