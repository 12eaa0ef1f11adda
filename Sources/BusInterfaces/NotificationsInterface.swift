// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The part of `org.freedesktop.Notifications` that Usher uses (Desktop Notifications Specification 1.2).
public enum NotificationsInterface {
  /// The name of the interface.
  public static let name: InterfaceName = "org.freedesktop.Notifications"
  /// The object of the desktop's notification server.
  public static let server = RemoteObject("org.freedesktop.Notifications", "/org/freedesktop/Notifications")
  /// Returns the capabilities of the server, such as `body-markup`.
  public static let getCapabilities = BusMethod<Arguments<>, Arguments<[String]>>(
    "GetCapabilities", of: name, returns: ["capabilities"])
  /// Shows a notification.
  public static let notify = BusMethod<
    Arguments<String, UInt32, String, String, String, [String], [String: Variant], Int32>, Arguments<UInt32>
  >(
    "Notify", of: name,
    takes: ["app_name", "replaces_id", "app_icon", "summary", "body", "actions", "hints", "expire_timeout"],
    returns: ["id"])

  /// Returns `text` as a notification body that the server shows literally.
  ///
  /// - Parameter takesMarkup: whether the server interprets `<` and `&` as markup.
  public static func body(_ text: String, takesMarkup: Bool) -> String {
    guard takesMarkup else { return text }
    return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
