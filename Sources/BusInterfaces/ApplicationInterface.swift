// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The interface `org.freedesktop.Application` (Desktop Entry Specification, "D-Bus Activation").
public enum ApplicationInterface {
  /// The name of the interface.
  public static let name: InterfaceName = "org.freedesktop.Application"
  /// The bus name under which the broker itself serves this interface.
  public static let handlerBusName: BusName = "org.usher.Handler"
  /// The object path of that name.
  public static let handlerPath: ObjectPath = "/org/usher/Handler"

  /// Starts the application, or brings it to the front.
  public static let activate = BusMethod<Arguments<[String: Variant]>, Arguments<>>(
    "Activate", of: name, takes: ["platform_data"])
  /// Opens URLs.
  public static let open = BusMethod<Arguments<[String], [String: Variant]>, Arguments<>>(
    "Open", of: name, takes: ["uris", "platform_data"])
  /// Performs an action of the application; the parameter has at most one element.
  public static let activateAction = BusMethod<Arguments<String, [Variant], [String: Variant]>, Arguments<>>(
    "ActivateAction", of: name, takes: ["action_name", "parameter", "platform_data"])

  /// Returns the path of an application's object: `/` and its ID, with `.` as `/` and `-` as `_`.
  ///
  /// `nil` if the ID is not a valid well-known bus name, so that the application cannot be called.
  public static func path(of applicationID: String) -> ObjectPath? {
    guard let name = BusName(applicationID), !name.isUnique else { return nil }
    return ObjectPath("/" + String(applicationID.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 }))
  }
}
