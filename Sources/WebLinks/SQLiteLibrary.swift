// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The functions of libsqlite3 that read the rows of a database.
///
/// It is loaded for the first group of profiles, which few users have, so that the command and the start of a link need no time for it.
struct SQLiteLibrary: Sendable {
  private typealias Open =
    @convention(c) @Sendable (
      UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, Int32, UnsafePointer<CChar>?
    ) -> Int32
  private typealias Prepare =
    @convention(c) @Sendable (
      OpaquePointer, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Int32
  private typealias Use = @convention(c) @Sendable (OpaquePointer?) -> Int32
  private typealias Describe = @convention(c) @Sendable (OpaquePointer) -> UnsafePointer<CChar>?
  private typealias GetText = @convention(c) @Sendable (OpaquePointer, Int32) -> UnsafePointer<UInt8>?
  private typealias Limit =
    @convention(c) @Sendable (
      OpaquePointer, Int32, (@convention(c) (UnsafeMutableRawPointer?) -> Int32)?, UnsafeMutableRawPointer?
    ) -> Void
  private typealias GetCount = @convention(c) @Sendable (OpaquePointer, Int32) -> Int32

  /// The error of a database, with SQLite's message.
  struct Failure: Error {
    let message: String
  }

  static let name = "libsqlite3.so.0"
  /// The library; `nil` if it is not installed.
  static let shared = SQLiteLibrary()

  private static let openReadWrite: Int32 = 2
  private static let noFollow: Int32 = 0x0100_0000
  /// The number of steps of SQLite's machine after which a statement is stopped; a view of a hostile file may never end.
  private static let maximumSteps: Int32 = 10_000_000
  private static let row: Int32 = 100
  private static let done: Int32 = 101

  private let open: Open
  private let prepare: Prepare
  private let step: Use
  private let finalize: Use
  private let close: Use
  private let describe: Describe
  private let getText: GetText
  private let getCount: GetCount
  private let limitSteps: Limit

  private init?() {
    guard let library = dlopen(Self.name, RTLD_NOW | RTLD_LOCAL),
      let open = dlsym(library, "sqlite3_open_v2"),
      let prepare = dlsym(library, "sqlite3_prepare_v2"), let step = dlsym(library, "sqlite3_step"),
      let finalize = dlsym(library, "sqlite3_finalize"), let close = dlsym(library, "sqlite3_close_v2"),
      let describe = dlsym(library, "sqlite3_errmsg"), let getText = dlsym(library, "sqlite3_column_text"),
      let getCount = dlsym(library, "sqlite3_column_bytes"),
      let limitSteps = dlsym(library, "sqlite3_progress_handler")
    else { return nil }
    self.open = unsafeBitCast(open, to: Open.self)
    self.prepare = unsafeBitCast(prepare, to: Prepare.self)
    self.step = unsafeBitCast(step, to: Use.self)
    self.finalize = unsafeBitCast(finalize, to: Use.self)
    self.close = unsafeBitCast(close, to: Use.self)
    self.describe = unsafeBitCast(describe, to: Describe.self)
    self.getText = unsafeBitCast(getText, to: GetText.self)
    self.getCount = unsafeBitCast(getCount, to: GetCount.self)
    self.limitSteps = unsafeBitCast(limitSteps, to: Limit.self)
  }

  /// Returns the rows of a statement as text.
  func rows(of sql: String, columns: Int32, inDatabaseAt path: String) throws(Failure) -> [[String]] {
    var database: OpaquePointer?
    defer { _ = close(database) }
    guard open(path, &database, Self.openReadWrite | Self.noFollow, nil) == 0, let database else {
      throw failure(database)
    }
    limitSteps(database, Self.maximumSteps, { _ in 1 }, nil)
    var statement: OpaquePointer?
    guard prepare(database, sql, -1, &statement, nil) == 0, let statement else { throw failure(database) }
    defer { _ = finalize(statement) }
    var rows: [[String]] = []
    while true {
      switch step(statement) {
      case Self.row:
        rows.append(
          (0..<columns).map { column in
            // The text must be requested before its length.
            guard let text = getText(statement, column) else { return "" }
            let count = Int(getCount(statement, column))
            return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
          })
      case Self.done: return rows
      default: throw failure(database)
      }
    }
  }

  private func failure(_ database: OpaquePointer?) -> Failure {
    Failure(message: database.flatMap(describe).map { String(cString: $0) } ?? "SQLite has no memory")
  }
}
