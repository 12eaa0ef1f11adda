// SPDX-License-Identifier: Apache-2.0
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
  // MARK: Significant changes of the location

  /// Stores that an application monitors significant changes, with the last one.
  public func set(_ change: StoredLocationChange) throws(StateError) {
    try database.commit(
      "INSERT OR REPLACE INTO location_change (application, location, of_user) VALUES (?, ?, ?)",
      [.text(change.application), .optional(change.location), .integer(change.isOfUser ? 1 : 0)])
  }

  /// Changes the last location of an application that monitors significant changes.
  func update(_ change: StoredLocationChange) throws(StateError) {
    try database.run(
      "UPDATE location_change SET location = ? WHERE application = ?",
      [.optional(change.location), .text(change.application)])
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
    try database.commit("DELETE FROM location_change WHERE application = ?", [.text(application)])
  }
}
