// SPDX-License-Identifier: Apache-2.0
/// A store of grants, in the same persistent file as the history.
///
/// It has one owner, which uses it from one thread at a time. A user may have several sessions, each with its own store
/// object.
public final class GrantStore {
  /// The maximum number of grants; the oldest ones are removed first.
  public static let capacity = 1_000

  private static let columns =
    (GrantEntry.Scope.parts.map(\.column) + ["sandboxed", "assurance", "answer", "time", "expires"])
    .joined(separator: ", ")
  private static let isOfScope =
    GrantEntry.Scope.parts.map { "\($0.column) = ? AND " }.joined() + "sandboxed = ?"
  private static let isSelected = GrantEntry.Scope.parts.enumerated().map { index, part in
    let value = "?\(index + 1)"
    // A route may be named by its ID alone.
    let suffix = part.column == "route" ? " OR substr(route, -length(\(value)) - 1) = '/' || \(value)" : ""
    return "(\(value) IN ('', \(part.column))\(suffix))"
  }.joined(separator: " AND ")

  let database: Database

  /// The path of the file, without symbolic links in its directory.
  public var path: String { database.path }

  /// Opens the file, and creates it if it is missing.
  ///
  /// - Parameters:
  ///   - path: An absolute path; the directory becomes private to the user.
  ///   - existing: A directory that is not created if it is missing; `nil` if every directory may be created.
  public init(at path: String, existing: String? = nil) throws(StateError) {
    database = try Database(at: path, existing: existing, .power, isShared: true, Migration.ofLastingState)
  }

  /// Opens the file like `init`, after moving a corrupt file aside.
  ///
  /// - Returns: The store, and the path to which a corrupt file was moved, or `nil`.
  public static func open(
    at path: String, existing: String? = nil
  ) throws(StateError) -> (store: GrantStore, setAside: String?) {
    try StateFile.soundStore(at: path, existing: existing) { () throws(StateError) in
      try GrantStore(at: path, existing: existing)
    }
  }

  /// Stores a grant, replacing an earlier one with the same scope and assurance, and removes grants that expired at `now`.
  ///
  /// - Parameters:
  ///   - assurances: Earlier grants with the same scope and one of these assurances are removed, too.
  ///   - revokesConsent: Whether all earlier consent with the same scope is removed, whatever its assurance.
  public func add(
    _ grant: GrantEntry, replacing assurances: [String] = [], revokesConsent: Bool = false, now: Int64
  ) throws(StateError) {
    try database.transaction { () throws(StateError) in
      try removeExpired(at: now)
      if revokesConsent {
        try database.run("DELETE FROM grants WHERE \(Self.isOfScope) AND answer <> 'no'", grant.scope.values)
      }
      for assurance in assurances {
        try database.run(
          "DELETE FROM grants WHERE \(Self.isOfScope) AND assurance = ?",
          grant.scope.values + [.text(assurance)])
      }
      let values =
        grant.scope.values + [
          .text(grant.assurance), .text(grant.answer), .integer(grant.time),
          grant.expires.map(DatabaseValue.integer) ?? .null,
        ]
      try database.run(
        "INSERT OR REPLACE INTO grants (\(Self.columns)) VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))",
        values)
      try database.run(
        "DELETE FROM grants WHERE number NOT IN (SELECT number FROM grants ORDER BY number DESC LIMIT ?)",
        [.integer(Int64(Self.capacity))])
    }
  }

  /// A grant is not valid more than a day before its time, which was then that of a wrong clock, so that its expiry is wrong, too.
  private static let isValid = "(expires IS NULL OR expires > ?) AND time - 86400000000 <= ?"

  /// Returns the grants of exactly this scope that are valid at `now`.
  public func grants(of scope: GrantEntry.Scope, now: Int64) throws(StateError) -> [GrantEntry] {
    try read(
      "WHERE \(Self.isOfScope) AND \(Self.isValid)", scope.values + [.integer(now), .integer(now)])
  }

  /// Returns all grants that are valid at `now`, the newest first.
  public func grants(now: Int64) throws(StateError) -> [GrantEntry] {
    try read("WHERE \(Self.isValid)", [.integer(now), .integer(now)])
  }

  /// Removes the grants that have every part that is set in `scope`, whatever their other parts are.
  ///
  /// A route may be named by its ID alone.
  ///
  /// - Returns: The number of removed grants that were valid at `now`.
  public func revoke(_ scope: GrantEntry.Scope, now: Int64) throws(StateError) -> Int {
    try database.transaction { () throws(StateError) in
      try removeExpired(at: now)
      try database.run("DELETE FROM grants WHERE \(Self.isSelected)", scope.texts)
      return database.changes
    }
  }

  private func removeExpired(at now: Int64) throws(StateError) {
    try database.run("DELETE FROM grants WHERE expires <= ?", [.integer(now)])
  }

  private func read(_ condition: String, _ values: [DatabaseValue]) throws(StateError) -> [GrantEntry] {
    var grants: [GrantEntry] = []
    try database.query(
      "SELECT \(Self.columns) FROM grants \(condition) ORDER BY number DESC",
      values: values
    ) { row in
      var scope = GrantEntry.Scope()
      var column: Int32 = 0
      for part in GrantEntry.Scope.parts {
        let text = row.text(column)
        scope[keyPath: part.path] = text.isEmpty ? nil : text
        column += 1
      }
      scope.isSandboxed = row.integer(column) != 0
      grants.append(
        GrantEntry(
          scope: scope, assurance: row.text(column + 1), answer: row.text(column + 2),
          time: row.integer(column + 3), expires: row.optionalInteger(column + 4)))
    }
    return grants
  }
}
