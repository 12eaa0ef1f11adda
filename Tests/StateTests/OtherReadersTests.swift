// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import State

/// Tests with programs that read `state.sqlite` beside the broker: a backup, `sqlite3`, another session's broker.
@Suite struct `A database that others read` {
  private let directory: TemporaryDirectory
  private var path: String { "\(directory.path)/usher/state.sqlite" }

  init() throws { directory = try TemporaryDirectory() }

  private static func grant(_ scheme: String) -> GrantEntry {
    GrantEntry(
      scope: .init(scheme: scheme), assurance: "unknown", answer: "yes", time: 7, expires: nil)
  }

  private static let entry = HistoryEntry(
    time: 1, request: "r", urls: "notes:1", source: nil, assurance: "unknown", application: nil,
    delivery: nil, outcome: "handled", error: nil, duration: 7)

  /// Opens the database in another process, counts the rows, and closes it.
  private func count(_ table: String) async throws -> Int? {
    let script = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1], timeout=60)
      print(database.execute("SELECT count(*) FROM " + sys.argv[2]).fetchone()[0])
      database.close()
      """
    return Int(try await Command.run("python3", ["-c", script, path, table]).orThrow().lines.first ?? "")
  }

  /// Tests that the broker's store which opens the file second does not release the locks of the first.
  @Test func `loses nothing when the last reader closes it`() async throws {
    let history = try HistoryStore(at: path)
    try history.add([Self.entry])
    let grants = try GrantStore(at: path)
    #expect(try await count("history") == 1)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    try grants.add(Self.grant("a"), now: 7)
    #expect(try await count("grants") == 1)
    try history.add([Self.entry])
    try grants.add(Self.grant("b"), now: 7)
    #expect(try await count("history") == 2)
    #expect(try await count("grants") == 2)
  }

  @Test func `keeps its locks when a failed store is closed`() async throws {
    let history = try HistoryStore(at: path)
    // The failure of an older broker with a newer schema.
    #expect(throws: StateError.self) { try Database(at: path, .power, isShared: true, []) }
    _ = try await count("history")
    try history.add([Self.entry])
    #expect(try await count("history") == 1)
  }

  @Test func `is known by every name of its files while it is open`() throws {
    let link = "\(directory.path)/link"
    try {
      let store = try HistoryStore(at: path)
      try store.add([Self.entry])
      for suffix in ["", "-wal", "-shm"] {
        #expect(OpenDatabases.contains(fileAt: Array((path + suffix).utf8)))
      }
      try FileManager.default.linkItem(atPath: path, toPath: link)
      #expect(OpenDatabases.contains(fileAt: Array(link.utf8)))
      _ = try HistoryStore(at: path)
      #expect(OpenDatabases.contains(fileAt: Array(link.utf8)))
      #expect(!OpenDatabases.contains(fileAt: Array(directory.path.utf8)))
    }()
    #expect(!OpenDatabases.contains(fileAt: Array(link.utf8)))
  }

  @Test func `that was removed or replaced reports it, and accepts no more writes`() throws {
    let (history, grants) = (try HistoryStore(at: path), try GrantStore(at: path))
    try grants.add(Self.grant("a"), now: 7)
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: StateError(.moved, at: path)) { try grants.add(Self.grant("b"), now: 7) }
    #expect(throws: StateError(.moved, at: path)) { try grants.grants(now: 8) }
    // Another file with that name.
    _ = try GrantStore(at: path)
    #expect(throws: StateError(.moved, at: path)) { try history.add([Self.entry]) }
    #expect(throws: StateError(.moved, at: path)) { try history.entries(limit: 1) }
  }

  /// Tests that only one of two stores that find the damage moves the file aside.
  @Test func `and is damaged is set aside once`() async throws {
    let path = try directory.write(String(repeating: "no database ", count: 100), to: "state.sqlite")
    let asides = try await withThrowingTaskGroup { group in
      for scheme in ["a", "b", "c", "d"] {
        group.addTask {
          let (store, aside) = try GrantStore.open(at: path)
          try store.add(Self.grant(scheme), now: 7)
          return aside
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(asides.compactMap { $0 }.count == 1)
    #expect(try GrantStore(at: path).grants(now: 8).count == 4)
  }
}
