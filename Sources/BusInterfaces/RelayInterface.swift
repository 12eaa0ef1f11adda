// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The interface `org.usher.Relay1`, documented in `desktop/org.usher.Relay1.xml`.
public enum RelayInterface {
  /// The name of the interface.
  public static let name: InterfaceName = "org.usher.Relay1"
  /// The path of the relay's object, which is called by the unique name of the relay.
  public static let path: ObjectPath = "/org/usher/Relay1"

  /// Asks whether the answer of a sign-in could be carried, before the user is asked about the sign-in.
  public static let admitSignIn = BusMethod<Arguments<String, UInt32>, Arguments<>>(
    "AdmitSignIn", of: name, takes: ["request_id", "port"])

  /// Waits for the answer of a sign-in that the user has allowed.
  public static let expectRedirect = BusMethod<
    Arguments<String, String, String, UInt32, String, String>, Arguments<>
  >(
    "ExpectRedirect", of: name, takes: ["request_id", "site", "host", "port", "path", "state"])

  /// Ends the registration of a scheme, as the user has requested.
  public static let endRegistration = BusMethod<Arguments<String>, Arguments<>>(
    "EndRegistration", of: name, takes: ["scheme"])
}
