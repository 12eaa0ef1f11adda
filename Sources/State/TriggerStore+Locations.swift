// SPDX-License-Identifier: Apache-2.0
/// A stored region that an application monitors.
public struct StoredRegion: Hashable, Sendable {
  /// The application, by desktop-file ID.
  public var application: String
  /// The identifier of the region in its application.
  public var identifier: String
  /// The region, as JSON.
  public var region: String
  /// The last state, such as `inside`.
  public var state: String
  /// A Boolean value that is `true` if the user added it, and not the application.
  public var isOfUser: Bool

  /// Creates a region.
  public init(application: String, identifier: String, region: String, state: String, isOfUser: Bool) {
    self.application = application
    self.identifier = identifier
    self.region = region
    self.state = state
    self.isOfUser = isOfUser
  }
}

/// A stored application that monitors significant changes of the location.
public struct StoredLocationChange: Hashable, Sendable {
  /// The application, by desktop-file ID.
  public var application: String
  /// The last location that the application was sent, as JSON; `nil` before the first one.
  public var location: String?
  /// A Boolean value that is `true` if the user requested it, and not the application.
  public var isOfUser: Bool

  /// Creates the monitoring of an application.
  public init(application: String, location: String? = nil, isOfUser: Bool) {
    self.application = application
    self.location = location
    self.isOfUser = isOfUser
  }
}

extension TriggerStore {
  // MARK: Locations

  /// Stores a region, replacing one with its identifier.
  public func set(_ region: StoredRegion) throws(StateError) {
    try database.transaction { () throws(StateError) in
      try database.run(
        "INSERT OR REPLACE INTO region (application, identifier, region, state, of_user) VALUES (?, ?, ?, ?, ?)",
        [
          .text(region.application), .text(region.identifier), .text(region.region), .text(region.state),
          .integer(region.isOfUser ? 1 : 0),
        ])
    }
  }

  /// Returns all regions.
  public func regions() throws(StateError) -> [StoredRegion] {
    var regions: [StoredRegion] = []
    try database.query("SELECT application, identifier, region, state, of_user FROM region") { row in
      regions.append(
        StoredRegion(
          application: row.text(0), identifier: row.text(1), region: row.text(2), state: row.text(3),
          isOfUser: row.integer(4) != 0))
    }
    return regions
  }

  /// Removes regions of an application by their identifiers.
  public func removeRegions(_ identifiers: [String], of application: String) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for identifier in identifiers {
        try database.run(
          "DELETE FROM region WHERE application = ? AND identifier = ?",
          [.text(application), .text(identifier)])
      }
    }
  }

  /// Stores that an application monitors significant changes, with the last one.
  public func set(_ change: StoredLocationChange) throws(StateError) {
    try database.transaction { () throws(StateError) in
      try database.run(
        "INSERT OR REPLACE INTO location_change (application, location, of_user) VALUES (?, ?, ?)",
        [.text(change.application), .optional(change.location), .integer(change.isOfUser ? 1 : 0)])
    }
  }

  /// Returns all applications that monitor significant changes.
  public func locationChanges() throws(StateError) -> [StoredLocationChange] {
    var changes: [StoredLocationChange] = []
    try database.query("SELECT application, location, of_user FROM location_change") { row in
      changes.append(
        StoredLocationChange(
          application: row.text(0), location: row.optionalText(1), isOfUser: row.integer(2) != 0))
    }
    return changes
  }

  /// Removes the monitoring of significant changes of an application.
  public func removeLocationChange(of application: String) throws(StateError) {
    try database.transaction { () throws(StateError) in
      try database.run("DELETE FROM location_change WHERE application = ?", [.text(application)])
    }
  }

  /// Stores the effects of a measurement in one step: states, last locations, and the events that the applications receive.
  public func record(
    _ regions: [StoredRegion], _ changes: [StoredLocationChange], events: [StoredResponse]
  ) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for region in regions {
        try database.run(
          "UPDATE region SET state = ? WHERE application = ? AND identifier = ?",
          [.text(region.state), .text(region.application), .text(region.identifier)])
      }
      for change in changes {
        try database.run(
          "UPDATE location_change SET location = ? WHERE application = ?",
          [.optional(change.location), .text(change.application)])
      }
      for event in events {
        try database.run(
          "INSERT INTO response (id, application, content) VALUES (?, ?, ?)",
          [.text(event.id), .text(event.application), .text(event.content)])
      }
    }
  }
}

extension Migration {
  /// The tables of monitored locations.
  static let ofLocations = Migration(
    statements: """
      CREATE TABLE region (
        application TEXT NOT NULL, identifier TEXT NOT NULL, region TEXT NOT NULL, state TEXT NOT NULL,
        of_user INTEGER NOT NULL, PRIMARY KEY (application, identifier)) WITHOUT ROWID;
      CREATE TABLE location_change (
        application TEXT PRIMARY KEY, location TEXT, of_user INTEGER NOT NULL) WITHOUT ROWID;
      """)
}
