// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Synchronization
import Testing

@testable import BrokerCore

/// Simulated entries, each with the status of a file of the machine.
private final class StagedFiles: FileReading {
  struct Entry {
    var exec: String
    var statusOf: String
  }
  private let entries: Mutex<[String: Entry]>
  private let count = Mutex(0)

  init(_ entries: [String: Entry]) { self.entries = Mutex(entries) }

  var reads: Int { count.withLock { $0 } }

  func change(_ name: String, to entry: Entry) { entries.withLock { $0[name] = entry } }

  private func entry(at path: String) -> Entry? {
    entries.withLock { $0[String(path.dropFirst("/applications/".count))] }
  }
  func read(_ path: String) -> FileOutcome {
    count.withLock { $0 += 1 }
    guard let entry = entry(at: path) else { return .missing }
    return .bytes(Array("[Desktop Entry]\nType=Application\nName=A\nExec=\(entry.exec) %u\n".utf8))
  }
  func list(_ directory: String) -> DirectoryOutcome {
    .items(entries.withLock { $0.keys.map { DirectoryItem(name: $0) } })
  }
  func isExecutable(_ path: String) -> Bool { LocalFiles().isExecutable(path) }
  func status(of path: String) -> FileStatus? { entry(at: path).flatMap { FileStatus(at: $0.statusOf) } }
}

@Suite struct `The application of a program` {
  private let files = StagedFiles([
    "a.desktop": .init(exec: "cat", statusOf: "/bin/sh"),
    "b.desktop": .init(exec: "/bin/ls", statusOf: "/bin/sh"),
  ])
  private let search = ProgramSearch(path: "/bin")

  private func owners(_ installed: InstalledPrograms, of path: String) throws -> [String] {
    installed.owners(of: try #require(search.file(at: path))).map(\.rawValue)
  }

  @Test func `is found by the file, and unchanged entries are read once`() throws {
    let installed = InstalledPrograms(
      of: ApplicationCatalog(directories: ["/applications"], files: files), foundBy: search)
    #expect(try owners(installed, of: "/bin/cat") == ["a"])
    #expect(try owners(installed, of: "/bin/ls") == ["b"])
    #expect(try owners(installed, of: "/bin/sh") == [])
    #expect(files.reads == 2)
  }

  @Test func `belongs to another application as soon as an entry changes`() throws {
    let installed = InstalledPrograms(
      of: ApplicationCatalog(directories: ["/applications"], files: files), foundBy: search)
    #expect(try owners(installed, of: "/bin/cat") == ["a"])
    files.change("a.desktop", to: .init(exec: "/bin/ls", statusOf: "/bin/cat"))
    #expect(try owners(installed, of: "/bin/cat") == [])
    #expect(try owners(installed, of: "/bin/ls") == ["a", "b"])
  }
}
