// SPDX-License-Identifier: Apache-2.0
/// The interface of the bus itself (D-Bus Specification, "Message Bus Messages").
public enum BusDaemon {
  static let interface: InterfaceName = "org.freedesktop.DBus"

  /// Returns the identity of the bus, which changes with a restart.
  public static let getID = BusMethod<Arguments<>, Arguments<String>>("GetId", of: interface, returns: ["id"])
  /// Returns the unique name of a name's owner.
  public static let getNameOwner = BusMethod<Arguments<String>, Arguments<String>>(
    "GetNameOwner", of: interface, takes: ["name"], returns: ["unique_name"])
  /// Starts the program of the activation file for a name.
  public static let startServiceByName = BusMethod<Arguments<String, UInt32>, Arguments<UInt32>>(
    "StartServiceByName", of: interface, takes: ["name", "flags"], returns: ["result"])
  /// Returns the names that have an owner.
  public static let listNames = BusMethod<Arguments<>, Arguments<[String]>>(
    "ListNames", of: interface, returns: ["names"])
  /// Returns the names for which an activation file exists.
  public static let listActivatableNames = BusMethod<Arguments<>, Arguments<[String]>>(
    "ListActivatableNames", of: interface, returns: ["names"])
  /// Reads the activation files again.
  public static let reloadConfig = BusMethod<Arguments<>, Arguments<>>("ReloadConfig", of: interface)
  static let requestName = BusMethod<Arguments<String, UInt32>, Arguments<UInt32>>(
    "RequestName", of: interface, takes: ["name", "flags"], returns: ["result"])
  static let releaseName = BusMethod<Arguments<String>, Arguments<UInt32>>(
    "ReleaseName", of: interface, takes: ["name"], returns: ["result"])
  /// Returns the credentials of a name's owner.
  public static let getConnectionCredentials = BusMethod<Arguments<String>, Arguments<[String: Variant]>>(
    "GetConnectionCredentials", of: interface, takes: ["name"], returns: ["credentials"])
  /// Reports that a name has another owner, or none.
  public static let nameOwnerChanged = BusSignal<Arguments<String, String, String>>(
    "NameOwnerChanged", of: interface, carries: ["name", "old_owner", "new_owner"])
}
