/// What people have allowed and refused: lasting state, in the file of the history.
///
/// It belongs to one owner, who uses it from one thread at a time; a user may have more than one session, each with
/// its own.
public final class GrantStore {
  /// The most grants that are kept; those that were given first go first.
  public static let capacity = 1_000

  private static let columns =
    "source, origin, scheme, host, route, layer, sandboxed, assurance, answer, time, expires"
  private static let isOfScope =
    "source = ? AND origin = ? AND scheme = ? AND host = ? AND route = ? AND layer = ? AND sandboxed = ?"

  let database: Database

  /// Where it is, without links in its folder.
  public var path: String { database.path }

  /// Opens the file and makes it where it is not there.
  ///
  /// - Parameters:
  ///   - path: an absolute path; the folder becomes the user's alone.
  ///   - existing: a directory that is not made where it is missing; `nil` where every directory may be made.
  public init(at path: String, existing: String? = nil) throws(StateError) {
    database = try Database(at: path, existing: existing, .power, isShared: true, Migration.ofLastingState)
  }

  /// Opens the file like `init`; one that is no sound database is set aside first.
  ///
  /// - Returns: the store, and the name that a damaged file has now.
  public static func open(
    at path: String, existing: String? = nil
  ) throws(StateError) -> (store: GrantStore, setAside: String?) {
    try StateFile.soundStore(at: path, existing: existing) { () throws(StateError) in
      try GrantStore(at: path, existing: existing)
    }
  }

  /// Keeps a grant, in the place of an earlier one of the same scope and assurance; what has expired at `now` goes.
  public func add(_ grant: GrantEntry, now: Int64) throws(StateError) {
    try database.transaction { () throws(StateError) in
      try removeExpired(at: now)
      try database.run(
        "INSERT OR REPLACE INTO grants (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        grant.scope.values + [
          .text(grant.assurance), .text(grant.answer), .integer(grant.time),
          grant.expires.map(DatabaseValue.integer) ?? .null,
        ])
      try database.run(
        "DELETE FROM grants WHERE number NOT IN (SELECT number FROM grants ORDER BY number DESC LIMIT ?)",
        [.integer(Int64(Self.capacity))])
    }
  }

  /// The grants of just this scope that hold at `now`.
  public func grants(of scope: GrantEntry.Scope, now: Int64) throws(StateError) -> [GrantEntry] {
    try read(
      "WHERE \(Self.isOfScope) AND (expires IS NULL OR expires > ?)", scope.values + [.integer(now)])
  }

  /// All grants that hold at `now`, those that were given last first.
  public func grants(now: Int64) throws(StateError) -> [GrantEntry] {
    try read("WHERE expires IS NULL OR expires > ?", [.integer(now)])
  }

  /// Takes back the grants that have every part that `scope` names, whatever else they have.
  ///
  /// Those without a named part stay. A route may be named by its ID alone.
  ///
  /// - Returns: how many there were that still held at `now`.
  public func revoke(_ scope: GrantEntry.Scope, now: Int64) throws(StateError) -> Int {
    try database.transaction { () throws(StateError) in
      try removeExpired(at: now)
      try database.run(
        """
        DELETE FROM grants WHERE ?1 IN ('', source) AND ?2 IN ('', origin) AND ?3 IN ('', scheme)
          AND ?4 IN ('', host)
          AND (?5 IN ('', route) OR substr(route, -length(?5) - 1) = '/' || ?5)
        """, scope.selection)
      return database.changes
    }
  }

  private func removeExpired(at now: Int64) throws(StateError) {
    try database.run("DELETE FROM grants WHERE expires <= ?", [.integer(now)])
  }

  private func read(_ condition: String, _ values: [DatabaseValue]) throws(StateError) -> [GrantEntry] {
    var grants: [GrantEntry] = []
    try database.query(
      "SELECT \(Self.columns) FROM grants \(condition) ORDER BY number DESC", values
    ) { row in
      func part(_ column: Int32) -> String? {
        let text = row.text(column)
        return text.isEmpty ? nil : text
      }
      grants.append(
        GrantEntry(
          scope: .init(
            source: part(0), origin: part(1), scheme: part(2), host: part(3), route: part(4),
            layer: part(5), isSandboxed: row.integer(6) != 0),
          assurance: row.text(7), answer: row.text(8), time: row.integer(9), expires: row.optionalInteger(10))
      )
    }
    return grants
  }
}
