import TestSupport
import Testing

@testable import State

@Suite struct `The history` {
  private func entry(_ number: Int) -> HistoryEntry {
    HistoryEntry(
      time: Int64(number), request: "r\(number)", urls: "notes://note/\(number)?…", source: nil,
      assurance: "unknown", application: "org.example.Notes", delivery: "running", outcome: "handled",
      error: nil, duration: 7)
  }

  @Test func `is read newest first, across a restart`() throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/usher/state.sqlite"
    try { try HistoryStore(at: path).add((1...5).map(entry)) }()
    #expect(try HistoryStore(at: path).entries(limit: 3) == [entry(5), entry(4), entry(3)])
  }

  @Test func `is written by the brokers of two sessions`() throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/usher/state.sqlite"
    let (one, other) = (try HistoryStore(at: path), try HistoryStore(at: path))
    try one.add([entry(1)])
    try other.add([entry(2)])
    #expect(try one.entries(limit: 10) == [entry(2), entry(1)])
  }

  @Test func `is bounded`() throws {
    let folder = try TemporaryDirectory()
    let store = try HistoryStore(at: "\(folder.path)/state.sqlite")
    for batch in 0..<11 { try store.add((1...1_000).map { entry(batch * 1_000 + $0) }) }
    let entries = try store.entries(limit: 100_000)
    #expect(entries.count == HistoryStore.capacity)
    #expect(entries.last == entry(1_001))
  }

  @Test func `that is far too long grows short step by step`() throws {
    let folder = try TemporaryDirectory()
    let store = try HistoryStore(at: "\(folder.path)/state.sqlite")
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
}
