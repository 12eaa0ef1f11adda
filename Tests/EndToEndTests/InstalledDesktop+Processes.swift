// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

extension InstalledDesktop {
  /// Terminates a process of the desktop with `signal`, and waits for its exit.
  func end(_ pid: Int32, _ signal: Int32 = SIGTERM) async throws {
    kill(pid, signal)
    try await waitForEnd(of: pid)
  }

  /// Waits until a process has exited.
  func waitForEnd(of pid: Int32) async throws {
    guard await ThrowAwayDesktop.waitForEnd(of: pid, until: Command.deadlineFromNow) else {
      throw TestSupportError("process \(pid) does not end")
    }
  }
}
