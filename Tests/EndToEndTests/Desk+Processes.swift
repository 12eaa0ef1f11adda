import Foundation
import TestSupport

extension Desk {
  /// Ends a process of the desktop with `signal` and returns when it has gone.
  func end(_ pid: Int32, _ signal: Int32 = SIGTERM) async throws {
    kill(pid, signal)
    try await waitForEnd(of: pid)
  }

  /// Returns when a process has ended.
  func waitForEnd(of pid: Int32) async throws {
    guard await ThrowAwayDesktop.waitForEnd(of: pid, until: .now + Command.defaultDeadline) else {
      throw TestSupportError("process \(pid) does not end")
    }
  }
}
