// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A SQLite database with one owner, which uses it from one thread at a time.
///
/// Statements are prepared once and cached.
final class Database {
  /// The event that a committed transaction survives.
  enum Durability: String {
    /// The end of the process, even by SIGKILL.
    case process = "OFF"
    /// A power failure, except for the last few transactions.
    case power = "NORMAL"
  }

  let path: String
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  private var depth = 0
  /// The database itself.
  private let file: OpenDatabases.File
  /// The files beside it that SQLite has open; empty until the database is open.
  private var companions: [OpenDatabases.File] = []
  /// Called immediately before and after each commit.
  var atCommit: (() -> Void)?

  /// Opens the file, creating it if it is missing, and migrates its schema.
  ///
  /// - Parameters:
  ///   - existing: A directory that is not created if it is missing; `nil` if every directory may be created.
  ///   - isShared: Whether other processes may have the file open too.
  init(
    at path: String, existing: String? = nil, _ durability: Durability, isShared: Bool = false,
    _ migrations: [Migration]
  ) throws(StateError) {
    let (place, file) = try StateFile.prepare(path, existing: existing)
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(place, &handle, flags, nil)
    guard result == SQLITE_OK, let handle else {
      let error = handle.map { Self.error(result, of: $0, at: place) }
      sqlite3_close_v2(handle)
      throw error ?? StateError(.failed("no memory"), at: place)
    }
    self.handle = handle
    self.path = place
    self.file = file
    OpenDatabases.add([file])
    sqlite3_busy_timeout(handle, isShared ? 500 : 20)
    // A single owner needs no shared memory, and a second broker fails here instead of at a later write.
    if !isShared { try execute("PRAGMA locking_mode = EXCLUSIVE") }
    // The durability is set first, because a new file would otherwise wait for the disk.
    try execute(
      "PRAGMA synchronous = \(durability.rawValue); PRAGMA cache_size = -256; PRAGMA temp_store = MEMORY")
    try execute("PRAGMA journal_mode = WAL")
    try checkSoundness()
    try migrate(migrations)
    companions = OpenDatabases.companions(ofDatabaseAt: place)
    OpenDatabases.add(companions)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
    OpenDatabases.remove([file] + companions)
  }

  /// Throws `moved` if the path leads to another file than the open one, or to none.
  ///
  /// Data that is written to a removed file is lost, and data that is read from it is obsolete.
  func checkPath() throws(StateError) {
    guard OpenDatabases.File(at: Array(path.utf8CString)) == file else { throw StateError(.moved, at: path) }
  }

  private func checkSoundness() throws(StateError) {
    var message = "ok"
    try query("PRAGMA quick_check(1)") { message = $0.text(0) }
    guard message == "ok" else { throw StateError(.corrupt(message), at: path) }
  }

  /// Runs SQL without parameters, and ignores its rows.
  func execute(_ sql: String) throws(StateError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// Runs one statement for its effect.
  func run(_ sql: String, _ values: [DatabaseValue] = []) throws(StateError) {
    try query(sql, values: values) { _ in }
  }

  /// Runs one statement for its effect, in a transaction.
  ///
  /// - Throws: `moved` if the file is no longer at the path, even if that is detected only after the commit.
  func commit(_ sql: String, _ values: [DatabaseValue] = []) throws(StateError) {
    try transaction { () throws(StateError) in try run(sql, values) }
  }

  /// Runs one statement and passes each of its rows to `body`.
  func query(
    _ sql: String, values: [DatabaseValue] = [], _ body: (DatabaseRow) -> Void
  ) throws(StateError) {
    if depth == 0 { try checkPath() }
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      guard value.bind(to: statement, at: Int32(index) + 1) == SQLITE_OK else { throw failure() }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: body(DatabaseRow(statement: statement))
      case SQLITE_DONE: return
      default: throw failure()
      }
    }
  }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// Runs `body` in a transaction.
  ///
  /// - Throws: `moved` if the file is no longer at the path, even if that is detected only after the commit.
  func transaction<Value>(_ body: () throws(StateError) -> Value) throws(StateError) -> Value {
    guard depth == 0 else { return try body() }
    try checkPath()
    depth += 1
    defer { depth -= 1 }
    try run("BEGIN IMMEDIATE")
    do throws(StateError) {
      let value = try body()
      atCommit?()
      try run("COMMIT")
      atCommit?()
      try checkPath()
      return value
    } catch {
      // After some errors SQLite has rolled back already, and this statement fails.
      try? run("ROLLBACK")
      throw error
    }
  }

  private func prepared(_ sql: String) throws(StateError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    guard
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else { throw failure() }
    statements[sql] = statement
    return statement
  }

  private func failure() -> StateError { Self.error(sqlite3_extended_errcode(handle), of: handle, at: path) }

  private static func error(_ code: Int32, of handle: OpaquePointer, at path: String) -> StateError {
    let message = String(cString: sqlite3_errmsg(handle))
    return StateError(sqlite: code, message, systemError: sqlite3_system_errno(handle), at: path)
  }
}
