/// One step from a schema to the next, for good: a step that was released is never changed.
struct Migration {
  /// What it does, in SQL.
  let statements: String
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
