public import DBus

/// `org.usher.Application1`, what an application serves that is written for Usher;
/// `desktop/org.usher.Application1.xml` documents it.
///
/// The object is the one at ``ApplicationInterface/path(of:)``.
public enum Application1Interface {
  /// The interface; a desktop entry names it in `Implements`.
  public static let name: InterfaceName = "org.usher.Application1"

  /// Hands over a request; see ``Envelope`` and ``Reply``.
  public static let deliver = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
    "Deliver", of: name, takes: ["envelope"], returns: ["reply"])
  /// Withdraws a request that was handed over.
  public static let cancel = BusMethod<Arguments<String>, Arguments<>>(
    "Cancel", of: name, takes: ["request_id"])
}
