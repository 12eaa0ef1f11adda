// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// Downloads whose daemon is killed at its N-th write, change of a file or call of another program.
@Suite struct `A download while usher-triggers is killed` {
  @Test func `arrives whole or is cancelled, and is reported once, whatever step the daemon is killed at`()
    async throws
  {
    var (points, isComplete) = (0, false)
    while !isComplete, points < 120 {
      // Some points at once, because each mostly waits.
      let first = points + 1
      async let one = Self.isKilled(at: first)
      async let two = Self.isKilled(at: first + 1)
      async let three = Self.isKilled(at: first + 2)
      let killed = try await [one, two, three].count { $0 }
      points += killed
      isComplete = killed < 3
    }
    // Three downloads, four attempts, the cancellation, three ends and their receipts are stored, files change, and programs are called.
    #expect(points > 40 && points < 120, "\(points) steps")
  }

  /// Returns whether the first daemon of a desktop was killed at a point.
  private static func isKilled(at point: Int) async throws -> Bool {
    let result = Mutex(false)
    try await InstalledDesktop.with { desk in
      let isKilled = try await downloadThree(on: desk, killedAt: point)
      result.withLock { $0 = isKilled }
    }
    return result.withLock(\.self)
  }

  /// Downloads a file over a connection that is lost once, one that the user cancels, and another one; returns whether the first
  /// daemon was killed.
  private static func downloadThree(on desk: InstalledDesktop, killedAt point: Int) async throws -> Bool {
    let application = try await ServedApplication.start(.application1, on: desk)
    await application.gate.open()
    let server = try await FileServer.start(on: desk.desktop)
    let faulty = try await RunningProgram.start(
      "usher-triggers",
      environment: desk.desktop.environment.merging([
        "USHER_TEST_KILL_AT": "\(point)", "USHER_TEST_IDLE": "600",
      ]) { $1 })
    try await desk.waitForOwner(of: TriggersInterface.busName, orExitOf: faulty)
    // The service manager starts the next daemon; here, a call does.
    async let next: Void = startNext(after: faulty, on: desk)
    for (identifier, path) in [("1", "/first/map"), ("2", "/wait/map"), ("3", "/whole/map")] {
      let file = "\(desk.desktop.home)/map\(identifier)"
      try await add(server.url(path), identifier, as: file, on: desk)
      let isCancelled = identifier == "2"
      if isCancelled {
        _ = try await server.request("/wait 0")
        while try await !desk.usher("download", "cancel", ServedApplication.id, identifier).succeeded {}
      }
      // The outcome of a download would precede that of the next one, if it were reported again.
      let payload = try await application.nextEnvelope().payload
      #expect(
        payload?["identifier"] == .string(identifier)
          && payload?["outcome"] == (isCancelled ? "cancelled" : "completed")
          && payload?["file"] == (isCancelled ? nil : .string(file)),
        "killed at \(point): \(String(describing: payload))")
      #expect(!FileManager.default.fileExists(atPath: file + ".part"), "killed at \(point)")
      guard !isCancelled else { continue }
      let sum = try await desk.run("sha256sum", [file]).orThrow().output.prefix(64)
      #expect(String(sum) == (try await FileServer.checksum(on: desk)), "killed at \(point)")
    }
    try await withDeadline(Command.defaultDeadline, "the end of the downloads") {
      while try await !list(on: desk).isEmpty {}
    }
    let isKilled = Glibc.kill(faulty.processIdentifier, 0) != 0
    faulty.kill()
    try await next
    server.stop()
    await application.bus.close()
    return isKilled
  }

  private static func startNext(after faulty: RunningProgram, on desk: InstalledDesktop) async throws {
    _ = await faulty.waitUntilExit()
    try await desk.usher("download", "list").orThrow()
  }

  /// Returns the stored downloads.
  ///
  /// A caller that receives no reply repeats its call.
  private static func list(on desk: InstalledDesktop) async throws -> [PropertyList] {
    while true {
      let result = try await desk.usher("download", "list", "--json")
      guard result.succeeded else { continue }
      return try PropertyList(json: result.output)["downloads"]?.array ?? []
    }
  }

  /// Adds a download.
  ///
  /// A caller that receives no reply adds it again if it was not stored.
  private static func add(
    _ url: String, _ identifier: String, as file: String, on desk: InstalledDesktop
  ) async throws {
    try await withDeadline(Command.defaultDeadline, "the download") {
      while true {
        let arguments = [
          "download", ServedApplication.id, url, "--identifier", identifier, "--output", file,
        ]
        if try await desk.run("usher", arguments).succeeded { return }
        // A stored download has either ended, and its file exists, or is listed.
        if try await !list(on: desk).isEmpty || FileManager.default.fileExists(atPath: file) { return }
      }
    }
  }
}
