public import DBus

/// `org.usher.Broker1`, as `desktop/org.usher.Broker1.xml` documents it.
public enum BrokerInterface {
  /// The interface, and the broker's name on the bus.
  public static let name: InterfaceName = "org.usher.Broker1"
  /// The name the broker is reached by.
  public static let busName: BusName = "org.usher.Broker1"
  /// The broker's object.
  public static let path: ObjectPath = "/org/usher/Broker1"
  /// The broker on the bus.
  public static let broker = RemoteObject(busName, path)

  /// Opens URLs; the options are `OpenOptions`, the result a `Receipt`.
  public static let open = BusMethod<Arguments<[String], [String: Variant]>, Arguments<[String: Variant]>>(
    "Open", of: name, takes: ["uris", "options"], returns: ["receipt"])
  /// Whether an application would open a URL.
  public static let canOpen = BusMethod<Arguments<String>, Arguments<Bool>>(
    "CanOpen", of: name, takes: ["uri"], returns: ["can_open"])
  /// Decides without delivering, and says why.
  public static let explain = BusMethod<Arguments<String, [String: Variant]>, Arguments<[String: Variant]>>(
    "Explain", of: name, takes: ["uri", "options"], returns: ["explanation"])
  /// Gives up a request of the same caller.
  public static let cancel = BusMethod<Arguments<String>, Arguments<>>(
    "Cancel", of: name, takes: ["request_id"])
  /// What became of earlier requests; the newest first.
  public static let history = BusMethod<Arguments<[String: Variant]>, Arguments<[[String: Variant]]>>(
    "History", of: name, takes: ["options"], returns: ["entries"])
  /// What people have allowed and refused; the last one first.
  public static let grants = BusMethod<Arguments<[String: Variant]>, Arguments<[[String: Variant]]>>(
    "Grants", of: name, takes: ["options"], returns: ["grants"])
  /// Keeps an answer before it is asked for.
  public static let allow = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
    "Allow", of: name, takes: ["grant"], returns: ["kept"])
  /// Takes answers back.
  public static let revoke = BusMethod<Arguments<[String: Variant]>, Arguments<UInt32>>(
    "Revoke", of: name, takes: ["options"], returns: ["count"])
  /// Tells what happens from now on: JSON, a line each, from a descriptor.
  public static let monitor = BusMethod<Arguments<[String: Variant]>, Arguments<UnixFD>>(
    "Monitor", of: name, takes: ["options"], returns: ["stream"])
  /// How the broker is.
  public static let status = BusMethod<Arguments<>, Arguments<[String: Variant]>>(
    "Status", of: name, returns: ["status"])
  /// The version of the interface and of the program, as `0.1.0`.
  public static let version = BusProperty<String>("Version", of: name)
  /// Tells the caller of `Open` how far its request has come.
  public static let progress = BusSignal<Arguments<String, String, String>>(
    "Progress", of: name, carries: ["request_id", "outcome", "application"])
  /// Tells the caller of `Open` how far an application is with handling it; the progress is a `RequestProgress`.
  public static let handling = BusSignal<Arguments<String, String, [String: Variant]>>(
    "Handling", of: name, carries: ["request_id", "application", "progress"])
}
