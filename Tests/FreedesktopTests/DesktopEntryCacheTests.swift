// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Freedesktop

/// An applications directory with one entry, whose file has the status of another file.
private final class StagedFiles: FileReading {
  struct State {
    var text = "[Desktop Entry]\nType=Application\nName=A\nExec=run\n"
    var statusOf: String?
    var reads = 0
  }
  let state = Mutex(State())

  var reads: Int { state.withLock(\.reads) }

  func read(_ path: String) -> FileOutcome {
    state.withLock {
      $0.reads += 1
      return .bytes(Array($0.text.utf8))
    }
  }
  func list(_ directory: String) -> DirectoryOutcome { .items([DirectoryItem(name: "a.desktop")]) }
  func isExecutable(_ path: String) -> Bool { true }
  func status(of path: String) -> FileStatus? { state.withLock(\.statusOf).flatMap { FileStatus(at: $0) } }
}

/// An applications directory with one entry, whose first reading takes until the status of its file would be settled.
private final class SlowFiles: FileReading {
  let reads = Mutex(0)
  private let file: String

  init(_ file: String) { self.file = file }

  func readWithStatus(_ path: String) -> (outcome: FileOutcome, status: FileStatus?) {
    let bytes = Array("[Desktop Entry]\nType=Application\nName=A\nExec=run\n".utf8)
    let isFirst = reads.withLock { count in
      count += 1
      return count == 1
    }
    guard isFirst else { return (.bytes(bytes), status(of: path)) }
    var found: FileStatus?
    repeat {
      utimensat(AT_FDCWD, file, nil, 0)
      found = status(of: path)
    } while found?.isSettled == true
    while status(of: path)?.isSettled == false { usleep(1_000) }
    return (.bytes(bytes), found)
  }
  func read(_ path: String) -> FileOutcome { readWithStatus(path).outcome }
  func list(_ directory: String) -> DirectoryOutcome { .items([DirectoryItem(name: "a.desktop")]) }
  func isExecutable(_ path: String) -> Bool { true }
  func status(of path: String) -> FileStatus? { FileStatus(at: file) }
}

@Suite struct `Cached desktop entries` {
  private let files = StagedFiles()
  private let catalog: ApplicationCatalog

  init() { catalog = ApplicationCatalog(directories: ["/applications"], files: files) }

  private func name() throws -> String? {
    let id = try #require(ApplicationID("a"))
    return catalog.load(id, programs: ProgramSearch(path: "/bin", files: files)).entry?.name()
  }

  private func change(_ name: String, statusOf file: String?) {
    files.state.withLock {
      $0.text = "[Desktop Entry]\nType=Application\nName=\(name)\n"
      $0.statusOf = file
    }
  }

  @Test func `are read once while the file does not change`() throws {
    // Two files of the machine that have not changed recently.
    change("A", statusOf: "/bin/sh")
    #expect(try (1...3).map { _ in try name() } == ["A", "A", "A"])
    #expect(files.reads == 1)
    change("B", statusOf: "/bin/cat")
    #expect(try (1...3).map { _ in try name() } == ["B", "B", "B"])
    #expect(files.reads == 2)
  }

  @Test func `are read each time if changes of the file cannot be detected`() throws {
    change("A", statusOf: nil)
    #expect(try name() == "A")
    change("B", statusOf: nil)
    #expect(try name() == "B")
  }

  /// Tests a file whose next change could be in the current tick of the file system's clock, and therefore undetectable.
  @Test func `are read each time if the file has just changed`() throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "new")
    // A timestamp in the future.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 86_400)], ofItemAtPath: "\(directory.path)/new")
    change("A", statusOf: "\(directory.path)/new")
    #expect(try name() == "A")
    change("B", statusOf: "\(directory.path)/new")
    #expect(try name() == "B")
  }

  /// Tests a file that changes immediately before its status is read, and a reading that takes longer than a tick.
  @Test func `are read each time if the file had just changed when the reading began`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("", to: "new")
    let slow = SlowFiles(file)
    let catalog = ApplicationCatalog(directories: ["/applications"], files: slow)
    let id = try #require(ApplicationID("a"))
    for _ in 1...2 {
      #expect(catalog.load(id, programs: ProgramSearch(path: "/bin", files: slow)).entry != nil)
    }
    #expect(slow.reads.withLock { $0 } == 2)
  }
}
