// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The interface `org.usher.Application1`, which an application serves at its `org.freedesktop.Application` path.
public enum Application1Interface {
  /// The name of the interface.
  public static let name: InterfaceName = "org.usher.Application1"

  /// Delivers a request; the envelope is an `Envelope`, the result a `Reply`.
  public static let deliver = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
    "Deliver", of: name, takes: ["envelope"], returns: ["reply"], replyLimit: .standard)
  /// Notifies the application that the caller no longer waits for a request.
  public static let cancel = BusMethod<Arguments<String>, Arguments<>>(
    "Cancel", of: name, takes: ["request_id"])
  /// Returns the scene that would receive an envelope, and the reason; nothing is delivered.
  public static let explain = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
    "Explain", of: name, takes: ["envelope"], returns: ["explanation"], replyLimit: .standard)
  /// Reports the progress of a request to the broker; the progress is a `RequestProgress`.
  public static let progress = BusSignal<Arguments<String, [String: Variant]>>(
    "Progress", of: name, carries: ["request_id", "progress"])
}
