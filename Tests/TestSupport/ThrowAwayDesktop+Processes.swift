// SPDX-License-Identifier: Apache-2.0
import CTestSupport
import Foundation
import Glibc

/// A process that belongs to a desktop.
public struct DesktopProcess: Hashable, Sendable, CustomStringConvertible {
  /// The process ID.
  public let processIdentifier: Int32
  /// The command line.
  public let arguments: [String]
  /// The process ID and the command line.
  public var description: String { "\(processIdentifier): \(arguments.joined(separator: " "))" }
}

extension ThrowAwayDesktop {
  /// All processes with this desktop's HOME, regardless of their parent; zombies are excluded.
  public var processes: [DesktopProcess] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { Int32($0) }.sorted().compactMap { pid in
      guard isOurs(pid), let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else {
        return nil
      }
      let arguments = line.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      return DesktopProcess(
        processIdentifier: pid, arguments: arguments.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  private func isOurs(_ pid: Int32) -> Bool {
    // Reads HOME in the initial environment of the process; a zombie has none.
    guard let environment = FileManager.default.contents(atPath: "/proc/\(pid)/environ") else { return false }
    return environment.split(separator: 0).contains { $0.elementsEqual("HOME=\(home)".utf8) }
  }

  /// Waits until no process of this desktop is left; otherwise throws an error with the remaining ones.
  ///
  /// `but` lists programs (suffixes of the first argument) that may remain, such as `dbus-daemon`.
  public func waitUntilNoProcess(
    but exceptions: [String] = ["dbus-daemon"], within time: Duration = Command.defaultDeadline
  ) async throws(TestSupportError) {
    let end = ContinuousClock.now + time * timeoutFactor
    // A program that starts another one and exits, such as one that forwards a link, can escape one scan, but hardly three.
    var emptyLooks = 0
    while emptyLooks < 3 {
      let left = processes.filter { process in
        !exceptions.contains { process.arguments.first?.hasSuffix($0) == true }
      }
      guard let first = left.first else {
        emptyLooks += 1
        continue
      }
      emptyLooks = 0
      guard await Self.waitForEnd(of: first.processIdentifier, until: end) else {
        throw TestSupportError("left behind: \(left.map(\.description).joined(separator: "; "))")
      }
    }
  }

  /// Waits until a process has exited; returns `false` if it still runs at `end`.
  public static func waitForEnd(of pid: Int32, until end: ContinuousClock.Instant) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let descriptor = ctest_pidfd_open(pid)
        guard descriptor >= 0 else { return continuation.resume(returning: true) }
        defer { close(descriptor) }
        let remaining = max(.zero, end - .now) / .milliseconds(1)
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        continuation.resume(returning: poll(&polled, 1, Int32(remaining) + 1) != 0)
      }
    }
  }

  /// Kills every process of this desktop.
  public func endProcesses() {
    // The second scan finds the processes that were forked between the first scan and the kill.
    for _ in 0..<2 {
      for process in processes { kill(process.processIdentifier, SIGKILL) }
    }
  }
}
