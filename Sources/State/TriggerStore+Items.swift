// SPDX-License-Identifier: Apache-2.0
/// A stored item of an application: a monitored region, a Bluetooth central or a Bluetooth peripheral.
public struct StoredItem: Hashable, Sendable {
  /// A kind of items, which has a table.
  public enum Kind: Sendable {
    /// Regions; the state is a position such as `inside`.
    case region
    /// Bluetooth centrals; the state is JSON with the devices as the application was informed of them.
    case bluetoothCentral
    /// Bluetooth peripherals; the state is JSON with the values to which other devices have subscribed.
    case bluetoothPeripheral

    /// The table, and the columns of the content and the state.
    fileprivate var names: (table: String, content: String, state: String) {
      switch self {
      case .region: ("region", "region", "state")
      case .bluetoothCentral: ("bluetooth_central", "central", "state")
      case .bluetoothPeripheral: ("bluetooth_peripheral", "peripheral", "subscriptions")
      }
    }
  }

  /// The application, by desktop-file ID.
  public var application: String
  /// The identifier of the item in its application.
  public var identifier: String
  /// The item as the application has described it, as JSON.
  public var content: String
  /// The state of which the application was informed; its form depends on the kind.
  public var state: String
  /// A Boolean value that is `true` if the user added it, and not the application.
  public var isOfUser: Bool

  /// Creates an item.
  public init(application: String, identifier: String, content: String, state: String, isOfUser: Bool) {
    self.application = application
    self.identifier = identifier
    self.content = content
    self.state = state
    self.isOfUser = isOfUser
  }
}

extension TriggerStore {
  // MARK: Items

  /// Stores an item, replacing one with its identifier.
  public func set(_ item: StoredItem, of kind: StoredItem.Kind) throws(StateError) {
    let names = kind.names
    try database.commit(
      """
      INSERT OR REPLACE INTO \(names.table) (application, identifier, \(names.content), \(names.state), of_user)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        .text(item.application), .text(item.identifier), .text(item.content), .text(item.state),
        .integer(item.isOfUser ? 1 : 0),
      ])
  }

  /// Returns all items of a kind.
  public func items(of kind: StoredItem.Kind) throws(StateError) -> [StoredItem] {
    let names = kind.names
    var items: [StoredItem] = []
    try database.query(
      "SELECT application, identifier, \(names.content), \(names.state), of_user FROM \(names.table)"
    ) { row in
      items.append(
        StoredItem(
          application: row.text(0), identifier: row.text(1), content: row.text(2), state: row.text(3),
          isOfUser: row.integer(4) != 0))
    }
    return items
  }

  /// Removes items of an application by their identifiers.
  public func removeItems(
    _ identifiers: [String], of application: String, _ kind: StoredItem.Kind
  ) throws(StateError) {
    try remove(identifiers, of: application, from: kind.names.table)
  }

  /// Stores the effects of an event in one step: the states of items, the last locations of significant changes, and the events that
  /// the applications receive.
  public func record(
    _ items: [StoredItem], of kind: StoredItem.Kind, _ changes: [StoredLocationChange] = [],
    events: [StoredEvent]
  ) throws(StateError) {
    let names = kind.names
    try database.transaction { () throws(StateError) in
      for item in items {
        try database.run(
          "UPDATE \(names.table) SET \(names.state) = ? WHERE application = ? AND identifier = ?",
          [.text(item.state), .text(item.application), .text(item.identifier)])
      }
      for change in changes { try update(change) }
      for event in events { try insert(event, replaces: false) }
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

  /// The table of Bluetooth peripherals.
  static let ofBluetoothPeripherals = Migration(
    statements: """
      CREATE TABLE bluetooth_peripheral (
        application TEXT NOT NULL, identifier TEXT NOT NULL, peripheral TEXT NOT NULL,
        subscriptions TEXT NOT NULL, of_user INTEGER NOT NULL, PRIMARY KEY (application, identifier))
        WITHOUT ROWID;
      """)

  /// The tables of regions and of significant changes.
  static let ofLocations = Migration(
    statements: """
      CREATE TABLE region (
        application TEXT NOT NULL, identifier TEXT NOT NULL, region TEXT NOT NULL, state TEXT NOT NULL,
        of_user INTEGER NOT NULL, PRIMARY KEY (application, identifier)) WITHOUT ROWID;
      CREATE TABLE location_change (
        application TEXT PRIMARY KEY, location TEXT, of_user INTEGER NOT NULL) WITHOUT ROWID;
      """)
}
