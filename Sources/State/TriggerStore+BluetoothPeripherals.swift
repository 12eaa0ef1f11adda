// SPDX-License-Identifier: Apache-2.0
/// A stored Bluetooth peripheral of an application.
public struct StoredBluetoothPeripheral: Hashable, Sendable {
  /// The application, by desktop-file ID.
  public var application: String
  /// The restoration identifier of the peripheral in its application.
  public var identifier: String
  /// The peripheral, as JSON.
  public var peripheral: String
  /// The values to which other devices have subscribed, as the application was informed of them, as JSON.
  public var subscriptions: String
  /// A Boolean value that is `true` if the user added it, and not the application.
  public var isOfUser: Bool

  /// Creates a peripheral.
  public init(
    application: String, identifier: String, peripheral: String, subscriptions: String, isOfUser: Bool
  ) {
    self.application = application
    self.identifier = identifier
    self.peripheral = peripheral
    self.subscriptions = subscriptions
    self.isOfUser = isOfUser
  }
}

extension TriggerStore {
  // MARK: Bluetooth peripherals

  /// Stores a peripheral, replacing one with its identifier.
  public func set(_ peripheral: StoredBluetoothPeripheral) throws(StateError) {
    try database.transaction { () throws(StateError) in
      try database.run(
        """
        INSERT OR REPLACE INTO bluetooth_peripheral
        (application, identifier, peripheral, subscriptions, of_user) VALUES (?, ?, ?, ?, ?)
        """,
        [
          .text(peripheral.application), .text(peripheral.identifier), .text(peripheral.peripheral),
          .text(peripheral.subscriptions), .integer(peripheral.isOfUser ? 1 : 0),
        ])
    }
  }

  /// Returns all peripherals.
  public func bluetoothPeripherals() throws(StateError) -> [StoredBluetoothPeripheral] {
    var peripherals: [StoredBluetoothPeripheral] = []
    try database.query(
      "SELECT application, identifier, peripheral, subscriptions, of_user FROM bluetooth_peripheral"
    ) { row in
      peripherals.append(
        StoredBluetoothPeripheral(
          application: row.text(0), identifier: row.text(1), peripheral: row.text(2),
          subscriptions: row.text(3), isOfUser: row.integer(4) != 0))
    }
    return peripherals
  }

  /// Removes peripherals of an application by their identifiers.
  public func removeBluetoothPeripherals(
    _ identifiers: [String], of application: String
  ) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for identifier in identifiers {
        try database.run(
          "DELETE FROM bluetooth_peripheral WHERE application = ? AND identifier = ?",
          [.text(application), .text(identifier)])
      }
    }
  }

  /// Stores the effects of an operation of another device in one step: the subscriptions, and the event that the application receives.
  public func record(
    _ peripheral: StoredBluetoothPeripheral, event: StoredResponse?
  ) throws(StateError) {
    try database.transaction { () throws(StateError) in
      try database.run(
        "UPDATE bluetooth_peripheral SET subscriptions = ? WHERE application = ? AND identifier = ?",
        [.text(peripheral.subscriptions), .text(peripheral.application), .text(peripheral.identifier)])
      if let event { try replace(event) }
    }
  }
}

extension Migration {
  /// The table of Bluetooth peripherals.
  static let ofBluetoothPeripherals = Migration(
    statements: """
      CREATE TABLE bluetooth_peripheral (
        application TEXT NOT NULL, identifier TEXT NOT NULL, peripheral TEXT NOT NULL,
        subscriptions TEXT NOT NULL, of_user INTEGER NOT NULL, PRIMARY KEY (application, identifier))
        WITHOUT ROWID;
      """)
}
