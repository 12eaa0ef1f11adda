// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The part of `org.freedesktop.portal.OpenURI` that Usher uses inside a sandbox (XDG Desktop Portal, version 3).
public enum PortalInterface {
  /// The name of the interface.
  public static let name: InterfaceName = "org.freedesktop.portal.OpenURI"
  /// The portal of the desktop.
  public static let desktop = RemoteObject(
    "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
  /// Opens a URL that is not a `file:` URL.
  public static let openURI = BusMethod<Arguments<String, String, [String: Variant]>, Arguments<ObjectPath>>(
    "OpenURI", of: name, takes: ["parent_window", "uri", "options"], returns: ["handle"])
  /// Opens a file, which the portal makes accessible to the application.
  public static let openFile = BusMethod<Arguments<String, UnixFD, [String: Variant]>, Arguments<ObjectPath>>(
    "OpenFile", of: name, takes: ["parent_window", "fd", "options"], returns: ["handle"])
  /// Shows a file in the file manager.
  public static let openDirectory = BusMethod<
    Arguments<String, UnixFD, [String: Variant]>, Arguments<ObjectPath>
  >(
    "OpenDirectory", of: name, takes: ["parent_window", "fd", "options"], returns: ["handle"])
}
