// SPDX-License-Identifier: Apache-2.0
/// The standard interface of objects with properties (D-Bus Specification, "org.freedesktop.DBus.Properties").
public enum PropertiesInterface {
  static let name: InterfaceName = "org.freedesktop.DBus.Properties"

  /// Returns all properties of an interface.
  public static let getAll = BusMethod<Arguments<String>, Arguments<[String: Variant]>>(
    "GetAll", of: name, takes: ["interface"], returns: ["properties"])
  /// Reports that properties of an interface have other values.
  public static let propertiesChanged = BusSignal<Arguments<String, [String: Variant], [String]>>(
    "PropertiesChanged", of: name, carries: ["interface", "changed", "invalidated"])
}
