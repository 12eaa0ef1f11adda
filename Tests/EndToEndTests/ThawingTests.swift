// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import Glibc
import TestSupport
import Testing

/// Applications that were stopped, such as by a power saver or a suspended session.
@Suite struct `An application that is stopped` {
  @Test(arguments: [TargetKind.scenes, .gApplication])
  func `Rule 4: is resumed for a link`(kind: TargetKind) async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(kind, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [kind])
      #expect(try await desk.open(target.url(1)).status == 0)
      _ = try await target.next()
      let pid = try #require(target.processes(on: desk).first)
      for number in 2...3 {
        try await desk.stop(pid)
        let report = try await desk.open(target.url(number))
        #expect(report.status == 0 && report.first?["delivery"] == "running", "\(report)")
        #expect(try await target.next().urls == [target.url(number)])
        #expect(try !desk.isStopped(pid))
      }
    }
  }

  /// Ctrl-Z is the user's decision.
  @Test func `at its terminal is not resumed, and its caller gets the outcome unknown`() async throws {
    try await InstalledDesktop.with { desk in
      let target = try await Target.install(.scenes, on: desk.desktop)
      try desk.desktop.setUsherAsDefault(of: [.scenes])
      // The command script(1) provides a terminal.
      let terminal = try await RunningProgram.start(
        "script", ["-qec", BuiltProducts.notes, "/dev/null"], environment: desk.desktop.environment)
      try await desk.waitForOwner(of: "org.example.Notes")
      let pid = try #require(desk.processes(of: BuiltProducts.notes).last)
      try await desk.stop(pid)
      let report = try await desk.open("--timeout", timeLimit(2), target.url(1))
      #expect(report.error == "Timeout" && report.outcome == "unknown", "\(report)")
      #expect(try desk.isStopped(pid))
      kill(pid, SIGCONT)
      _ = try await terminal.line { $0.contains(target.url(1)) }
    }
  }
}

extension InstalledDesktop {
  /// Stops a process with SIGSTOP, and waits until it has stopped.
  func stop(_ pid: Int32) async throws {
    kill(pid, SIGSTOP)
    // Only the parent is notified, so that the test must poll.
    try await withDeadline(Command.defaultDeadline, "process \(pid) to stop") {
      while try !isStopped(pid) { try await Task.sleep(for: .milliseconds(2)) }
    }
  }

  /// Returns `true` if the process is stopped.
  func isStopped(_ pid: Int32) throws -> Bool {
    let stat = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    return stat.split(separator: ")").last?.hasPrefix(" T") == true
  }
}
