// SPDX-License-Identifier: Apache-2.0
/// `org.freedesktop.DBus.Introspectable` (D-Bus Specification, "Standard Interfaces").
public enum Introspectable {
  /// Returns the interfaces of an object as an introspection document.
  public static let introspect = BusMethod<Arguments<>, Arguments<String>>(
    "Introspect", of: "org.freedesktop.DBus.Introspectable", returns: ["data"], replyLimit: .standard)
}
