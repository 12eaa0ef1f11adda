import DBus

/// An application's place on the bus: its name, on a connection.
struct BusRegistration: Sendable {
  let name: BusName
  let connection: BusConnection
  /// How long a broker that hangs may keep the application when it ends.
  let brokerTimeout: Duration
}
