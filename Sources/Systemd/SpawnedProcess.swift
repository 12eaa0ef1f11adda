// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A child process of a caller that does nothing else while it waits, such as a command.
public struct SpawnedProcess: Sendable {
  private let handle: ProcessHandle

  /// Starts `program`.
  ///
  /// - Throws: `SystemdError` if it cannot be executed.
  public init(_ program: ProcessConfiguration) throws(SystemdError) {
    handle = try program.spawnWithHandle()
  }

  /// Blocks until the process exits, and returns its status; `nil` if `deadline` passes before.
  public func exitStatus(by deadline: ContinuousClock.Instant) -> ExitStatus? {
    guard Polling.wait(for: handle.descriptor, by: deadline) else { return nil }
    var code: Int32 = 0
    var status: Int32 = 0
    guard usher_wait_pidfd(handle.descriptor, 0, &code, &status) == 0 else { return nil }
    return code == Int32(CLD_EXITED) ? .exited(status) : .signalled(status)
  }

  /// Blocks until the process has exited; its status remains available.
  public func waitForEnd() {
    while !Polling.wait(for: handle.descriptor, by: .now + .seconds(86_400)) {}
  }

  /// Blocks until the process has exited, or `interruption` is readable; returns whether the process has exited.
  public func waitForEnd(or interruption: Int32) -> Bool {
    var polled = [handle.descriptor, interruption].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while !Polling.wait(for: &polled, by: .now + .seconds(86_400)) {}
    return polled[0].revents != 0
  }

  /// Asks the process to exit.
  public func terminate() { try? handle.send(signal: SIGTERM) }

  /// The process ID, which is that of its process group, too.
  package var pid: Int32 { handle.pid }

  /// The pidfd, which is readable after the process has exited.
  var descriptor: Int32 { handle.descriptor }

  /// Kills the process and its process group, which includes its children except those with their own group.
  ///
  /// It has no effect after `exitStatus` has returned a status.
  public func killGroup() { signalGroup(SIGKILL) }

  /// Sends a signal to the process and its process group, which includes its children except those with their own group.
  ///
  /// It has no effect after `exitStatus` has returned a status.
  public func signalGroup(_ number: Int32) {
    // The process ID is valid until the process is reaped, and its group has that ID, because `ProcessConfiguration`
    // starts a session.
    guard handle.isAlive else { return }
    kill(-handle.pid, number)
  }
}
