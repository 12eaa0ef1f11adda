// SPDX-License-Identifier: Apache-2.0
/// A stored Bluetooth central of an application.
public struct StoredBluetoothCentral: Hashable, Sendable {
  /// The application, by desktop-file ID.
  public var application: String
  /// The restoration identifier of the central in its application.
  public var identifier: String
  /// The central, as JSON.
  public var central: String
  /// The devices as the application was informed of them, as JSON.
  public var state: String
  /// A Boolean value that is `true` if the user added it, and not the application.
  public var isOfUser: Bool

  /// Creates a central.
  public init(application: String, identifier: String, central: String, state: String, isOfUser: Bool) {
    self.application = application
    self.identifier = identifier
    self.central = central
    self.state = state
    self.isOfUser = isOfUser
  }
}

extension TriggerStore {
  // MARK: Bluetooth

  /// Stores a central, replacing one with its identifier.
  public func set(_ central: StoredBluetoothCentral) throws(StateError) {
    try database.transaction { () throws(StateError) in
      try database.run(
        """
        INSERT OR REPLACE INTO bluetooth_central (application, identifier, central, state, of_user)
        VALUES (?, ?, ?, ?, ?)
        """,
        [
          .text(central.application), .text(central.identifier), .text(central.central),
          .text(central.state), .integer(central.isOfUser ? 1 : 0),
        ])
    }
  }

  /// Returns all centrals.
  public func bluetoothCentrals() throws(StateError) -> [StoredBluetoothCentral] {
    var centrals: [StoredBluetoothCentral] = []
    try database.query("SELECT application, identifier, central, state, of_user FROM bluetooth_central") {
      row in
      centrals.append(
        StoredBluetoothCentral(
          application: row.text(0), identifier: row.text(1), central: row.text(2), state: row.text(3),
          isOfUser: row.integer(4) != 0))
    }
    return centrals
  }

  /// Removes centrals of an application by their identifiers.
  public func removeBluetoothCentrals(
    _ identifiers: [String], of application: String
  ) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for identifier in identifiers {
        try database.run(
          "DELETE FROM bluetooth_central WHERE application = ? AND identifier = ?",
          [.text(application), .text(identifier)])
      }
    }
  }

  /// Stores the effects of a change of a device in one step: the states, and the events that the applications receive.
  public func record(
    _ centrals: [StoredBluetoothCentral], events: [StoredResponse]
  ) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for central in centrals {
        try database.run(
          "UPDATE bluetooth_central SET state = ? WHERE application = ? AND identifier = ?",
          [.text(central.state), .text(central.application), .text(central.identifier)])
      }
      for event in events { try replace(event) }
    }
  }
}

extension Migration {
  /// The table of Bluetooth centrals.
  static let ofBluetooth = Migration(
    statements: """
      CREATE TABLE bluetooth_central (
        application TEXT NOT NULL, identifier TEXT NOT NULL, central TEXT NOT NULL, state TEXT NOT NULL,
        of_user INTEGER NOT NULL, PRIMARY KEY (application, identifier)) WITHOUT ROWID;
      """)
}
