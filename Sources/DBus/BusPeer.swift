// SPDX-License-Identifier: Apache-2.0
/// The interface that every connection has, at each of its objects (D-Bus Specification, "org.freedesktop.DBus.Peer").
public enum BusPeer {
  /// Returns an empty reply, sent as soon as the call is read and before later messages are handled.
  public static let ping = BusMethod<Arguments<>, Arguments<>>("Ping", of: "org.freedesktop.DBus.Peer")
}
