public import DBus

/// `org.usher.Broker1`, the broker's own door; `desktop/org.usher.Broker1.xml` documents it.
public enum BrokerInterface {
  /// The interface.
  public static let name: InterfaceName = "org.usher.Broker1"
  /// The broker's object on its own name.
  public static let broker = BusAddressee("org.usher.Broker1", "/org/usher/Broker1")
  /// The broker as a freedesktop application, where ``ApplicationInterface`` is served.
  public static let handler = BusAddressee("org.usher.Handler", "/org/usher/Handler")

  /// Opens URLs; see ``OpenOptions`` and ``Receipt``.
  public static let open = BusMethod<
    Arguments<[String], [String: Variant]>, Arguments<[String: Variant]>
  >("Open", of: name, takes: ["uris", "options"], returns: ["receipt"])
  /// Whether some application opens URLs like this one.
  public static let canOpen = BusMethod<Arguments<String>, Arguments<Bool>>(
    "CanOpen", of: name, takes: ["uri"], returns: ["can_open"])
  /// What ``open`` would do, and why, without doing it.
  public static let explain = BusMethod<
    Arguments<String, [String: Variant]>, Arguments<[String: Variant]>
  >("Explain", of: name, takes: ["uri", "options"], returns: ["explanation"])
  /// Withdraws a request of the caller's own.
  public static let cancel = BusMethod<Arguments<String>, Arguments<>>(
    "Cancel", of: name, takes: ["request_id"])
  /// What the broker is doing.
  public static let status = BusMethod<Arguments<>, Arguments<[String: Variant]>>(
    "Status", of: name, returns: ["status"])
  /// Sent to the caller of ``open`` alone, each time a delivery gets further.
  public static let progress = BusSignal<Arguments<String, String, String>>(
    "Progress", of: name, carries: ["request_id", "outcome", "application"])
  /// The version of Usher, as `usher --version` prints it.
  public static let version = BusProperty<String>("Version", of: name)
}
