public import DBus

/// `org.usher.Application1`, which an application serves at its `org.freedesktop.Application` path.
public enum Application1Interface {
  /// The interface.
  public static let name: InterfaceName = "org.usher.Application1"

  /// Hands one request over; the envelope is an `Envelope`, the result a `Reply`.
  public static let deliver = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
    "Deliver", of: name, takes: ["envelope"], returns: ["reply"])
  /// Says that nobody waits for a request any more.
  public static let cancel = BusMethod<Arguments<String>, Arguments<>>(
    "Cancel", of: name, takes: ["request_id"])
  /// Says which scene would get an envelope, and why; nothing is handed over.
  public static let explain = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
    "Explain", of: name, takes: ["envelope"], returns: ["explanation"])
  /// Tells the broker how far the handling of a request is; the progress is a `RequestProgress`.
  public static let progress = BusSignal<Arguments<String, [String: Variant]>>(
    "Progress", of: name, carries: ["request_id", "progress"])
}
