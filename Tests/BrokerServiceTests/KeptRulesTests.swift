import BrokerCore
import Foundation
import Freedesktop
import Synchronization
import TestSupport
import Testing

@testable import BrokerService

/// Counts what is read of the machine's files.
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

@Suite struct `Kept rules` {
  private let folder: TemporaryDirectory
  private let files = CountedFiles()
  private var environment: [String: String] {
    ["HOME": folder.path, "XDG_DATA_DIRS": "\(folder.path)/data", "XDG_CONFIG_DIRS": "\(folder.path)/etc"]
  }

  init() throws { folder = try TemporaryDirectory() }

  /// How much is read for each of four requests in a row.
  private func reads(_ settling: Duration) -> [Int] {
    var kept = KeptRules(files, settling: settling)
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
    var kept = KeptRules(files, settling: .zero)
    for _ in 1...3 { _ = kept.rules(environment) { _ in } }
    let id = try #require(ApplicationID("org.example.A"))
    #expect(!kept.rules(environment) { _ in }.isInstalled(id))
    try folder.write("[Desktop Entry]\n", to: ".local/share/applications/org.example.A.desktop")
    for _ in 1...3 { #expect(kept.rules(environment) { _ in }.isInstalled(id)) }

    var complaints = 0
    try folder.write("nonsense", to: ".config/usher/routes/a.toml")
    _ = kept.rules(environment) { _ in complaints += 1 }
    #expect(complaints == 1 && kept.complaints.count == 1)

    var other = environment
    other["HOME"] = "\(folder.path)/other"
    #expect(!kept.rules(other) { _ in }.isInstalled(id))
    #expect(kept.rules(environment) { _ in }.isInstalled(id))
  }

  @Test func `Are as the files are, however quickly links follow each other`() throws {
    var kept = KeptRules(files, settling: .zero)
    let id = try #require(ApplicationID("org.example.A"))
    let entry = ".local/share/applications/org.example.A.desktop"
    for _ in 1...10 {
      for _ in 1...5 { #expect(!kept.rules(environment) { _ in }.isInstalled(id)) }
      try folder.write("[Desktop Entry]\n", to: entry)
      for _ in 1...5 { #expect(kept.rules(environment) { _ in }.isInstalled(id)) }
      try folder.write("nonsense", to: ".config/usher/routes/a.toml")
      for _ in 1...5 { _ = kept.rules(environment) { _ in } }
      #expect(kept.complaints.count == 1)
      #expect(unlink("\(folder.path)/\(entry)") == 0)
      #expect(unlink("\(folder.path)/.config/usher/routes/a.toml") == 0)
      _ = kept.rules(environment) { _ in }
      #expect(kept.complaints.isEmpty)
    }
  }

  @Test func `Are not kept when a file changed a moment ago`() throws {
    try folder.write("[Default Applications]\n", to: ".config/mimeapps.list")
    let reads = reads(.seconds(3_600))
    #expect(reads[0] > 0 && reads == Array(repeating: reads[0], count: 4))
  }
}
