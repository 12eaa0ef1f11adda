// SPDX-License-Identifier: Apache-2.0
import DBus

/// The part of `org.freedesktop.impl.portal.PermissionStore`, version 2, that Usher uses.
enum PermissionStoreInterface {
  static let name: InterfaceName = "org.freedesktop.impl.portal.PermissionStore"
  /// The object of the store, which the bus starts if a portal is installed.
  static let store = RemoteObject(
    "org.freedesktop.impl.portal.PermissionStore", "/org/freedesktop/impl/portal/PermissionStore")
  /// The table in which the portal stores the applications that the user chose in its chooser, by MIME type.
  static let choices = "desktop-used-apps"

  /// Returns the MIME types of a table; none for a table that does not exist.
  static let list = BusMethod<Arguments<String>, Arguments<[String]>>(
    "List", of: name, takes: ["table"], returns: ["ids"])
  /// Returns the permissions of a MIME type by application, and the data of the type.
  static let lookup = BusMethod<Arguments<String, String>, Arguments<[String: [String]], Variant>>(
    "Lookup", of: name, takes: ["table", "id"], returns: ["permissions", "data"])
  /// Removes the permissions of one application for a MIME type.
  static let deletePermission = BusMethod<Arguments<String, String, String>, Arguments<>>(
    "DeletePermission", of: name, takes: ["table", "id", "app"])
}

extension ErrorName {
  /// The store has no such entry.
  static let portalNotFound: ErrorName = "org.freedesktop.portal.Error.NotFound"
}
