// SPDX-License-Identifier: Apache-2.0
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
      parts: [PendingRequest.Part(place: 0, target: "org.example.T", content: "content")])
  }

  /// Stores requests as the broker of a bus at `name` in the directory.
  private func store(_ requests: [PendingRequest], in file: String, busAt name: String) throws {
    let store = try PendingStore(
      at: "\(directory.path)/usher/\(file)", session: BootClock.bootID,
      bus: "unix:path=\(directory.path)/\(name)")
    try store.add(requests)
  }

  @BrokerActor private func journal() -> RequestJournal {
    RequestJournal(
      BrokerLimits(), busAddress: "unix:path=\(directory.path)/bus", log: Logger(label: "journal"),
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
