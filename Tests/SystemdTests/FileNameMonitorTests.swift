// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Systemd

@Suite struct `A monitor of a file name` {
  /// Runs `body` with a directory that contains `localtime`, and the changes of that name.
  private func with(
    _ body: (TemporaryDirectory, _ path: String, _ next: () async throws -> Void) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    try directory.write("Europe/Berlin", to: "zones/localtime")
    let path = "\(directory.path)/zones/localtime"
    let (changes, changed) = AsyncStream<Void>.makeStream()
    let held = Held()
    let isWatched = await withCheckedContinuation { done in
      EventLoop.shared.submit {
        held.monitor = FileNameMonitor(on: .shared, path: path) { changed.yield() }
        done.resume(returning: held.monitor != nil)
      }
    }
    try #require(isWatched)
    try await body(directory, path) {
      _ = try await withDeadline(Command.defaultDeadline, "a change") { await changes.first { _ in true } }
    }
    await withCheckedContinuation { done in
      EventLoop.shared.submit {
        held.monitor?.cancel()
        done.resume()
      }
    }
    changed.finish()
  }

  /// A monitor that only the loop's thread uses.
  private final class Held: @unchecked Sendable {
    var monitor: FileNameMonitor?
  }

  @Test func `reports that the file is written`() async throws {
    try await with { directory, _, next in
      try directory.write("America/New_York", to: "zones/localtime")
      try await next()
    }
  }

  @Test func `reports that another file or link takes its place, as timedatectl does it`() async throws {
    try await with { directory, path, next in
      try FileManager.default.createSymbolicLink(
        atPath: "\(directory.path)/zones/.#localtime", withDestinationPath: "/usr/share/zoneinfo/UTC")
      #expect(rename("\(directory.path)/zones/.#localtime", path) == 0)
      try await next()
    }
  }

  @Test func `reports that the file is removed, and is created again`() async throws {
    try await with { _, path, next in
      #expect(unlink(path) == 0)
      try await next()
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "/usr/share/zoneinfo/UTC")
      try await next()
    }
  }

  @Test func `reports the file in a directory that is removed and created again`() async throws {
    try await with { directory, _, next in
      try FileManager.default.removeItem(atPath: "\(directory.path)/zones")
      try await next()
      try directory.write("America/New_York", to: "zones/localtime")
      try await next()
    }
  }

  @Test func `reports the file in a directory that takes the place of one that is moved away`() async throws {
    try await with { directory, _, next in
      try FileManager.default.moveItem(
        atPath: "\(directory.path)/zones", toPath: "\(directory.path)/away")
      try directory.write("America/New_York", to: "zones/localtime")
      try await next()
    }
  }

  @Test func `does not report other files`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "localtime")
    let (names, changed) = AsyncStream<String>.makeStream()
    let held = [Held(), Held()]
    EventLoop.shared.submit {
      for (held, name) in zip(held, ["localtime", "last"]) {
        held.monitor = FileNameMonitor(on: .shared, path: "\(directory.path)/\(name)") { changed.yield(name) }
      }
      for name in ["localtim", "localtime2", "other", "last"] { _ = try? directory.write("x", to: name) }
    }
    let first = try await withDeadline(Command.defaultDeadline, "a change") {
      await names.first { _ in true }
    }
    #expect(first == "last")
    EventLoop.shared.submit { for held in held { held.monitor?.cancel() } }
  }

  @Test(arguments: ["/nowhere/file", "file", ""])
  func `is not made for a directory that cannot be watched`(path: String) async {
    let isMade = await withCheckedContinuation { done in
      EventLoop.shared.submit {
        done.resume(returning: FileNameMonitor(on: .shared, path: path) {} != nil)
      }
    }
    #expect(!isMade)
  }
}
