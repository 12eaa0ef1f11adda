// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A process that kills the process groups of programs when this process exits, even by `SIGKILL`.
///
/// It holds nothing of this process but a lock. The next process of the application acquires that lock before it starts a
/// program, so that programs of two processes never run at the same time.
public final class ProcessGuard {
  private let pipe: Int32

  /// Starts the guard; `nil` if the system has no process or descriptor left.
  ///
  /// - Parameter lock: The file lock that the guard keeps until the programs have exited.
  public init?(keeping lock: FileLock?) {
    pipe = usher_start_guard(lock?.descriptor ?? -1)
    guard pipe >= 0 else { return nil }
  }

  // It runs after a failed initialization, too.
  deinit { if pipe >= 0 { close(pipe) } }

  /// Adds the process group of a program; a program in its own session has the group with its process ID.
  public func add(_ group: Int32) { send(group) }

  /// Removes the process group of a program that has exited.
  public func remove(_ group: Int32) { send(-group) }

  private func send(_ number: Int32) {
    withUnsafeBytes(of: number) { _ = write(pipe, $0.baseAddress, $0.count) }
  }
}

/// An exclusive lock of a file, which children of this process can keep.
public final class FileLock {
  let descriptor: Int32

  /// Creates the file if necessary, and waits for the lock.
  ///
  /// `nil` if the file cannot be opened, or if the lock is held until `deadline`.
  public init?(_ path: String, by deadline: ContinuousClock.Instant) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    // A blocking call has no deadline.
    while usher_try_lock(descriptor) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, .now < deadline else { return nil }
      usleep(2_000)
    }
  }

  // It runs after a failed initialization, too.
  deinit { if descriptor >= 0 { close(descriptor) } }
}
