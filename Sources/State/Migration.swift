// SPDX-License-Identifier: Apache-2.0
/// A step from one schema version to the next.
///
/// A released step is never changed.
struct Migration {
  /// The SQL statements of the step.
  let statements: String
}

extension Migration {
  /// The migrations of `state.sqlite`, which the history and the grants share.
  static let ofLastingState = [
    Migration(
      statements: """
        CREATE TABLE history (
          number INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, request TEXT NOT NULL,
          urls TEXT NOT NULL, source TEXT, assurance TEXT NOT NULL, application TEXT, delivery TEXT,
          outcome TEXT NOT NULL, error TEXT, duration INTEGER NOT NULL)
        """),
    // An empty text stands for a part of the scope that is not set.
    Migration(
      statements: """
        CREATE TABLE grants (
          number INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, origin TEXT NOT NULL,
          scheme TEXT NOT NULL, host TEXT NOT NULL, route TEXT NOT NULL, assurance TEXT NOT NULL,
          answer TEXT NOT NULL, time INTEGER NOT NULL, expires INTEGER,
          UNIQUE (source, origin, scheme, host, route, assurance))
        """),
    // Older entries have no caller, so they count as those of one caller.
    Migration(statements: "ALTER TABLE history ADD COLUMN caller TEXT NOT NULL DEFAULT ''"),
    // A grant applies to one rule, and to callers either inside or outside a sandbox. Older entries that may have
    // answered another question are removed, so that the user is prompted again: those about routes, whose layer is
    // unknown, and consent for a scheme and a source that may not have been sandboxed. An empty layer stands for the
    // broker's own policy.
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
    // A caller that no application identifies may be identified by its container.
    Migration(
      statements: """
        CREATE TABLE container_grants (
          number INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, origin TEXT NOT NULL,
          scheme TEXT NOT NULL, host TEXT NOT NULL, route TEXT NOT NULL, container TEXT NOT NULL,
          layer TEXT NOT NULL, sandboxed INTEGER NOT NULL, assurance TEXT NOT NULL, answer TEXT NOT NULL,
          time INTEGER NOT NULL, expires INTEGER,
          UNIQUE (source, origin, scheme, host, route, container, layer, sandboxed, assurance));
        INSERT INTO container_grants
          SELECT number, source, origin, scheme, host, route, '', layer, sandboxed, assurance, answer, time, expires
          FROM grants;
        DROP TABLE grants;
        ALTER TABLE container_grants RENAME TO grants;
        """),
    Migration(statements: "ALTER TABLE history ADD COLUMN via TEXT"),
    Migration(statements: "ALTER TABLE history ADD COLUMN reason TEXT"),
    // A grant may answer whether an application has a permission. An empty text stands for a grant about links.
    Migration(
      statements: """
        CREATE TABLE permission_grants (
          number INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, origin TEXT NOT NULL,
          scheme TEXT NOT NULL, host TEXT NOT NULL, route TEXT NOT NULL, container TEXT NOT NULL,
          permission TEXT NOT NULL, layer TEXT NOT NULL, sandboxed INTEGER NOT NULL, assurance TEXT NOT NULL,
          answer TEXT NOT NULL, time INTEGER NOT NULL, expires INTEGER,
          UNIQUE (source, origin, scheme, host, route, container, permission, layer, sandboxed, assurance));
        INSERT INTO permission_grants
          SELECT number, source, origin, scheme, host, route, container, '', layer, sandboxed, assurance, answer,
            time, expires
          FROM grants;
        DROP TABLE grants;
        ALTER TABLE permission_grants RENAME TO grants;
        """),
    // A grant, and a request, may be of another machine. An empty text stands for callers on this machine.
    Migration(
      statements: """
        CREATE TABLE remote_grants (
          number INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, origin TEXT NOT NULL,
          scheme TEXT NOT NULL, host TEXT NOT NULL, route TEXT NOT NULL, container TEXT NOT NULL,
          permission TEXT NOT NULL, remote TEXT NOT NULL, layer TEXT NOT NULL, sandboxed INTEGER NOT NULL,
          assurance TEXT NOT NULL, answer TEXT NOT NULL, time INTEGER NOT NULL, expires INTEGER,
          UNIQUE (source, origin, scheme, host, route, container, permission, remote, layer, sandboxed, assurance));
        INSERT INTO remote_grants
          SELECT number, source, origin, scheme, host, route, container, permission, '', layer, sandboxed,
            assurance, answer, time, expires
          FROM grants;
        DROP TABLE grants;
        ALTER TABLE remote_grants RENAME TO grants;
        ALTER TABLE history ADD COLUMN remote TEXT;
        """),
    // Older entries have no states.
    Migration(statements: "ALTER TABLE history ADD COLUMN states TEXT"),
  ]
}

extension Database {
  /// Migrates the schema to the last of `migrations`, in one transaction.
  ///
  /// - Throws: `newer` if the schema is newer than `migrations`; `corrupt` if no step has made it.
  func migrate(_ migrations: [Migration]) throws(StateError) {
    let version = try schemaVersion()
    guard version <= migrations.count else {
      throw StateError(.newer(found: version, known: migrations.count), at: path)
    }
    guard version >= 0 else { throw StateError(.corrupt("its schema version is \(version)"), at: path) }
    guard version < migrations.count else { return }
    try transaction { () throws(StateError) in
      // Another process that has the file open may have migrated it in the meantime.
      let version = try schemaVersion()
      guard version < migrations.count else { return }
      // A copy by SQL, such as a repaired one, has the tables without their version.
      if version == 0, try hasTables() {
        throw StateError(.corrupt("it has tables and no schema version"), at: path)
      }
      for migration in migrations[version...] { try execute(migration.statements) }
      // A pragma accepts no parameters.
      try execute("PRAGMA user_version = \(migrations.count)")
    }
  }

  private func hasTables() throws(StateError) -> Bool {
    var count: Int64 = 0
    try query("SELECT count(*) FROM sqlite_master") { count = $0.integer(0) }
    return count > 0
  }

  /// Returns the number of migrations that were applied to the file.
  func schemaVersion() throws(StateError) -> Int {
    var version = 0
    try query("PRAGMA user_version") { version = Int($0.integer(0)) }
    return version
  }
}
