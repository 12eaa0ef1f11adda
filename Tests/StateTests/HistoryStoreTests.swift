// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import State

@Suite struct `The history` {
  private func entry(_ number: Int, of caller: String = "") -> HistoryEntry {
    HistoryEntry(
      time: Int64(number), request: "r\(number)", urls: "notes://note/\(number)?…", source: nil,
      assurance: "unknown", via: number % 2 == 0 ? "org.example.Portal" : nil,
      application: "org.example.Notes", delivery: "running", outcome: "handled",
      error: nil, duration: 7, states: number % 2 == 0 ? "queued 2 sent 5" : nil, caller: caller)
  }

  @Test func `is read newest first, across a restart`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/usher/state.sqlite"
    try { try HistoryStore(at: path).add((1...5).map { entry($0) }) }()
    #expect(try HistoryStore(at: path).entries(limit: 3) == [entry(5), entry(4), entry(3)])
  }

  @Test func `is read for a period`() throws {
    let directory = try TemporaryDirectory()
    let store = try HistoryStore(at: "\(directory.path)/state.sqlite")
    var denied = entry(3)
    denied.reason = "the route “no” denies the link"
    try store.add([entry(1), entry(2), denied, entry(4)])
    #expect(try store.entries(limit: 10, in: 2..<4) == [denied, entry(2)])
    #expect(try store.entries(limit: 1, in: 2..<4) == [denied])
    #expect(try store.entries(limit: 10, in: 5..<9).isEmpty)
  }

  @Test func `is read in parts of a limited size, without a gap and without a repetition`() throws {
    let directory = try TemporaryDirectory()
    let store = try HistoryStore(at: "\(directory.path)/state.sqlite")
    // The order is that of the ends, which is not that of the times.
    let entries = (1...20).map { number in
      var entry = entry(number % 7)
      entry.request = "r\(number)"
      entry.urls = String(repeating: "ä", count: 10_000)
      return entry
    }
    try store.add(entries)
    var (read, counts): ([HistoryEntry], [Int]) = ([], [])
    var end: Int64?
    repeat {
      let page = try store.page(limit: 20, bytes: 100_000, in: 0..<6, before: end)
      read += page.entries
      counts.append(page.entries.count)
      end = page.next
    } while end != nil && counts.count < 100
    #expect(read == entries.reversed().filter { $0.time < 6 })
    #expect(counts == [4, 4, 4, 4, 1], "\(counts)")
    // An entry that is longer than a part is one of its own.
    #expect(try store.page(limit: 20, bytes: 10).entries == [entries[19]])
    let whole = try store.page(limit: 20, bytes: 1 << 20)
    #expect(whole.entries.count == 20 && whole.next == nil)
    #expect(try store.page(limit: 3, bytes: 1 << 20).next == nil)
  }

  @Test func `is written by the brokers of two sessions`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/usher/state.sqlite"
    let (one, other) = (try HistoryStore(at: path), try HistoryStore(at: path))
    try one.add([entry(1)])
    try other.add([entry(2)])
    #expect(try one.entries(limit: 10) == [entry(2), entry(1)])
  }

  @Test func `is bounded`() throws {
    let directory = try TemporaryDirectory()
    let store = try HistoryStore(at: "\(directory.path)/state.sqlite")
    for batch in 0..<11 { try store.add((1...1_000).map { entry(batch * 1_000 + $0) }) }
    let entries = try store.entries(limit: 100_000)
    #expect(entries.count == HistoryStore.capacity)
    #expect(entries.last == entry(1_001))
  }

  @Test func `that is far too long grows short step by step`() throws {
    let directory = try TemporaryDirectory()
    let store = try HistoryStore(at: "\(directory.path)/state.sqlite")
    try store.database.execute(
      """
      WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 13500)
      INSERT INTO history (time, request, urls, assurance, outcome, duration) SELECT n, 'r', 'u', 'unknown', 'handled', 7 FROM counted
      """)
    let counts = try (1...5).map { number in
      try store.add([entry(number)])
      return try store.entries(limit: 100_000).count
    }
    #expect(counts == [12_500, 11_500, 10_500, 10_000, 10_000])
  }

  @Test func `that is full gives up at most a tenth to one caller, oldest entries first`() throws {
    let directory = try TemporaryDirectory()
    let store = try HistoryStore(at: "\(directory.path)/state.sqlite")
    for batch in 0..<10 {
      try store.add((1...1_000).map { entry(batch * 1_000 + $0, of: "caller \($0 % 100)") })
    }
    for batch in 10..<30 { try store.add((1...1_000).map { entry(batch * 1_000 + $0, of: "greedy") }) }
    let entries = try store.entries(limit: 100_000)
    #expect(entries.count == HistoryStore.capacity)
    #expect(entries.prefix(1_000).map(\.time) == (29_001...30_000).reversed().map { Int64($0) })
    #expect(entries.dropFirst(1_000).map(\.time) == (1_001...10_000).reversed().map { Int64($0) })
  }

  @Test func `that one caller has filled has room for others again`() throws {
    let directory = try TemporaryDirectory()
    let store = try HistoryStore(at: "\(directory.path)/state.sqlite")
    for batch in 0..<11 { try store.add((1...1_000).map { entry(batch * 1_000 + $0, of: "greedy") }) }
    for batch in 11..<15 {
      try store.add((1...1_000).map { entry(batch * 1_000 + $0, of: "caller \($0 % 100)") })
    }
    try store.add((1...1_000).map { entry(15_000 + $0, of: "greedy") })
    let entries = try store.entries(limit: 100_000)
    #expect(entries.count == HistoryStore.capacity)
    // All entries of the other callers remain, and only the last ones of the first.
    #expect(entries.count { $0.caller != "greedy" } == 4_000)
    #expect(entries.last == entry(6_001, of: "greedy"))
  }

  @Test func `of a version without callers is one caller's`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/state.sqlite"
    try {
      let store = try HistoryStore(at: path)
      try store.add([entry(1, of: "lost")])
      try store.database.execute(
        """
        ALTER TABLE history DROP COLUMN caller; ALTER TABLE history DROP COLUMN via;
        ALTER TABLE history DROP COLUMN reason; ALTER TABLE history DROP COLUMN remote;
        ALTER TABLE history DROP COLUMN states; PRAGMA user_version = 2
        """)
    }()
    let store = try HistoryStore(at: path)
    try store.add([entry(2, of: "a")])
    #expect(try store.entries(limit: 10) == [entry(2, of: "a"), entry(1)])
  }

  @Test func `that waits to be written is shared in the same way`() {
    let others = (1...10).map { entry($0, of: "caller \($0)") }
    let greedy = (11...60).map { entry($0, of: "greedy") }
    #expect((others + greedy).newest(20) == others + greedy.suffix(10))
    #expect((greedy + others).newest(20) == greedy.suffix(10) + others)
    #expect(others.newest(3) == others.suffix(3))
    #expect(others.newest(10) == others && [HistoryEntry]().newest(3) == [])
  }
}
