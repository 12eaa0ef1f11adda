// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The interface of file managers, `org.freedesktop.FileManager1` (File Manager D-Bus Interface).
public enum FileManagerInterface {
  /// The object of the desktop's file manager.
  public static let fileManager = RemoteObject(
    "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1")
  /// Shows each file, selected in the window of its directory; the second argument is an activation token.
  public static let showItems = BusMethod<Arguments<[String], String>, Arguments<>>(
    "ShowItems", of: "org.freedesktop.FileManager1", takes: ["URIs", "StartupId"])
}
