// SPDX-License-Identifier: Apache-2.0
import DBus

/// The registration of an application on the bus: its name, and the connection that owns it.
struct BusRegistration: Sendable {
  let name: BusName
  let connection: BusConnection
  /// The longest time that a hanging broker can delay the application's exit.
  let brokerTimeout: Duration
}
