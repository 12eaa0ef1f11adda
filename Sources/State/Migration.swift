/// One step from a schema to the next, for good: a step that was released is never changed.
struct Migration {
  /// What it does, in SQL.
  let statements: String
}

extension Migration {
  /// Those of `state.sqlite`, which the history and the grants share.
  static let ofLastingState = [
    Migration(
      statements: """
        CREATE TABLE history (
          number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, request TEXT NOT NULL,
          urls TEXT NOT NULL, source TEXT, assurance TEXT NOT NULL, application TEXT, delivery TEXT,
          outcome TEXT NOT NULL, error TEXT, duration INTEGER NOT NULL)
        """),
    // An empty text is a part of the scope that does not matter.
    Migration(
      statements: """
        CREATE TABLE grants (
          number INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, origin TEXT NOT NULL,
          scheme TEXT NOT NULL, host TEXT NOT NULL, route TEXT NOT NULL, assurance TEXT NOT NULL,
          answer TEXT NOT NULL, time INTEGER NOT NULL, expires INTEGER,
          UNIQUE (source, origin, scheme, host, route, assurance))
        """),
    // Entries of before have no caller: they are all one's.
    Migration(statements: "ALTER TABLE history ADD COLUMN caller TEXT NOT NULL DEFAULT ''"),
    // A grant is for one rule that asks, and for callers in a sandbox or outside. Entries of before that may have been answers to
    // another question go, and a person is asked again: those about routes, whose layer is unknown, and a yes for a scheme and a source that
    // may not have been in a sandbox. An empty layer is Usher's own rules.
    Migration(
      statements: """
        CREATE TABLE scoped_grants (
          number INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, origin TEXT NOT NULL,
          scheme TEXT NOT NULL, host TEXT NOT NULL, route TEXT NOT NULL, layer TEXT NOT NULL,
          sandboxed INTEGER NOT NULL, assurance TEXT NOT NULL, answer TEXT NOT NULL, time INTEGER NOT NULL,
          expires INTEGER,
          UNIQUE (source, origin, scheme, host, route, layer, sandboxed, assurance));
        INSERT INTO scoped_grants
          SELECT number, source, origin, scheme, '', '', '', origin = '', assurance, answer, time, expires
          FROM grants WHERE host = '' AND route = '' AND scheme <> '' AND (source = '') <> (origin = '')
            AND (source = '' OR assurance = 'sandbox' OR answer = 'no');
        DROP TABLE grants;
        ALTER TABLE scoped_grants RENAME TO grants;
        """),
  ]
}

extension Database {
  /// Brings the schema to what the last of `migrations` makes, in one transaction.
  ///
  /// - Throws: `newer` when more steps were taken than are known.
  func migrate(_ migrations: [Migration]) throws(StateError) {
    let version = try schemaVersion()
    guard version <= migrations.count else {
      throw StateError(.newer(found: version, known: migrations.count), at: path)
    }
    guard version < migrations.count else { return }
    try transaction { () throws(StateError) in
      // Another that has the file open may have been first.
      let version = try schemaVersion()
      guard version < migrations.count else { return }
      for migration in migrations[version...] { try execute(migration.statements) }
      // A pragma takes no parameters.
      try execute("PRAGMA user_version = \(migrations.count)")
    }
  }

  /// How many migrations the file has seen.
  func schemaVersion() throws(StateError) -> Int {
    var version = 0
    try query("PRAGMA user_version") { version = Int($0.integer(0)) }
    return version
  }
}
