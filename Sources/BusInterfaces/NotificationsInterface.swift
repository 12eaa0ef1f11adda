// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The part of `org.freedesktop.Notifications` that Usher uses (Desktop Notifications Specification 1.3).
public enum NotificationsInterface {
  /// The name of the interface.
  public static let name: InterfaceName = "org.freedesktop.Notifications"
  /// The object of the desktop's notification server.
  public static let server = RemoteObject("org.freedesktop.Notifications", "/org/freedesktop/Notifications")
  /// Returns the capabilities of the server, such as `body-markup`.
  public static let getCapabilities = BusMethod<Arguments<>, Arguments<[String]>>(
    "GetCapabilities", of: name, returns: ["capabilities"])
  /// Returns the name, the vendor and the version of the server, and the version of the specification.
  public static let getServerInformation = BusMethod<Arguments<>, Arguments<String, String, String, String>>(
    "GetServerInformation", of: name, returns: ["name", "vendor", "version", "spec_version"])
  /// Shows a notification.
  public static let notify = BusMethod<
    Arguments<String, UInt32, String, String, String, [String], [String: Variant], Int32>, Arguments<UInt32>
  >(
    "Notify", of: name,
    takes: ["app_name", "replaces_id", "app_icon", "summary", "body", "actions", "hints", "expire_timeout"],
    returns: ["id"])
  /// Removes a notification.
  public static let closeNotification = BusMethod<Arguments<UInt32>, Arguments<>>(
    "CloseNotification", of: name, takes: ["id"])
  /// The user chose an action.
  public static let actionInvoked = BusSignal<Arguments<UInt32, String>>(
    "ActionInvoked", of: name, carries: ["id", "action_key"])
  /// A token with which the application of the notification may come to the front; it precedes ``actionInvoked``.
  public static let activationToken = BusSignal<Arguments<UInt32, String>>(
    "ActivationToken", of: name, carries: ["id", "activation_token"])
  /// The notification is no longer shown.
  public static let notificationClosed = BusSignal<Arguments<UInt32, UInt32>>(
    "NotificationClosed", of: name, carries: ["id", "reason"])

  /// Returns new keys for the actions of a notification, which no other program can guess.
  ///
  /// Some servers let every program replace the notification of another (`replaces_id`), and report the user's choice there with the
  /// number of the replaced one. The keys show whether the user has seen the notification of this program.
  public static func actionKeys(_ count: Int) -> [String] {
    let secret = RequestID.random()
    return (0..<count).map { "\(secret)-\($0)" }
  }

  /// Returns `text` as a notification body that the server shows literally.
  ///
  /// - Parameter takesMarkup: whether the server interprets `<` and `&` as markup.
  public static func body(_ text: String, takesMarkup: Bool) -> String {
    guard takesMarkup else { return text }
    return text.escapedAsMarkup
  }
}
