public import DBus

/// `org.freedesktop.Notifications`: what Usher uses of it (Desktop Notifications Specification 1.2).
public enum NotificationsInterface {
  /// Its name.
  public static let name: InterfaceName = "org.freedesktop.Notifications"
  /// Where the desktop's server is.
  public static let server = RemoteObject("org.freedesktop.Notifications", "/org/freedesktop/Notifications")
  /// What the server can do, as `body-markup`.
  public static let getCapabilities = BusMethod<Arguments<>, Arguments<[String]>>(
    "GetCapabilities", of: name, returns: ["capabilities"])
  /// Shows a notification.
  public static let notify = BusMethod<
    Arguments<String, UInt32, String, String, String, [String], [String: Variant], Int32>, Arguments<UInt32>
  >(
    "Notify", of: name,
    takes: ["app_name", "replaces_id", "app_icon", "summary", "body", "actions", "hints", "expire_timeout"],
    returns: ["id"])

  /// `text` as a body that a server shows as it is.
  ///
  /// - Parameter takesMarkup: whether the server takes `<` and `&` for markup.
  public static func body(_ text: String, takesMarkup: Bool) -> String {
    guard takesMarkup else { return text }
    return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
