public import DBus

/// `org.freedesktop.Application` (Desktop Entry Specification, "D-Bus Activation").
public enum ApplicationInterface {
  /// The interface.
  public static let name: InterfaceName = "org.freedesktop.Application"
  /// The name under which the broker itself takes this interface's calls.
  public static let handlerBusName: BusName = "org.usher.Handler"
  /// The object of that name.
  public static let handlerPath: ObjectPath = "/org/usher/Handler"

  /// Starts the application, or brings it to the front.
  public static let activate = BusMethod<Arguments<[String: Variant]>, Arguments<>>(
    "Activate", of: name, takes: ["platform_data"])
  /// Opens URLs.
  public static let open = BusMethod<Arguments<[String], [String: Variant]>, Arguments<>>(
    "Open", of: name, takes: ["uris", "platform_data"])
  /// Performs one of the application's actions; the parameter has no element or one.
  public static let activateAction = BusMethod<Arguments<String, [Variant], [String: Variant]>, Arguments<>>(
    "ActivateAction", of: name, takes: ["action_name", "parameter", "platform_data"])

  /// Where an application's object is: `/` and its ID, with `.` as `/` and `-` as `_`.
  ///
  /// `nil` when the ID is no valid well-known bus name: nothing can be called there then.
  public static func path(of applicationID: String) -> ObjectPath? {
    guard let name = BusName(applicationID), !name.isUnique else { return nil }
    return ObjectPath("/" + String(applicationID.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 }))
  }
}
