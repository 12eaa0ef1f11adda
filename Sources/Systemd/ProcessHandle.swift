// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// A reference to a process (a pidfd) that a later process with the same ID does not match.
public final class ProcessHandle: Sendable {
  /// The process ID, which is valid while `isAlive` is true.
  public let pid: Int32
  let descriptor: Int32

  /// Opens the process that has `pid` now; `nil` if there is none.
  public init?(pid: Int32) {
    guard pid > 0 else { return nil }
    let descriptor = usher_pidfd_open(pid)
    guard descriptor >= 0 else { return nil }
    self.pid = pid
    self.descriptor = descriptor
  }

  /// Duplicates an existing pidfd; `nil` if it is not a pidfd or the process has exited.
  public init?(duplicating pidfd: Int32) {
    guard case .bytes(let bytes)? = ProcDirectory.ownDescriptor(pidfd) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("Pid:") }?.dropFirst(4).drop { $0 == "\t" || $0 == " " }
    guard let pid = line.flatMap({ Int32($0) }), pid > 0 else { return nil }
    let copy = fcntl(pidfd, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    self.pid = pid
    descriptor = copy
  }

  /// Creates a handle for `pid` with an existing pidfd, which it takes ownership of.
  init(pid: Int32, taking descriptor: Int32) {
    self.pid = pid
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Indicates whether it is running, or has exited without having been reaped.
  public var isAlive: Bool {
    // EPERM: the process exists and belongs to another user.
    usher_pidfd_send_signal(descriptor, 0) == 0 || errno == EPERM
  }

  /// Limits the length of the files that the process writes to `size` bytes; a longer write ends it with `SIGXFSZ`.
  ///
  /// - Throws: `SystemdError`, with `ESRCH` if it has exited.
  public func limitFileSize(to size: Int64) throws(SystemdError) {
    guard isAlive, usher_limit_file_size(pid, UInt64(clamping: size)) == 0 else {
      throw SystemdError("limit the files of process \(pid)", code: isAlive ? errno : ESRCH)
    }
  }

  /// Sends a signal to exactly this process.
  ///
  /// - Throws: `SystemdError`, with `ESRCH` if it has exited.
  public func send(signal: Int32) throws(SystemdError) {
    guard usher_pidfd_send_signal(descriptor, signal) == 0 else {
      throw SystemdError("send signal \(signal) to process \(pid)", code: errno)
    }
  }
}
