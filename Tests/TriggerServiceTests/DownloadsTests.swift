// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Foundation
import Freedesktop
import Logging
import Systemd
import TestSupport
import Testing
@testable import TriggerService
import Triggers

/// The downloads of one daemon, with a script as curl, and without a service manager and a broker.
@Suite struct `A download` {
  private static let application = "org.example.Notes"

  /// A curl that receives `hello world`; a URL with `slow` receives nothing until `open` exists.
  private static func curl(in desktop: ThrowAwayDesktop) -> String {
    #"""
    #!/bin/sh
    case $(cat) in *slow*) [ -e '\#(desktop.root)/open' ] || exec sleep 600 ;; esac
    printf 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n' >"$3"
    printf 'hello world'
    """#
  }

  @BrokerActor private final class Rig {
    let downloads: Downloads
    private let sender: EventSender
    private let (steps, step) = AsyncStream<Void>.makeStream()

    init(on bus: BusConnection, in desktop: ThrowAwayDesktop) {
      let log = Logger(label: "test")
      let directories = BaseDirectories(environment: desktop.environment)
      let file = TriggerFile(in: directories, log: log, atCommit: nil)
      let step = step
      sender = EventSender(on: bus, file: file, log: log, atStep: nil)
      downloads = Downloads(
        on: bus, file: file, clock: TriggerClock(), sender: sender,
        .init(
          runner: CurlRunner(bus: bus, searchPath: desktop.bin),
          directory: "\(directories.stateHome)/usher/downloads", dataHome: directories.dataHome,
          identification: SourceIdentification(on: bus, environment: desktop.environment, log: log)),
        log: log, atStep: { step.yield() })
      downloads.finished = { step.yield() }
    }

    /// The number of reports that wait for the broker.
    var reports: Int { sender.count(of: "download", for: application) }

    /// Adds a download with an identifier, and returns the path of its file.
    func add(_ identifier: String, from path: String) async throws -> String {
      let url = try #require(DownloadURL("http://127.0.0.1/\(path)"))
      let entries = try await downloads.add(
        DownloadRequest(identifier: identifier, url: url), of: application, isOfUser: false)
      return try #require(entries["file"]?.string)
    }

    /// Returns the state of a download; `nil` if it is finished.
    func state(_ identifier: String) -> String? {
      downloads.list(for: .init(of: nil)).first { $0["identifier"]?.string == identifier }?["state"]?.string
    }

    /// Waits for a condition, which is checked after each step of the downloads.
    func wait(for what: String, until condition: () -> Bool) async throws {
      let next = { @Sendable [steps] () async -> Void in _ = await steps.first { @Sendable _ in true } }
      while !condition() { try await withDeadline(Command.defaultDeadline, what, next) }
    }

    /// Adds a download whose curl receives nothing, and waits for that curl.
    func addSlow(_ identifier: String) async throws -> String {
      let path = try await add(identifier, from: "slow")
      try await wait(for: "curl") { state(identifier) == "transferring" }
      return path
    }

    /// Ends the attempts to report the outcomes.
    func close() { sender.forget(application) }

    /// Waits until all downloads are finished.
    func waitForEnd() async throws {
      try await wait(for: "the end of the downloads") { downloads.applications.isEmpty }
    }
  }

  private static func with(
    _ body: @BrokerActor @Sendable (Rig, ThrowAwayDesktop) async throws -> Void
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installScript("curl", curl(in: desktop))
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      let rig = await Rig(on: connection, in: desktop)
      try await body(rig, desktop)
      await rig.close()
      await connection.close()
    }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: URL(filePath: path), encoding: .utf8)
  }

  private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func `is forgotten after its file is whole, and reported`() async throws {
    try await Self.with { rig, _ in
      let path = try await rig.add("map", from: "map")
      try await rig.waitForEnd()
      #expect(try Self.text(path) == "hello world")
      #expect(!Self.exists(path + ".part"))
      #expect(rig.downloads.isIdle)
      #expect(rig.reports == 1)
      // The identifier is free, and the name of the file is not.
      #expect(try await rig.add("map", from: "map") == path + "-2")
      try await rig.waitForEnd()
    }
  }

  /// All parts of the daemon are loaded again if one of them could not be loaded.
  @Test func `is there once although it is loaded again`() async throws {
    try await Self.with { rig, _ in
      _ = try await rig.addSlow("map")
      try rig.downloads.load()
      #expect(rig.downloads.list(for: .init(of: nil)).count == 1)
      try rig.downloads.cancel(["map"], of: Self.application, byUser: false)
      try await rig.waitForEnd()
    }
  }

  @Test func `waits while it is paused, and is received after that`() async throws {
    try await Self.with { rig, desktop in
      let path = try await rig.addSlow("map")
      try rig.downloads.setPaused(true, ["map"], of: Self.application)
      try await rig.wait(for: "the end of curl") { rig.downloads.isIdle }
      #expect(rig.state("map") == "paused")
      try desktop.write("", to: "open")
      try rig.downloads.setPaused(false, ["map"], of: Self.application)
      #expect(!rig.downloads.isIdle)
      try await rig.waitForEnd()
      #expect(try Self.text(path) == "hello world")
    }
  }

  @Test(arguments: [true, false])
  func `that is cancelled loses its file, and is reported if the user has done it`(byUser: Bool) async throws
  {
    try await Self.with { rig, _ in
      let path = try await rig.addSlow("map")
      try rig.downloads.cancel(["map", "other"], of: Self.application, byUser: byUser)
      try await rig.waitForEnd()
      #expect(!Self.exists(path) && !Self.exists(path + ".part"))
      #expect(rig.downloads.isIdle)
      #expect(rig.reports == (byUser ? 1 : 0))
    }
  }

  @Test func `of an application that was removed loses its file, and is not reported`() async throws {
    try await Self.with { rig, _ in
      let path = try await rig.addSlow("map")
      rig.downloads.forgetAll(of: Self.application)
      try await rig.waitForEnd()
      #expect(!Self.exists(path + ".part"))
      #expect(rig.downloads.isIdle)
      #expect(rig.reports == 0)
    }
  }

  @Test func `waits for the others of its application beyond their limit`() async throws {
    try await Self.with { rig, _ in
      let others = (1...DownloadLimits.transfersOfApplication).map { "slow-\($0)" }
      for other in others { _ = try await rig.addSlow(other) }
      _ = try await rig.add("map", from: "map")
      #expect(rig.state("map") == "waiting")
      try rig.downloads.cancel(Array(others.prefix(1)), of: Self.application, byUser: false)
      try await rig.wait(for: "the file") { rig.state("map") == nil }
      let states = others.map { rig.state($0) }
      #expect(Set(states.dropFirst()) == ["transferring"])
      try rig.downloads.cancel(others, of: Self.application, byUser: false)
      try await rig.waitForEnd()
    }
  }
}
