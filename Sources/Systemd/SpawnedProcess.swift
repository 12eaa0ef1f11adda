import CSystemd
import Glibc

/// A program started by a caller that has nothing else to do while it waits, as a command.
public struct SpawnedProcess: Sendable {
  private let handle: ProcessHandle

  /// Starts `program`.
  ///
  /// - Throws: `SystemdError` when it cannot be executed.
  public init(_ program: ProcessConfiguration) throws(SystemdError) {
    let pid = try program.spawn()
    // Ours and not reaped, so the number is its own; only a lack of descriptors leaves it without a handle.
    guard let handle = ProcessHandle(pid: pid) else {
      throw SystemdError("watch \(program.executable)", code: errno)
    }
    self.handle = handle
  }

  /// How it ended; blocks until it has, `nil` when `deadline` passes before.
  public func exitStatus(by deadline: ContinuousClock.Instant) -> ExitStatus? {
    guard Polling.wait(for: handle.descriptor, by: deadline) else { return nil }
    var code: Int32 = 0
    var status: Int32 = 0
    guard usher_wait_pidfd(handle.descriptor, 0, &code, &status) == 0 else { return nil }
    return code == Int32(CLD_EXITED) ? .exited(status) : .signalled(status)
  }

  /// Blocks until it has ended; its status can still be asked for.
  public func waitForEnd() {
    while !Polling.wait(for: handle.descriptor, by: .now + .seconds(86_400)) {}
  }

  /// Can be polled: readable once it has ended.
  var descriptor: Int32 { handle.descriptor }

  /// Ends it at once, with all that it started, but for what went into a group of its own.
  ///
  /// Does nothing once `exitStatus` has told its end.
  public func killGroup() { signalGroup(SIGKILL) }

  /// Sends a signal to it and to all that it started, but for what went into a group of its own.
  ///
  /// Does nothing once `exitStatus` has told its end.
  public func signalGroup(_ number: Int32) {
    // Until it is reaped the number is its own, and its group's: `ProcessConfiguration` gives it a session.
    guard handle.isAlive else { return }
    kill(-handle.pid, number)
  }
}
