// SPDX-License-Identifier: Apache-2.0
/// A stored notification whose trigger is not due.
public struct StoredTrigger: Hashable, Sendable {
  /// The application, by desktop-file ID.
  public var application: String
  /// The identifier of the notification in its application.
  public var identifier: String
  /// The request, as JSON.
  public var request: String
  /// The time from which the next date is computed, in milliseconds since 1970.
  public var anchor: Int64
  /// A Boolean value that is `true` if the user created it, and not the application.
  public var isOfUser: Bool
  /// The position of the computer relative to the region of the trigger, such as `inside`; `nil` if it has none.
  public var state: String?

  /// Creates a trigger.
  public init(
    application: String, identifier: String, request: String, anchor: Int64, isOfUser: Bool,
    state: String? = nil
  ) {
    self.application = application
    self.identifier = identifier
    self.request = request
    self.anchor = anchor
    self.isOfUser = isOfUser
    self.state = state
  }
}

/// A stored notification that was due and on which the user has not acted.
public struct StoredNotification: Hashable, Sendable {
  /// Its unique ID.
  public var id: String
  /// The application, by desktop-file ID.
  public var application: String
  /// The identifier of the notification in its application.
  public var identifier: String
  /// The request, as JSON.
  public var request: String
  /// The time at which it was due, in milliseconds since 1970.
  public var date: Int64
  /// A Boolean value that is `true` if the user created it, and not the application.
  public var isOfUser: Bool
  /// The parts that are shown, such as `banner sound`; `nil` if the application was not asked yet.
  public var presentation: String?
  /// Its number on the notification server; `nil` if it is not shown.
  public var number: UInt32?
  /// The unique bus name of that server.
  public var server: String?

  /// Creates a notification that is not shown yet.
  public init(
    id: String, application: String, identifier: String, request: String, date: Int64, isOfUser: Bool
  ) {
    self.id = id
    self.application = application
    self.identifier = identifier
    self.request = request
    self.date = date
    self.isOfUser = isOfUser
  }
}

/// An event that is stored for an application until the broker has accepted it, such as the user's response to a notification or a change of the location.
public struct StoredEvent: Hashable, Sendable {
  /// The ID of the request to the broker.
  public var id: String
  /// The application, by desktop-file ID.
  public var application: String
  /// The options of the request, as JSON.
  public var content: String

  /// Creates an event.
  public init(id: String, application: String, content: String) {
    self.id = id
    self.application = application
    self.content = content
  }
}

/// A store of triggers, shown notifications, events, categories and badges, registrations, pushes, downloads, monitored locations, Bluetooth centrals and peripherals.
///
/// It has one owner, which uses it from one thread at a time. A change is durable when its function returns.
public final class TriggerStore {
  let database: Database

  private init(at path: String, existing: String?, atCommit: (() -> Void)?) throws(StateError) {
    database = try Database(at: path, existing: existing, .power, Migration.ofTriggers)
    database.atCommit = atCommit
  }

  /// Opens the file and creates it if it is missing, after moving a corrupt file aside.
  ///
  /// - Parameters:
  ///   - path: An absolute path; the directory becomes private to the user.
  ///   - existing: A directory that is not created if it is missing.
  ///   - atCommit: Called immediately before and after each commit.
  /// - Returns: The store, and the path to which a corrupt file was moved, or `nil`.
  public static func open(
    at path: String, existing: String? = nil, atCommit: (() -> Void)? = nil
  ) throws(StateError) -> (store: TriggerStore, setAside: String?) {
    try StateFile.soundStore(at: path, existing: existing) { () throws(StateError) in
      try TriggerStore(at: path, existing: existing, atCommit: atCommit)
    }
  }

  // MARK: Triggers

  /// Stores a trigger, replacing one with its identifier.
  public func add(_ trigger: StoredTrigger) throws(StateError) {
    try database.transaction { () throws(StateError) in try insert(trigger) }
  }

  private func insert(_ trigger: StoredTrigger) throws(StateError) {
    try database.run(
      """
      INSERT OR REPLACE INTO triggers (application, identifier, request, anchor, of_user, state)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .text(trigger.application), .text(trigger.identifier), .text(trigger.request),
        .integer(trigger.anchor), .integer(trigger.isOfUser ? 1 : 0), .optional(trigger.state),
      ])
  }

  /// Returns all triggers.
  public func triggers() throws(StateError) -> [StoredTrigger] {
    var triggers: [StoredTrigger] = []
    try database.query("SELECT application, identifier, request, anchor, of_user, state FROM triggers") {
      row in
      triggers.append(
        StoredTrigger(
          application: row.text(0), identifier: row.text(1), request: row.text(2), anchor: row.integer(3),
          isOfUser: row.integer(4) != 0, state: row.optionalText(5)))
    }
    return triggers
  }

  /// Removes triggers of an application by their identifiers.
  public func removeTriggers(_ identifiers: [String], of application: String) throws(StateError) {
    try remove(identifiers, of: application, from: "triggers")
  }

  /// Removes rows of a table of an application by their identifiers.
  func remove(
    _ identifiers: [String], of application: String, from table: String
  ) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for identifier in identifiers {
        try database.run(
          "DELETE FROM \(table) WHERE application = ? AND identifier = ?",
          [.text(application), .text(identifier)])
      }
    }
  }

  /// Changes the anchors and states of triggers.
  public func move(_ triggers: [StoredTrigger]) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for trigger in triggers {
        try database.run(
          "UPDATE triggers SET anchor = ?, state = ? WHERE application = ? AND identifier = ?",
          [
            .integer(trigger.anchor), .optional(trigger.state), .text(trigger.application),
            .text(trigger.identifier),
          ])
      }
    }
  }

  // MARK: Notifications

  /// Stores a notification that is due, replacing one with its identifier, and updates or removes its trigger.
  ///
  /// - Parameters:
  ///   - anchor: The new anchor of its trigger; `nil` removes the trigger.
  ///   - state: The new state of its trigger.
  public func deliver(
    _ notification: StoredNotification, anchor: Int64?, state: String? = nil
  ) throws(StateError) {
    let key: [DatabaseValue] = [.text(notification.application), .text(notification.identifier)]
    try database.transaction { () throws(StateError) in
      if let anchor {
        try database.run(
          "UPDATE triggers SET anchor = ?, state = ? WHERE application = ? AND identifier = ?",
          [.integer(anchor), .optional(state)] + key)
      } else {
        try database.run("DELETE FROM triggers WHERE application = ? AND identifier = ?", key)
      }
      try insert(notification)
    }
  }

  /// Inserts a notification, replacing one with its identifier.
  func insert(_ notification: StoredNotification) throws(StateError) {
    let key: [DatabaseValue] = [.text(notification.application), .text(notification.identifier)]
    try database.run("DELETE FROM notification WHERE application = ? AND identifier = ?", key)
    try database.run(
      """
      INSERT INTO notification (id, application, identifier, request, date, number, server, of_user)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [.text(notification.id)] + key + [
        .text(notification.request), .integer(notification.date),
        notification.number.map { .integer(Int64($0)) } ?? .null, .optional(notification.server),
        .integer(notification.isOfUser ? 1 : 0),
      ])
  }

  /// Stores how a notification is shown.
  public func setPresentation(_ presentation: String, of id: String) throws(StateError) {
    try database.commit(
      "UPDATE notification SET presentation = ? WHERE id = ?", [.text(presentation), .text(id)])
  }

  /// Stores the number of a notification on its server.
  public func setShown(_ id: String, number: UInt32, server: String) throws(StateError) {
    try database.commit(
      "UPDATE notification SET number = ?, server = ? WHERE id = ?",
      [.integer(Int64(number)), .text(server), .text(id)])
  }

  /// Returns all notifications in the order in which they were due.
  public func notifications() throws(StateError) -> [StoredNotification] {
    var notifications: [StoredNotification] = []
    try database.query(
      """
      SELECT id, application, identifier, request, date, presentation, number, server, of_user
      FROM notification ORDER BY row
      """
    ) { row in
      var notification = StoredNotification(
        id: row.text(0), application: row.text(1), identifier: row.text(2), request: row.text(3),
        date: row.integer(4), isOfUser: row.integer(8) != 0)
      notification.presentation = row.optionalText(5)
      notification.number = row.optionalInteger(6).flatMap(UInt32.init(exactly:))
      notification.server = row.optionalText(7)
      notifications.append(notification)
    }
    return notifications
  }

  /// Removes notifications.
  public func removeNotifications(_ ids: [String]) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for id in ids { try database.run("DELETE FROM notification WHERE id = ?", [.text(id)]) }
    }
  }

  // MARK: Events

  /// Stores a response to a notification, and removes the notification.
  public func respond(to id: String, _ event: StoredEvent) throws(StateError) {
    try database.transaction { () throws(StateError) in
      try database.run("DELETE FROM notification WHERE id = ?", [.text(id)])
      try insert(event, replaces: true)
    }
  }

  /// Stores an event within a transaction.
  ///
  /// - Parameter replaces: Whether it replaces an event with its ID, which is an error otherwise.
  func insert(_ event: StoredEvent, replaces: Bool) throws(StateError) {
    try database.run(
      "INSERT \(replaces ? "OR REPLACE " : "")INTO response (id, application, content) VALUES (?, ?, ?)",
      [.text(event.id), .text(event.application), .text(event.content)])
  }

  /// Returns all events in the order in which they were stored.
  public func events() throws(StateError) -> [StoredEvent] {
    var events: [StoredEvent] = []
    try database.query("SELECT id, application, content FROM response ORDER BY row") { row in
      events.append(StoredEvent(id: row.text(0), application: row.text(1), content: row.text(2)))
    }
    return events
  }

  /// Gives an event another ID.
  public func renew(event id: String, as new: String) throws(StateError) {
    try database.commit("UPDATE response SET id = ? WHERE id = ?", [.text(new), .text(id)])
  }

  /// Removes an event.
  public func removeEvent(_ id: String) throws(StateError) {
    try database.commit("DELETE FROM response WHERE id = ?", [.text(id)])
  }

  // MARK: Applications

  /// The facts of an application: its categories, its badge, what it uses, and since when it is missing.
  public struct Application: Hashable, Sendable {
    /// The categories, as a JSON array; `nil` if there are none.
    public var categories: String?
    /// The number on its icon.
    public var badge: UInt32 = 0
    /// The features that it uses, separated by spaces; `nil` if it has not requested anything.
    public var options: String?
    /// The time at which it was first found not to be installed, in milliseconds since 1970; `nil` if it is installed.
    public var missingSince: Int64?

    /// Creates the facts of an application of which nothing is known.
    public init() {}
  }

  /// Stores the facts of an application.
  public func set(_ application: Application, of id: String) throws(StateError) {
    try database.transaction { () throws(StateError) in
      guard application != Application() else {
        return try database.run("DELETE FROM application WHERE id = ?", [.text(id)])
      }
      try database.run(
        "INSERT OR REPLACE INTO application (id, categories, badge, options, missing_since) VALUES (?, ?, ?, ?, ?)",
        [
          .text(id), .optional(application.categories), .integer(Int64(application.badge)),
          .optional(application.options), application.missingSince.map(DatabaseValue.integer) ?? .null,
        ])
    }
  }

  /// Returns the facts of all applications.
  public func applications() throws(StateError) -> [String: Application] {
    var applications: [String: Application] = [:]
    try database.query("SELECT id, categories, badge, options, missing_since FROM application") { row in
      var application = Application()
      application.categories = row.optionalText(1)
      application.badge = UInt32(clamping: row.integer(2))
      application.options = row.optionalText(3)
      application.missingSince = row.optionalInteger(4)
      applications[row.text(0)] = application
    }
    return applications
  }

  /// Removes everything of an application.
  public func remove(application id: String) throws(StateError) {
    try database.transaction { () throws(StateError) in
      for table in [
        "triggers", "notification", "response", "registration", "token_report", "push", "download", "region",
        "location_change", "bluetooth_central", "bluetooth_peripheral",
      ] {
        try database.run("DELETE FROM \(table) WHERE application = ?", [.text(id)])
      }
      try database.run("DELETE FROM application WHERE id = ?", [.text(id)])
    }
  }
}

extension Migration {
  /// The migrations of `triggers.sqlite`.
  static let ofTriggers = [
    Migration(
      statements: """
        CREATE TABLE triggers (
          application TEXT NOT NULL, identifier TEXT NOT NULL, request TEXT NOT NULL, anchor INTEGER NOT NULL,
          PRIMARY KEY (application, identifier)) WITHOUT ROWID;
        CREATE TABLE notification (
          row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, application TEXT NOT NULL,
          identifier TEXT NOT NULL, request TEXT NOT NULL, date INTEGER NOT NULL, presentation TEXT,
          number INTEGER, server TEXT, UNIQUE (application, identifier));
        CREATE TABLE response (
          row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, application TEXT NOT NULL,
          content TEXT NOT NULL);
        CREATE TABLE application (
          id TEXT PRIMARY KEY, categories TEXT, badge INTEGER NOT NULL, options TEXT, missing_since INTEGER)
          WITHOUT ROWID;
        """),
    // Nothing stored before needed a permission.
    Migration(
      statements: """
        ALTER TABLE triggers ADD COLUMN of_user INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE notification ADD COLUMN of_user INTEGER NOT NULL DEFAULT 1;
        """),
    ofPushes,
    ofDownloads,
    ofLocations,
    ofBluetooth,
    ofBluetoothPeripherals,
    // Only triggers with a region have a state.
    Migration(statements: "ALTER TABLE triggers ADD COLUMN state TEXT;"),
    Migration(statements: "CREATE TABLE token_report (application TEXT PRIMARY KEY) WITHOUT ROWID;"),
  ]
}
