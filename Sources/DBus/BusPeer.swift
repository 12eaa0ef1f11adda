/// The interface that every connection has, at each of its objects (D-Bus Specification, "org.freedesktop.DBus.Peer").
public enum BusPeer {
  /// Is answered as soon as it is read, before all that comes after it.
  public static let ping = BusMethod<Arguments<>, Arguments<>>("Ping", of: "org.freedesktop.DBus.Peer")
}
