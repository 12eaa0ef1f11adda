// SPDX-License-Identifier: Apache-2.0
import DBus

/// The interfaces of UnifiedPush on D-Bus, versions 1 and 2.
enum UnifiedPush {
  /// The object of a distributor.
  static let distributorPath: ObjectPath = "/org/unifiedpush/Distributor"
  /// The object of a connector.
  static let connectorPath: ObjectPath = "/org/unifiedpush/Connector"

  /// The interfaces of a distributor: calls of the connector.
  enum Distributor {
    /// Registers a token, version 2: `{service s, token s, description s, vapid s}` to `{success s, reason s}`.
    static let register = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
      "Register", of: "org.unifiedpush.Distributor2", takes: ["args"], returns: ["res"])
    /// Removes a registration, version 2: `{token s}`.
    static let unregister = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
      "Unregister", of: "org.unifiedpush.Distributor2", takes: ["args"], returns: ["res"])
    /// Registers a token, version 1.
    static let register1 = BusMethod<Arguments<String, String, String>, Arguments<String, String>>(
      "Register", of: "org.unifiedpush.Distributor1", takes: ["serviceName", "token", "description"],
      returns: ["registrationResult", "registrationResultReason"])
    /// Removes a registration, version 1.
    static let unregister1 = BusMethod<Arguments<String>, Arguments<>>(
      "Unregister", of: "org.unifiedpush.Distributor1", takes: ["token"])
  }

  /// The interfaces of a connector: calls of the distributor.
  enum Connector {
    /// Passes a message on, version 2: `{token s, message ay, id s}` to `{id s}`.
    static let message = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
      "Message", of: "org.unifiedpush.Connector2", takes: ["args"], returns: ["res"])
    /// Reports the endpoint of a registration, version 2: `{token s, endpoint s}`.
    static let newEndpoint = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
      "NewEndpoint", of: "org.unifiedpush.Connector2", takes: ["args"], returns: ["res"])
    /// Reports the end of a registration, version 2: `{token s}`.
    static let unregistered = BusMethod<Arguments<[String: Variant]>, Arguments<[String: Variant]>>(
      "Unregistered", of: "org.unifiedpush.Connector2", takes: ["args"], returns: ["res"])
    /// Passes a message on, version 1.
    static let message1 = BusMethod<Arguments<String, [UInt8], String>, Arguments<>>(
      "Message", of: "org.unifiedpush.Connector1", takes: ["token", "message", "messageIdentifier"])
    /// Reports the endpoint of a registration, version 1.
    static let newEndpoint1 = BusMethod<Arguments<String, String>, Arguments<>>(
      "NewEndpoint", of: "org.unifiedpush.Connector1", takes: ["token", "endpoint"])
    /// Reports the end of a registration, version 1.
    static let unregistered1 = BusMethod<Arguments<String>, Arguments<>>(
      "Unregistered", of: "org.unifiedpush.Connector1", takes: ["token"])
  }
}
