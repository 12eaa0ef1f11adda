// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import Logging
import State
import TestSupport
import Testing

@testable import BrokerService

@Suite struct `The journal of requests` {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func request(_ id: String, _ number: Int64) -> PendingRequest {
    PendingRequest(
      number: number, caller: "caller", id: id, digest: [1], details: "{}", deadline: 5, expires: 9,
      parts: [PendingRequest.Part(index: 0, target: "org.example.T", content: "content")])
  }

  /// Stores requests as the broker of a bus at `name` in the directory.
  private func store(_ requests: [PendingRequest], in file: String, busAt name: String) throws {
    let store = try PendingStore(
      at: "\(directory.path)/usher/\(file)", session: BootClock.bootID,
      bus: "unix:path=\(directory.path)/\(name)")
    try store.add(requests)
  }

  @BrokerActor private func journal(_ limits: BrokerLimits = BrokerLimits()) -> RequestJournal {
    RequestJournal(
      limits, busAddress: "unix:path=\(directory.path)/bus", log: Logger(label: "journal"),
      atCommit: nil)
  }

  /// Returns the IDs of the requests that a broker loads.
  @BrokerActor private func loaded() async -> [String] {
    await journal().open(in: directory.path).map(\.id)
  }

  /// The first broker is killed after it has copied the requests, and before it removes the file.
  @Test func `has each request of a bus that has ended once, also if the adoption was interrupted`()
    async throws
  {
    let file = "\(directory.path)/usher/pending-other.sqlite"
    try store([request("a", 1), request("b", 2)], in: "pending-other.sqlite", busAt: "other")
    let content = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(await loaded() == ["a", "b"])
    #expect(!FileManager.default.fileExists(atPath: file))
    try content.write(to: URL(fileURLWithPath: file))
    #expect(await loaded() == ["a", "b"])
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(await loaded() == ["a", "b"])
  }

  @Test func `adopts requests of another bus that have the ID of an own one`() async throws {
    try store([request("a", 1)], in: "pending.sqlite", busAt: "bus")
    let other = PendingRequest(
      number: 1, caller: "caller", id: "a", digest: [2], details: "{}", deadline: 5, expires: 10,
      parts: request("a", 1).parts)
    try store([other], in: "pending-other.sqlite", busAt: "other")
    #expect(await loaded() == ["a", "a"])
  }

  /// Lets the journal lose its file, as by a write that finds it damaged.
  @BrokerActor private func damage(_ journal: RequestJournal) {
    var isDamaged = true
    let path = "\(directory.path)/usher/pending.sqlite"
    let isWritten = journal.write { _ throws(StateError) in
      guard isDamaged else { return }
      isDamaged = false
      throw StateError(.corrupt("test"), at: path)
    }
    #expect(isWritten)
  }

  @BrokerActor private func replace() throws {
    try FileManager.default.moveItem(
      atPath: "\(directory.path)/usher", toPath: "\(directory.path)/\(UUID().uuidString)")
  }

  /// The new file has no row of the request, so that an update of it changes none.
  @Test(arguments: [true, false])
  func `stores a changed request completely in a file that has replaced a lost one`(isDamaged: Bool)
    async throws
  {
    let (changed, other) = (request("a", 1), request("b", 2))
    try await withJournal { journal in
      #expect(journal.add(changed) && journal.add(other))
      if isDamaged { damage(journal) } else { try replace() }
      let isStored = journal.update { store throws(StateError) in
        try store.update(0, of: 1, to: .sent, method: "program")
      } orAdd: {
        var request = changed
        (request.parts[0].progress, request.parts[0].method) = (.sent, "program")
        return request
      }
      #expect(isStored && journal.knows(1) && !journal.knows(2))
    }
    let stored = try PendingStore(
      at: "\(directory.path)/usher/pending.sqlite", session: BootClock.bootID
    ).requests()
    #expect(stored.map(\.id) == ["a"] && stored[0].parts.map(\.progress) == [.sent])
  }

  @Test func `has requests in progress stored again after its file is lost, and questions`() async throws {
    var question = request("q", 3)
    question.parts[0].progress = .asking
    let (asked, waiting) = (question, request("a", 1))
    try await withJournal { journal in
      journal.fileLost = { [weak journal] in journal?.storeAgain { _ = journal?.add(waiting) } }
      #expect(journal.add(waiting) && journal.addQuestion(asked))
      damage(journal)
      #expect(journal.isOpen && journal.knows(1) && journal.knows(3))
      // Nothing is lost any more.
      journal.storeAgain { Issue.record("stored again") }
      // No file can be opened in the place of the next one.
      try replace()
      try directory.write("in the way", to: "usher")
      #expect(!journal.add(request("b", 2)) && !journal.isOpen)
      journal.storeAgain { Issue.record("stored in no file") }
      try FileManager.default.removeItem(atPath: "\(directory.path)/usher")
      journal.reopenBeforeEnd()
      journal.storeAgain { #expect(journal.add(waiting)) }
    }
    let stored = try PendingStore(
      at: "\(directory.path)/usher/pending.sqlite", session: BootClock.bootID
    ).requests()
    #expect(stored.map(\.id) == ["a", "q"])
  }

  @Test func `does not know what the broker of a damaged file had sent`() async throws {
    let options = OpenOptions.named("mine")
    try await withJournal { journal in #expect(!journal.session(for: options).mayRepeatUnstored) }
    try FileManager.default.removeItem(atPath: "\(directory.path)/usher")
    try directory.write(String(repeating: "no database ", count: 500), to: "usher/pending.sqlite")
    try await withJournal { journal in #expect(journal.session(for: options).mayRepeatUnstored) }
  }

  /// A caller may repeat a request until it expires, also to the broker after the next.
  @Test func `knows of a crash also if a broker has exited in order since, until every request has expired`()
    async throws
  {
    let options = OpenOptions.named("mine")
    try await withJournal { journal in #expect(!journal.session(for: options).mayRepeatUnstored) }
    for _ in 0..<2 {
      try await withJournal { journal in
        #expect(journal.session(for: options).mayRepeatUnstored && journal.noteEnd())
      }
    }
    try await withJournal(BrokerLimits("lifetime=0")) { journal in
      #expect(!journal.session(for: options).mayRepeatUnstored && journal.noteEnd())
    }
    try await withJournal { journal in #expect(!journal.session(for: options).mayRepeatUnstored) }
  }

  /// Runs `body` with an open journal, which is gone afterwards.
  @BrokerActor private func withJournal(
    _ limits: BrokerLimits = BrokerLimits(), _ body: @BrokerActor (RequestJournal) async throws -> Void
  ) async throws {
    let journal = journal(limits)
    _ = await journal.open(in: directory.path)
    try await body(journal)
    journal.fileLost = {}
  }

  @Test func `is not open before its requests are read, which it tries again`() async throws {
    try store([request("a", 1)], in: "pending.sqlite", busAt: "bus")
    func rename(_ table: String, to name: String) async throws {
      try await Command.run(
        "/usr/bin/python3",
        [
          "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2])",
          "\(directory.path)/usher/pending.sqlite", "ALTER TABLE \(table) RENAME TO \(name)",
        ]
      ).orThrow()
    }
    try await rename("part", to: "away")
    let journal = await journal()
    #expect(await journal.open(in: directory.path).isEmpty)
    #expect(await !journal.isOpen)
    #expect(await journal.obstacle?.contains("no such table") == true)
    try await rename("away", to: "part")
    let path = directory.path
    let read = try await withDeadline(Command.defaultDeadline, "the requests to be read") {
      while true {
        let requests = await journal.reopen(in: path)
        if !requests.isEmpty { return requests.map(\.id) }
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    #expect(read == ["a"])
    #expect(await journal.isOpen)
    #expect(await journal.obstacle == nil)
  }
}

extension OpenOptions {
  fileprivate static func named(_ id: String) -> OpenOptions {
    var options = OpenOptions()
    options.requestID = id
    return options
  }
}
