// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Systemd

@Suite struct `A monitor of a directory` {
  /// Returns the results of two waits for a change of the file `0`, after `change` of a directory that is watched.
  private static func waits(
    after change: @escaping @Sendable (_ directory: TemporaryDirectory, _ path: String) throws -> Void
  ) async throws -> [Bool] {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("watched")
    let path = "\(directory.path)/watched"
    return try await BlockingWork.runAtOnce {
      let monitor = try DirectoryMonitor(path)
      try change(directory, path)
      return [monitor.waitForChange(of: "0"), monitor.waitForChange(of: "0")]
    }
  }

  @Test func `ends after a change during which the directory is removed`() async throws {
    let waits = try await Self.waits { directory, path in
      // A child process that another test is starting may have a copy of the descriptor of a file, and delay the event of its end.
      try FileManager.default.moveItem(atPath: directory.write("x", to: "0"), toPath: "\(path)/0")
      // The events are more than the monitor reads at once.
      for number in 1..<1_000 { try directory.write("x", to: "watched/\(number)") }
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(waits == [true, false])
  }

  @Test func `ends when the directory is moved away`() async throws {
    let waits = try await Self.waits { directory, path in
      try FileManager.default.moveItem(atPath: path, toPath: "\(directory.path)/away")
    }
    #expect(waits == [false, false])
  }
}
