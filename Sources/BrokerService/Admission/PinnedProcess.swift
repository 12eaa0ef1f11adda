// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd

/// The process behind a connection, pinned so that a later process with the same ID is not confused with it.
struct PinnedProcess: Sendable {
  let handle: ProcessHandle
  let directory: ProcDirectory

  /// Resumes the process if it is stopped in the background, but not if a debugger or its terminal stopped it.
  func thaw() {
    guard directory.isStoppedInBackground else { return }
    // The exit of the process is detected by its bus name, so an error is ignored.
    try? handle.send(signal: SIGCONT)
  }
}
