// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The interface `org.usher.Broker1`, documented in `desktop/org.usher.Broker1.xml`.
public enum BrokerInterface {
  /// The name of the interface.
  public static let name: InterfaceName = "org.usher.Broker1"
  /// The broker's bus name.
  public static let busName: BusName = "org.usher.Broker1"
  /// The path of the broker's object.
  public static let path: ObjectPath = "/org/usher/Broker1"
  /// The broker's object on the bus.
  public static let broker = RemoteObject(busName, path)

  /// Opens URLs; the options are `OpenOptions`, the result a `Receipt`.
  public static let open = BusMethod<Arguments<[String], [String: Variant]>, Arguments<[String: Variant]>>(
    "Open", of: name, takes: ["uris", "options"], returns: ["receipt"])
  /// Returns whether an application would open a URL.
  public static let canOpen = BusMethod<Arguments<String>, Arguments<Bool>>(
    "CanOpen", of: name, takes: ["uri"], returns: ["can_open"])
  /// Returns the decision on a URL with its reasons, without delivering it.
  public static let explain = BusMethod<Arguments<String, [String: Variant]>, Arguments<[String: Variant]>>(
    "Explain", of: name, takes: ["uri", "options"], returns: ["explanation"])
  /// Cancels a request of the caller.
  public static let cancel = BusMethod<Arguments<String>, Arguments<>>(
    "Cancel", of: name, takes: ["request_id"])
  /// Returns the outcomes of earlier requests, newest first.
  public static let history = BusMethod<Arguments<[String: Variant]>, Arguments<[[String: Variant]]>>(
    "History", of: name, takes: ["options"], returns: ["entries"])
  /// Returns the stored grants, newest first.
  public static let grants = BusMethod<Arguments<[String: Variant]>, Arguments<[[String: Variant]]>>(
    "Grants", of: name, takes: ["options"], returns: ["grants"])
  /// Stores a grant without a prompt.
  public static let allow = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
    "Allow", of: name, takes: ["grant"], returns: ["stored"])
  /// Revokes grants.
  public static let revoke = BusMethod<Arguments<[String: Variant]>, Arguments<UInt32>>(
    "Revoke", of: name, takes: ["options"], returns: ["count"])
  /// Returns whether the user allows something to an application, and asks the user if necessary; the result is a `PermissionStatus`.
  public static let requestPermission = BusMethod<
    Arguments<String, String, [String: Variant]>, Arguments<String>
  >(
    "RequestPermission", of: name, takes: ["application", "permission", "options"], returns: ["status"])
  /// Registers a scheme for a program on another machine, and asks the user before; the result is the bus name to which links are delivered.
  public static let registerScheme = BusMethod<Arguments<String, [String: Variant]>, Arguments<String>>(
    "RegisterScheme", of: name, takes: ["scheme", "options"], returns: ["application"])
  /// Ends the registration of a scheme for a program on another machine; the result is the machine.
  public static let unregisterScheme = BusMethod<Arguments<String, [String: Variant]>, Arguments<String>>(
    "UnregisterScheme", of: name, takes: ["scheme", "options"], returns: ["remote"])
  /// Reports to `usher-triggers` that an answer about a permission was stored or removed.
  public static let permissionsChanged = BusSignal<Arguments<>>(
    "PermissionsChanged", of: name, carries: [])
  /// Returns a descriptor with a live stream of events, one JSON value on each line.
  public static let monitor = BusMethod<Arguments<[String: Variant]>, Arguments<UnixFD>>(
    "Monitor", of: name, takes: ["options"], returns: ["stream"])
  /// Returns the status of the broker.
  public static let status = BusMethod<Arguments<>, Arguments<[String: Variant]>>(
    "Status", of: name, returns: ["status"])
  /// The version of the interface and of the program, such as `0.2.0`.
  public static let version = BusProperty<String>("Version", of: name)
  /// Reports to the caller of `Open` which outcome its request has reached.
  public static let progress = BusSignal<Arguments<String, String, String>>(
    "Progress", of: name, carries: ["request_id", "outcome", "application"])
  /// Reports to the caller of `Open` that a prompt about its request is shown.
  public static let prompting = BusSignal<Arguments<String>>(
    "Prompting", of: name, carries: ["request_id"])
  /// Reports to the caller of `Open` how far an application is in handling it; the progress is a `RequestProgress`.
  public static let handling = BusSignal<Arguments<String, String, [String: Variant]>>(
    "Handling", of: name, carries: ["request_id", "application", "progress"])
}
