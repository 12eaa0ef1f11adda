// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import Foundation
import Freedesktop
import RouteTables
import Synchronization
import Systemd
import TestSupport
import Testing

@testable import BrokerService

/// Files that count the reads of an entry.
private final class CountedFiles: FileReading {
  private let reads = Mutex(0)
  var count: Int { reads.withLock { $0 } }

  func read(_ path: String) -> FileOutcome {
    reads.withLock { $0 += 1 }
    return LocalFiles().read(path)
  }
  func list(_ directory: String) -> DirectoryOutcome { LocalFiles().list(directory) }
  func isExecutable(_ path: String) -> Bool { LocalFiles().isExecutable(path) }
}

/// A change after which the second application of a desktop opens links.
private struct Change: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let make: @Sendable (ThrowAwayDesktop) throws -> Void

  init(_ description: String, _ make: @escaping @Sendable (ThrowAwayDesktop) throws -> Void) {
    (testDescription, self.make) = (description, make)
  }

  static let ofTheApplication: [Change] = [
    .init("its program goes") { #expect(unlink("\($0.bin)/first") == 0) },
    .init("its program may not be executed any more") {
      #expect(chmod("\($0.bin)/first", 0o644) == 0)
    },
    .init("its entry goes") { #expect(unlink("\($0.dataHome)/applications/org.example.First.desktop") == 0) },
    .init("its entry names another program") {
      try $0.installDesktopEntry("org.example.First", exec: "missing %u", schemes: ["note"])
    },
  ]

  static let ofLists: [Change] = [
    .init("another one is made the default") {
      try $0.setDefaults(["note": ["org.example.Second", "org.example.First"]])
    }
  ]
}

@Suite(.enabled(if: PathMonitor(of: ["/tmp"]) != nil, "the kernel tells of no changes in /tmp"))
struct `Cached handler lookups` {
  private let desktop: ThrowAwayDesktop
  private let files = CountedFiles()

  init() throws {
    desktop = try ThrowAwayDesktop()
    try desktop.installScript("first", "#!/bin/sh\n")
    try desktop.installScript("second", "#!/bin/sh\n")
    try desktop.installDesktopEntry("org.example.First", exec: "first %u", schemes: ["note"])
    try desktop.installDesktopEntry("org.example.Second", exec: "second %u", schemes: ["note"])
    try desktop.setDefaults(["note": ["org.example.First", "org.example.Second"]])
  }

  /// Returns the current target of a link.
  private func target(_ kept: inout PolicyCache) throws -> String? {
    try target(kept.rules(desktop.environment) { _ in })
  }

  private func target(_ rules: PolicySnapshot) throws -> String? {
    rules.broker.groups(of: OpenRequest(urls: [try URLString("note:x")])).first?.application
  }

  @Test func `Read no entry while nothing changes`() throws {
    var kept = PolicyCache(files, settling: .zero, trust: .seconds(3_600))
    for _ in 1...5 { #expect(try target(&kept) == "org.example.First") }
    let before = files.count
    for _ in 1...5 { #expect(try target(&kept) == "org.example.First") }
    #expect(files.count == before)
  }

  @Test(arguments: [Duration.zero, .seconds(3_600)])
  private func `Expire`(_ trust: Duration) throws {
    var kept = PolicyCache(settling: .zero)
    let scheme = try #require(URLScheme("note"))
    let choices = try #require(HandlerCache(watching: [desktop.root], trust: trust))
    let rules = kept.rules(desktop.environment) { _ in }.remembering(in: choices)
    for _ in 1...3 { #expect(try target(rules) == "org.example.First") }
    #expect((choices.choice(for: scheme) == nil) == (trust == .zero))
  }

  @Test(arguments: Change.ofTheApplication + Change.ofLists)
  private func `Are discarded before the next link when`(_ change: Change) throws {
    var kept = PolicyCache(settling: .zero, trust: .seconds(3_600))
    for _ in 1...5 { #expect(try target(&kept) == "org.example.First") }
    try change.make(desktop)
    for _ in 1...5 { #expect(try target(&kept) == "org.example.Second") }
  }

  @Test(arguments: Change.ofTheApplication, 0...5)
  private func `Are not reused by rules that are older than a change`(_ change: Change, links: Int) throws {
    var kept = PolicyCache(settling: .zero, trust: .seconds(3_600))
    for _ in 0..<links { #expect(try target(&kept) == "org.example.First") }
    let rules = kept.rules(desktop.environment) { _ in }
    try change.make(desktop)
    #expect(try target(rules) == "org.example.Second")
  }
}
