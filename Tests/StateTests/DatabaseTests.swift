// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import State

@Suite struct `A database` {
  private let directory: TemporaryDirectory
  private var path: String { "\(directory.path)/state/usher/test.sqlite" }

  init() throws { directory = try TemporaryDirectory() }

  private func open(_ migrations: [String] = ["CREATE TABLE t (x)"]) throws(StateError) -> Database {
    try Database(at: path, .process, migrations.map(Migration.init))
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `is a file of mode 0600 in a directory of mode 0700, with its journal files`() throws {
    let database = try open()
    try database.run("INSERT INTO t VALUES (1)")
    #expect(try permissions(path) == 0o600)
    #expect(try permissions(path + "-wal") == 0o600)
    #expect(try permissions((path as NSString).deletingLastPathComponent) == 0o700)
  }

  @Test func `is not opened through a symbolic link`() throws {
    let elsewhere = try directory.write("precious", to: "precious")
    try directory.write("", to: "state/usher/.keep")
    #expect(symlink(elsewhere, path) == 0)
    #expect(throws: StateError(.notPrivate("it is a symbolic link"), at: path)) { try open() }
    #expect(try String(contentsOfFile: elsewhere, encoding: .utf8) == "precious")
  }

  @Test func `restricts a directory that others could enter`() throws {
    try directory.write("", to: "state/usher/.keep")
    chmod("\(directory.path)/state/usher", 0o777)
    _ = try open()
    #expect(try permissions("\(directory.path)/state/usher") == 0o700)
  }

  @Test func `makes directories in one that exists, and not that one`() throws {
    let base = "\(directory.path)/home"
    let path = "\(base)/.local/state/usher/test.sqlite"
    let error = #expect(throws: StateError.self) {
      try Database(at: path, existing: base, .process, [])
    }
    #expect(error?.reason == .missingDirectory(base))
    #expect(error?.description.contains("\(base) does not exist") == true)
    #expect(throws: StateError.self) { try GrantStore.open(at: path, existing: base) }
    #expect(throws: StateError.self) { try HistoryStore.open(at: path, existing: base) }
    #expect(throws: StateError.self) { try PendingStore.open(at: path, existing: base, session: "s") }
    #expect(!FileManager.default.fileExists(atPath: base))
    try directory.makeDirectory("home")
    _ = try Database(at: path, existing: base, .process, [])
    #expect(try permissions(path) == 0o600)
  }

  @Test func `applies its migrations in order, once`() throws {
    try { _ = try open() }()
    let steps = ["CREATE TABLE t (x)", "ALTER TABLE t ADD y", "UPDATE t SET y = 1"]
    try { try open(steps).run("INSERT INTO t VALUES (1, 2)") }()
    let database = try open(steps)
    #expect(try database.schemaVersion() == 3)
    var sum: Int64 = 0
    try database.query("SELECT x + y FROM t") { sum += $0.integer(0) }
    #expect(sum == 3)
  }

  @Test func `applies a migration completely or not at all`() throws {
    #expect(throws: StateError.self) { try open(["CREATE TABLE t (x)", "CREATE TABLE u (x); nonsense"]) }
    #expect(try open(["CREATE TABLE u (x)"]).schemaVersion() == 1)
  }

  @Test func `of a newer version is rejected with both version numbers, and not changed`() throws {
    try { _ = try open(["CREATE TABLE t (x)", "CREATE TABLE u (x)"]) }()
    #expect(throws: StateError(.newer(found: 2, known: 1), at: path)) { try open() }
    let said = StateError(.newer(found: 2, known: 1), at: path).description
    #expect(said.contains("newer Usher") && said.contains("schema 2") && said.contains(path))
    #expect(try open(["CREATE TABLE t (x)", "CREATE TABLE u (x)"]).schemaVersion() == 2)
  }

  /// The message for the user is that of any daemon's database.
  @Test(
    arguments: [.locked, .moved, .corrupt("no database"), .newer(found: 2, known: 1)] as [StateError.Reason])
  func `that cannot be used does not name the broker in its error`(reason: StateError.Reason) {
    let message = StateError(reason, at: "/state.sqlite").description
    #expect(!message.contains("broker") && !message.contains("usherd"))
  }

  /// The number has no checksum.
  @Test(arguments: ["-1", "-2147483648"])
  func `whose version is damaged is corrupt`(version: String) throws {
    try { try open().execute("PRAGMA user_version = \(version)") }()
    #expect(throws: StateError(.corrupt("its schema version is \(version)"), at: path)) { try open() }
  }

  /// As `sqlite3 old .dump | sqlite3 new` makes it.
  @Test func `that has tables without a version is corrupt, which the stores move aside`() throws {
    try { try Database(at: path, .process, []).execute("CREATE TABLE history (x)") }()
    #expect(throws: StateError(.corrupt("it has tables and no schema version"), at: path)) { try open() }
    #expect(try HistoryStore.open(at: path).setAside != nil)
  }

  @Test(arguments: [
    "this is no database, but long enough to be looked at: \(String(repeating: "x", count: 4096))"
  ])
  func `that is not a database is corrupt`(text: String) throws {
    try directory.write(text, to: "state/usher/test.sqlite")
    let error = #expect(throws: StateError.self) { try open() }
    #expect(error?.description.contains("the database is corrupt") == true, "\(String(describing: error))")
  }

  @Test func `that is damaged in the middle is corrupt`() throws {
    try {
      let database = try open()
      for _ in 0..<200 {
        try database.run("INSERT INTO t VALUES (?)", [.text(String(repeating: "x", count: 500))])
      }
    }()
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 8192))
    try file.close()
    let error = #expect(throws: StateError.self) { try open() }
    #expect(error?.description.contains("the database is corrupt") == true, "\(String(describing: error))")
  }

  @Test func `that another owner has is locked`() throws {
    let first = try open()
    try first.run("INSERT INTO t VALUES (1)")
    #expect(throws: StateError(.locked, at: path)) { try open() }
  }

  @Test func `that cannot grow reports the full disk, and keeps its content`() throws {
    let database = try open()
    try database.run("INSERT INTO t VALUES ('kept')")
    try database.execute("PRAGMA max_page_count = 3")
    let error = #expect(throws: StateError.self) {
      try database.transaction { () throws(StateError) in
        try database.run("INSERT INTO t VALUES ('rolled back')")
        try database.run("INSERT INTO t VALUES (?)", [.bytes([UInt8](repeating: 1, count: 100_000))])
      }
    }
    #expect(error?.reason == .diskFull)
    #expect(error?.description.contains("the disk is full") == true)
    var texts: [String] = []
    try database.query("SELECT x FROM t") { texts.append($0.text(0)) }
    #expect(texts == ["kept"])
  }

  /// Tests `SQLITE_IOERR_WRITE`, `SQLITE_IOERR_FSYNC` and `SQLITE_IOERR_SHMSIZE`.
  @Test(arguments: [778, 1_034, 4_874] as [Int32])
  func `that fails because of a quota or a full disk reports the full disk`(code: Int32) {
    for (number, reason) in [
      (ENOSPC, StateError.Reason.diskFull), (EDQUOT, .diskFull), (EIO, .failed("disk I/O error")),
    ] {
      let error = StateError(sqlite: code, "disk I/O error", systemError: number, at: path)
      #expect(error == StateError(reason, at: path))
    }
    // The number of an earlier I/O error.
    #expect(StateError(sqlite: 5, "database is locked", systemError: ENOSPC, at: path).reason == .locked)
  }

  @Test func `that cannot be opened has the reason`() throws {
    try directory.write("", to: "state/usher/test.sqlite/in-the-way")
    let error = #expect(throws: StateError.self) { try open() }
    #expect(error?.path == path)
    #expect(error?.description.contains("cannot write") == true, "\(String(describing: error))")
  }

  @Test func `carries every kind of value`() throws {
    let database = try open(["CREATE TABLE t (a, b, c, d, e)"])
    let text = "é\u{0}\u{1F600}"
    try database.run(
      "INSERT INTO t VALUES (?, ?, ?, ?, ?)",
      [.null, .integer(.min), .text(text), .bytes([0, 255]), .text("")])
    try database.query("SELECT a, b, c, d, e FROM t") { row in
      #expect(row.isNull(0) && row.optionalText(0) == nil)
      #expect(row.integer(1) == .min)
      #expect(row.text(2) == text)
      #expect(row.bytes(3) == [0, 255])
      #expect(row.optionalText(4) == "")
    }
  }
}
