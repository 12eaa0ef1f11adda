// SPDX-License-Identifier: Apache-2.0
/// A stored registration of an application for remote notifications.
public struct StoredRegistration: Hashable, Sendable {
  /// The application, by desktop-file ID.
  public var application: String
  /// The random text by which the distributor names the registration.
  public var token: String
  /// The bus name of the distributor.
  public var distributor: String
  /// The private key.
  public var privateKey: [UInt8]
  /// The public key.
  public var publicKey: [UInt8]
  /// The authentication secret.
  public var authenticationSecret: [UInt8]
  /// The public key of the application's server; `nil` if the application has named none.
  public var vapid: String?
  /// The URL to which the server sends its messages; `nil` until the distributor reports it.
  public var endpoint: String?
  /// The time of the registration, in milliseconds since 1970.
  public var date: Int64
  /// A Boolean value that is `true` if the user registered the application, and not the application itself.
  public var isOfUser: Bool

  /// Creates a registration without an endpoint.
  public init(
    application: String, token: String, distributor: String, date: Int64, isOfUser: Bool,
    privateKey: [UInt8], publicKey: [UInt8], authenticationSecret: [UInt8]
  ) {
    self.application = application
    self.token = token
    self.distributor = distributor
    self.date = date
    self.isOfUser = isOfUser
    self.privateKey = privateKey
    self.publicKey = publicKey
    self.authenticationSecret = authenticationSecret
  }
}

/// A stored push message.
public struct StoredPush: Hashable, Sendable {
  /// Its unique ID.
  public var id: String
  /// The application, by desktop-file ID.
  public var application: String
  /// The token of its registration.
  public var token: String
  /// The ID that the distributor gave to the message, or another unique text.
  public var message: String
  /// The payload that the application receives in the background, as JSON; `nil` after its delivery, or if a push only shows a
  /// notification.
  public var content: String?
  /// The time of its arrival, in milliseconds since 1970.
  public var date: Int64

  /// Creates a push.
  public init(
    id: String, application: String, token: String, message: String, content: String?, date: Int64
  ) {
    self.id = id
    self.application = application
    self.token = token
    self.message = message
    self.content = content
    self.date = date
  }
}

extension TriggerStore {
  // MARK: Registrations

  /// Stores the registration of an application, replacing an earlier one.
  ///
  /// - Parameter isReported: Whether the application has to be informed of the new token.
  public func set(_ registration: StoredRegistration, isReported: Bool = false) throws(StateError) {
    try database.transaction { () throws(StateError) in
      if isReported { try addTokenReport(for: registration.application) }
      try database.run(
        """
        INSERT OR REPLACE INTO registration
        (application, token, distributor, private_key, public_key, secret, vapid, endpoint, date, of_user)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .text(registration.application), .text(registration.token), .text(registration.distributor),
          .bytes(registration.privateKey), .bytes(registration.publicKey),
          .bytes(registration.authenticationSecret), .optional(registration.vapid),
          .optional(registration.endpoint), .integer(registration.date),
          .integer(registration.isOfUser ? 1 : 0),
        ])
    }
  }

  /// Returns all registrations.
  public func registrations() throws(StateError) -> [StoredRegistration] {
    var registrations: [StoredRegistration] = []
    try database.query(
      """
      SELECT application, token, distributor, private_key, public_key, secret, vapid, endpoint, date, of_user
      FROM registration
      """
    ) { row in
      var registration = StoredRegistration(
        application: row.text(0), token: row.text(1), distributor: row.text(2), date: row.integer(8),
        isOfUser: row.integer(9) != 0, privateKey: row.bytes(3), publicKey: row.bytes(4),
        authenticationSecret: row.bytes(5))
      registration.vapid = row.optionalText(6)
      registration.endpoint = row.optionalText(7)
      registrations.append(registration)
    }
    return registrations
  }

  /// Removes the registration of an application.
  ///
  /// - Parameters:
  ///   - droppingPushes: Whether its pushes that wait are dropped, too.
  ///   - isReported: Whether the application has to be informed of the end.
  public func removeRegistration(
    of application: String, droppingPushes: Bool = false, isReported: Bool = false
  ) throws(StateError) {
    try database.transaction { () throws(StateError) in
      if isReported { try addTokenReport(for: application) }
      try database.run("DELETE FROM registration WHERE application = ?", [.text(application)])
      guard droppingPushes else { return }
      try database.run("UPDATE push SET content = NULL WHERE application = ?", [.text(application)])
    }
  }

  private func addTokenReport(for application: String) throws(StateError) {
    try database.run("INSERT OR IGNORE INTO token_report (application) VALUES (?)", [.text(application)])
  }

  /// Returns the applications that have to be informed of their token, or of the end of their registration.
  public func tokenReports() throws(StateError) -> [String] {
    var applications: [String] = []
    try database.query("SELECT application FROM token_report ORDER BY application") { row in
      applications.append(row.text(0))
    }
    return applications
  }

  /// Records that an application was informed of its token.
  public func removeTokenReport(for application: String) throws(StateError) {
    try database.commit("DELETE FROM token_report WHERE application = ?", [.text(application)])
  }

  // MARK: Pushes

  /// The number of pushes of one application whose messages are recognized when the distributor repeats them.
  private static let remembered: Int64 = 256

  /// Stores a push and the notification that it shows, in one step.
  ///
  /// - Parameter horizon: The time before which starts are not counted any more, in milliseconds since 1970.
  /// - Returns: `false` if the message was stored before.
  public func receive(
    _ push: StoredPush, showing notification: StoredNotification?, countingStartsSince horizon: Int64
  ) throws(StateError) -> Bool {
    try database.transaction { () throws(StateError) in
      try database.run(
        "INSERT OR IGNORE INTO push (id, application, token, message, content, date) VALUES (?, ?, ?, ?, ?, ?)",
        [
          .text(push.id), .text(push.application), .text(push.token), .text(push.message),
          .optional(push.content), .integer(push.date),
        ])
      guard database.changes == 1 else { return false }
      try database.run(
        """
        DELETE FROM push WHERE application = ?1 AND content IS NULL AND (started IS NULL OR started < ?3) AND row NOT IN
        (SELECT row FROM push WHERE application = ?1 ORDER BY row DESC LIMIT ?2)
        """,
        [.text(push.application), .integer(Self.remembered), .integer(horizon)])
      if let notification { try insert(notification) }
      return true
    }
  }

  /// Returns the pushes to deliver in the background, in the order of their arrival.
  public func waitingPushes() throws(StateError) -> [StoredPush] {
    var pushes: [StoredPush] = []
    try database.query(
      "SELECT id, application, token, message, content, date FROM push WHERE content IS NOT NULL ORDER BY row"
    ) { row in
      pushes.append(
        StoredPush(
          id: row.text(0), application: row.text(1), token: row.text(2), message: row.text(3),
          content: row.optionalText(4), date: row.integer(5)))
    }
    return pushes
  }

  /// Records that a push was delivered, or dropped.
  ///
  /// - Parameter started: The time at which the application was started for it, in milliseconds since 1970; `nil` if it was not.
  public func finish(push id: String, started: Int64?) throws(StateError) {
    try database.commit(
      "UPDATE push SET content = NULL, started = ? WHERE id = ?",
      [started.map(DatabaseValue.integer) ?? .null, .text(id)])
  }

  /// Gives a push another ID.
  public func renew(push id: String, as new: String) throws(StateError) {
    try database.commit("UPDATE push SET id = ? WHERE id = ?", [.text(new), .text(id)])
  }

  /// Removes the pushes of registrations that have ended, except those that wait and those whose starts are counted.
  ///
  /// - Parameter horizon: The time before which starts are not counted any more, in milliseconds since 1970.
  public func forgetPushes(startedBefore horizon: Int64) throws(StateError) {
    try database.commit(
      """
      DELETE FROM push WHERE content IS NULL AND (started IS NULL OR started < ?)
      AND token NOT IN (SELECT token FROM registration)
      """, [.integer(horizon)])
  }

  /// Returns the times at which applications were started for pushes, since a time in milliseconds.
  public func backgroundStarts(since time: Int64) throws(StateError) -> [String: [Int64]] {
    var starts: [String: [Int64]] = [:]
    try database.query(
      "SELECT application, started FROM push WHERE started >= ? ORDER BY started", values: [.integer(time)]
    ) { row in starts[row.text(0), default: []].append(row.integer(1)) }
    return starts
  }
}

extension Migration {
  /// The tables of remote notifications.
  static let ofPushes = Migration(
    statements: """
      CREATE TABLE registration (
        application TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, distributor TEXT NOT NULL,
        private_key BLOB NOT NULL, public_key BLOB NOT NULL, secret BLOB NOT NULL, vapid TEXT, endpoint TEXT,
        date INTEGER NOT NULL, of_user INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE push (
        row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, application TEXT NOT NULL,
        token TEXT NOT NULL, message TEXT NOT NULL, content TEXT, date INTEGER NOT NULL, started INTEGER,
        UNIQUE (token, message));
      """)
}
