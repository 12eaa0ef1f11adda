// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation
import Freedesktop
import Synchronization
import TestSupport
import Testing

@testable import BrokerService

/// Files that count the reads of the machine's files.
private final class CountedFiles: FileReading {
  private let reads = Mutex(0)
  var count: Int { reads.withLock { $0 } }

  func read(_ path: String) -> FileOutcome {
    reads.withLock { $0 += 1 }
    return LocalFiles().read(path)
  }
  func list(_ directory: String) -> DirectoryOutcome {
    reads.withLock { $0 += 1 }
    return LocalFiles().list(directory)
  }
  func isExecutable(_ path: String) -> Bool { LocalFiles().isExecutable(path) }
}

@Suite struct `Cached rules` {
  private let directory: TemporaryDirectory
  private let files = CountedFiles()
  private var environment: [String: String] {
    [
      "HOME": directory.path, "XDG_DATA_DIRS": "\(directory.path)/data",
      "XDG_CONFIG_DIRS": "\(directory.path)/etc",
    ]
  }

  init() throws { directory = try TemporaryDirectory() }

  /// Returns the numbers of reads for each of four requests in sequence.
  private func reads(_ settling: Duration) -> [Int] {
    var kept = PolicyCache(files, settling: settling)
    return (1...4).map { _ in
      let before = files.count
      _ = kept.rules(environment) { _ in }
      return files.count - before
    }
  }

  @Test func `Are not read again while nothing changes`() throws {
    let reads = reads(.zero)
    #expect(reads[0] > 0 && reads == [reads[0], reads[0], 0, 0])
  }

  @Test func `Are read again when a desktop file, a route file or the environment changes`() throws {
    var kept = PolicyCache(files, settling: .zero)
    for _ in 1...3 { _ = kept.rules(environment) { _ in } }
    let id = try #require(ApplicationID("org.example.A"))
    #expect(!kept.rules(environment) { _ in }.isInstalled(id))
    try directory.write("[Desktop Entry]\n", to: ".local/share/applications/org.example.A.desktop")
    for _ in 1...3 { #expect(kept.rules(environment) { _ in }.isInstalled(id)) }

    var diagnostics = 0
    try directory.write("nonsense", to: ".config/usher/routes/a.toml")
    _ = kept.rules(environment) { _ in diagnostics += 1 }
    #expect(diagnostics == 1 && kept.diagnostics.count == 1)

    var other = environment
    other["HOME"] = "\(directory.path)/other"
    #expect(!kept.rules(other) { _ in }.isInstalled(id))
    #expect(kept.rules(environment) { _ in }.isInstalled(id))
  }

  @Test func `Agree with the files, however quickly links follow each other`() throws {
    var kept = PolicyCache(files, settling: .zero)
    let id = try #require(ApplicationID("org.example.A"))
    let entry = ".local/share/applications/org.example.A.desktop"
    for _ in 1...10 {
      for _ in 1...5 { #expect(!kept.rules(environment) { _ in }.isInstalled(id)) }
      try directory.write("[Desktop Entry]\n", to: entry)
      for _ in 1...5 { #expect(kept.rules(environment) { _ in }.isInstalled(id)) }
      try directory.write("nonsense", to: ".config/usher/routes/a.toml")
      for _ in 1...5 { _ = kept.rules(environment) { _ in } }
      #expect(kept.diagnostics.count == 1)
      #expect(unlink("\(directory.path)/\(entry)") == 0)
      #expect(unlink("\(directory.path)/.config/usher/routes/a.toml") == 0)
      _ = kept.rules(environment) { _ in }
      #expect(kept.diagnostics.isEmpty)
    }
  }

  @Test func `Have no diagnostics of files that were read under other locks`() throws {
    var kept = PolicyCache(files, settling: .zero)
    try directory.write("format = 1\nuser_routes = false\n", to: "etc/usher/locks.toml")
    try directory.write("nonsense", to: "etc/usher/routes/a.toml")
    _ = kept.rules(environment) { _ in }
    #expect(kept.diagnostics.count == 1)
    #expect(unlink("\(directory.path)/etc/usher/locks.toml") == 0)
    #expect(unlink("\(directory.path)/etc/usher/routes/a.toml") == 0)
    _ = kept.rules(environment) { _ in }
    #expect(kept.diagnostics.isEmpty)
  }

  @Test func `Are not cached if a file has just changed`() throws {
    try directory.write("[Default Applications]\n", to: ".config/mimeapps.list")
    let reads = reads(.seconds(3_600))
    #expect(reads[0] > 0 && reads == Array(repeating: reads[0], count: 4))
  }
}
