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
  @Test func `arrives whole and is reported once, whatever step the daemon is killed at`() async throws {
    var (point, isComplete) = (0, false)
    while !isComplete, point < 80 {
      point += 1
      let number = point
      let isUninterrupted = Mutex(false)
      try await InstalledDesktop.with { desk in
        let isKilled = try await Self.downloadTwice(on: desk, killedAt: number)
        isUninterrupted.withLock { $0 = !isKilled }
      }
      isComplete = isUninterrupted.withLock { $0 }
    }
    // Two downloads, three attempts, two completions and their receipts are stored, files get names, and programs are called.
    #expect(point > 20 && point < 80, "\(point) steps")
  }

  /// Downloads a file over a connection that is lost once, and another one; returns whether the first daemon was killed.
  private static func downloadTwice(on desk: InstalledDesktop, killedAt point: Int) async throws -> Bool {
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
    for (identifier, path) in [("1", "/first/map"), ("2", "/whole/map")] {
      let file = "\(desk.desktop.home)/map\(identifier)"
      try await add(server.url(path), identifier, as: file, on: desk)
      // The outcome of the first download would precede that of the second one, if it were reported again.
      let payload = try await application.nextEnvelope().payload
      #expect(
        payload?["identifier"] == .string(identifier) && payload?["outcome"] == "completed"
          && payload?["file"] == .string(file), "killed at \(point): \(String(describing: payload))")
      let sum = try await desk.run("sha256sum", [file]).orThrow().output.prefix(64)
      #expect(String(sum) == (try await FileServer.checksum(on: desk)), "killed at \(point)")
      #expect(!FileManager.default.fileExists(atPath: file + ".part"), "killed at \(point)")
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

  /// Returns the stored downloads. A caller that receives no reply repeats its call.
  private static func list(on desk: InstalledDesktop) async throws -> [PropertyList] {
    while true {
      let result = try await desk.usher("download", "list", "--json")
      guard result.succeeded else { continue }
      return try PropertyList(json: result.output)["downloads"]?.array ?? []
    }
  }

  /// Adds a download. A caller that receives no reply adds it again if it was not stored.
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
