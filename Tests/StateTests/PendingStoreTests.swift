// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

@testable import State

@Suite struct `Pending requests` {
  private let directory: TemporaryDirectory
  private var path: String { "\(directory.path)/usher/pending.sqlite" }

  init() throws { directory = try TemporaryDirectory() }

  private func request(_ id: String, _ number: Int64 = 1, parts: Int = 1) -> PendingRequest {
    PendingRequest(
      number: number, caller: "caller", id: id, digest: [1, 2], details: "{}", deadline: 5, expires: 9,
      parts: (0..<parts).map {
        PendingRequest.Part(index: $0, target: "org.example.T\($0)", content: "secret \($0)")
      })
  }

  @Test func `are read completely, in the order of acceptance`() throws {
    let requests = (1...30).map { request("r\($0)", Int64($0), parts: $0 % 3 + 1) }
    try {
      let store = try PendingStore(at: path, session: "s")
      for request in requests.shuffled() { try store.add(request) }
    }()
    #expect(try PendingStore(at: path, session: "s").requests() == requests)
  }

  @Test func `of a bus that has not ended stay as they are, with the note that their broker exited in order`()
    throws
  {
    let other = "\(directory.path)/usher/pending-other.sqlite"
    func open(_ path: String, _ bus: String) throws -> PendingStore {
      try PendingStore(at: path, session: "s", bus: bus)
    }
    try {
      let store = try open(other, "unix:path=/other")
      try store.add(request("r"))
      try store.recordOrderlyExit()
    }()
    try {
      let own = try open(path, "unix:path=/own")
      var asked: [String] = []
      let abandoned = own.abandonedStores(session: "s", unnamedBus: "unix:path=/own") {
        asked.append($0)
        return false
      }
      #expect(abandoned.isEmpty && asked == ["unix:path=/other"])
    }()
    let store = try open(other, "unix:path=/other")
    #expect(try !store.followsCrash && store.requests() == [request("r")])
  }

  /// The lock belongs to the open file, of which a child process has a copy until it executes its program.
  @Test
  func `are in a directory that is unlocked although a child process still has a copy of the descriptor`()
    throws
  {
    let files = FileManager.default
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    _ = try StateFile.soundStore(at: path, existing: nil) { () throws(StateError) in
      for name in (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
        let link = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        guard link == "\(directory.path)/usher", let descriptor = Int32(name) else { continue }
        copies.append(fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
      }
    }
    #expect(!copies.isEmpty)
    _ = try PendingStore.open(at: path, session: "s")
  }

  @Test func `are not waited for while another process has locked their directory`() throws {
    try PendingStore(at: path, session: "s").add(request("r"))
    let descriptor = Glibc.open("\(directory.path)/usher", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let start = ContinuousClock.now
    #expect(throws: StateError(.locked, at: path)) { try PendingStore.open(at: path, session: "s") }
    #expect(ContinuousClock.now - start < .seconds(2) * timeoutFactor)
    try #require(flock(descriptor, LOCK_UN) == 0)
    #expect(try PendingStore.open(at: path, session: "s").store.requests() == [request("r")])
  }

  @Test func `of a bus that has ended are found`() throws {
    let other = "\(directory.path)/usher/pending-other.sqlite"
    try {
      try PendingStore(at: other, session: "s", bus: "unix:path=/other").add(request("r"))
    }()
    let own = try PendingStore(at: path, session: "s", bus: "unix:path=/own")
    let abandoned = own.abandonedStores(session: "s", unnamedBus: "unix:path=/own") {
      $0 == "unix:path=/other"
    }
    #expect(abandoned.count == 1 && abandoned.first?.bus == "unix:path=/other")
    #expect(try abandoned.first?.requests() == [request("r")])
  }

  @Test func `are replaced with all their parts, or removed at once`() throws {
    let store = try PendingStore(at: path, session: "s")
    var question = request("r", 7)
    question.parts[0].progress = .asking
    question.parts[0].target = nil
    try store.add(question)
    #expect(try store.requests() == [question])
    let deliveries = request("r", 7, parts: 2)
    try store.add(deliveries, replacing: true)
    #expect(try store.requests() == [deliveries])
    try store.removeNow(7)
    #expect(try store.requests().isEmpty)
  }

  /// An earlier broker may have sent requests that it did not store.
  @Test func `show whether the earlier broker crashed`() throws {
    #expect(try !PendingStore(at: path, session: "s").followsCrash)
    try {
      let store = try PendingStore(at: path, session: "s")
      #expect(store.followsCrash)
      try store.recordOrderlyExit()
    }()
    #expect(try !PendingStore(at: path, session: "s").followsCrash)
    #expect(try PendingStore(at: path, session: "s").followsCrash)
    #expect(try !PendingStore(at: path, session: "next").followsCrash)
  }

  @Test func `store the progress of each part, and no content of finished ones`() throws {
    let requests = [request("r", parts: 3)]
    let store = try PendingStore(at: path, session: "s")
    try store.add(requests[0])
    let number = requests[0].number
    #expect(try store.update(0, of: number, to: .sent, method: "standard"))
    #expect(try store.update(1, of: number, to: .queued, earlier: 2))
    #expect(try store.update(2, of: number, to: .ended, result: "{\"outcome\":\"handled\"}"))
    let parts = try store.requests()[0].parts
    #expect(parts.map(\.progress) == [.sent, .queued, .ended])
    #expect(parts[0].method == "standard" && parts[1].earlier == 2)
    #expect(parts.map(\.content) == ["secret 0", "secret 1", ""])
    #expect(parts[2].result?.contains("handled") == true)
  }

  /// The file may have replaced another one since the request was stored.
  @Test func `that the file does not have are reported when they are to be changed`() throws {
    let store = try PendingStore(at: path, session: "s")
    try store.add(request("r", 1))
    for progress in [PendingRequest.Progress.sent, .ended] {
      #expect(try !store.update(0, of: 2, to: progress))
      #expect(try !store.update(1, of: 1, to: progress))
    }
    #expect(try !store.recordOutlivesCaller(2))
    #expect(try store.requests() == [request("r", 1)])
    #expect(try store.recordOutlivesCaller(1))
    #expect(try store.requests().map(\.deadline) == [9])
  }

  @Test func `have each ID of a caller once, and are added once`() throws {
    let store = try PendingStore(at: path, session: "s")
    try store.add(request("r", 1))
    #expect(try store.update(0, of: 1, to: .sent))
    try store.add(request("r", 1))
    #expect(try store.requests().map(\.parts[0].progress) == [.sent])
    try store.add(request("r", 2))
    #expect(try store.requests().map(\.number) == [2])
    try store.remove([2])
    #expect(try store.requests().isEmpty)
  }

  @Test func `and the secret stay for the session, and go with it`() throws {
    let requests = [request("r")]
    let key = try {
      let store = try PendingStore(at: path, session: "one")
      try store.add(requests[0])
      return store.key
    }()
    try {
      let store = try PendingStore(at: path, session: "one")
      #expect(store.key == key)
      #expect(try store.requests().count == 1)
    }()
    let store = try PendingStore(at: path, session: "two")
    #expect(store.key != key && store.key.count == 16)
    #expect(try store.requests().isEmpty)
  }

  @Test func `use the secret of the store for digests, which an existing file provides`() throws {
    let (ours, others) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
    #expect(try PendingStore(at: path, session: "s", secret: ours).key == ours)
    #expect(try PendingStore(at: path, session: "s", secret: others).key == ours)
    #expect(try PendingStore.replace(at: path, session: "s", secret: others).store.key == others)
  }

  @Test func `in a damaged file are not moved aside while another process has locked the directory`() throws {
    try PendingStore(at: path, session: "s").add(request("r"))
    let descriptor = Glibc.open("\(directory.path)/usher", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    #expect(throws: StateError(.locked, at: path)) { try PendingStore.replace(at: path, session: "s") }
    try #require(flock(descriptor, LOCK_UN) == 0)
    #expect(try PendingStore(at: path, session: "s").requests() == [request("r")])
  }

  @Test func `in a damaged file are moved aside, and the store continues`() throws {
    try directory.write("no database \(String(repeating: "x", count: 5_000))", to: "usher/pending.sqlite")
    let (store, aside) = try PendingStore.open(at: path, session: "s")
    let name = try #require(aside)
    #expect(name.hasPrefix("\(path).corrupt-"))
    #expect(try String(contentsOfFile: name, encoding: .utf8).hasPrefix("no database"))
    let requests = [request("r")]
    try store.add(requests[0])
    #expect(try store.requests().count == 1)
  }

  /// Runs on its own file system of 600 KiB, if this process may create one.
  @Test func `are still recorded when the disk is full, and no more are accepted`() async throws {
    let script =
      "mount -t tmpfs -o size=600k tmpfs \(directory.path) && exec \(BuiltProducts.directory)/StateProbe \(path)"
    guard try await Command.run("unshare", ["-m", "true"]).succeeded else {
      try Test.cancel("this process may make no mount namespace")
    }
    let result = try await Command.run("unshare", ["-m", "sh", "-c", script])
    #expect(result.lines.count == 3, "\(result)")
    // The number of stored requests, the rejection of the next one, and that each could be recorded as sent and finished.
    #expect(Int(result.lines.first ?? "") ?? 0 > 10, "\(result)")
    #expect(result.lines.dropFirst() == ["diskFull", "noted"], "\(result)")
  }

  /// Runs on its own file system like the test before.
  ///
  /// The next process has only the space that the first one has reserved.
  @Test(arguments: ["fill", "end"])
  func `are still recorded when the disk is full by a process that continues`(part: String) async throws {
    let result = try await onFullDisk(part, "true")
    let count = Int(result.lines.first ?? "") ?? 0
    #expect(count > 10, "\(result)")
    // Of two requests with one ID, the last one is retained.
    #expect(result.lines.dropFirst() == ["diskFull", "\(count - 1)", "noted", "\(count - 2)"], "\(result)")
  }

  @Test func `are read when the disk is full and no space is reserved`() async throws {
    let result = try await onFullDisk("fill", "rm \(path)-reserve")
    let count = Int(result.lines.first ?? "") ?? 0
    #expect(count > 10 && result.lines.dropFirst(2).first == "\(count - 1)", "\(result)")
  }

  /// Otherwise the next broker would count the exit as a crash.
  @Test func `of a broker that exits in order are followed by a note about that, also when the disk is full`()
    async throws
  {
    let result = try await onFullDisk("fill", "true", then: "finish")
    #expect(result.lines.suffix(1) == ["true ended"], "\(result)")
  }

  /// Fills a file system of 600 KiB with requests and, after `change`, with another file, and lets another process continue.
  private func onFullDisk(
    _ part: String, _ change: String, then next: String = "record"
  ) async throws -> CommandResult {
    guard try await Command.run("unshare", ["-m", "true"]).succeeded else {
      try Test.cancel("this process may make no mount namespace")
    }
    let probe = "\(BuiltProducts.directory)/StateProbe \(path)"
    let script = """
      mount -t tmpfs -o size=600k tmpfs \(directory.path) && \(probe) \(part) && \(change) || exit
      cat /dev/zero >\(directory.path)/other 2>/dev/null
      exec \(probe) \(next)
      """
    return try await Command.run("unshare", ["-m", "sh", "-c", script])
  }

  @Test func `are added together in one commit`() throws {
    var commits = 0
    let store = try PendingStore(at: path, session: "s", atCommit: { commits += 1 })
    let requests = [request("a", 1), request("b", 2), request("c", 3)]
    try store.add(requests)
    // Before and after the commit.
    #expect(commits == 2)
    #expect(try store.requests() == requests)
  }

  @Test func `outlive the process at any instant`() throws {
    // The files of an open store are those that a killed process would leave.
    let store = try PendingStore(at: path, session: "s")
    let requests = [request("r1", 1), request("r2", 2)]
    for request in requests { try store.add(request) }
    #expect(try store.update(0, of: requests[0].number, to: .sent, method: "program"))
    let copy = "\(directory.path)/copy"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: "\(copy)/pending.sqlite\(suffix)")
    }
    let read = try PendingStore(at: "\(copy)/pending.sqlite", session: "s").requests()
    #expect(read.map(\.id) == ["r1", "r2"])
    #expect(read[0].parts[0].progress == .sent)
  }
}
