import CSystemd
import Glibc

/// A process that cannot be mistaken for a later one with the same number: a pidfd.
public final class ProcessHandle: Sendable {
  /// The process's number, its own as long as `isAlive`.
  public let pid: Int32
  let descriptor: Int32

  /// The process that has `pid` now, or `nil` when there is none.
  public init?(pid: Int32) {
    guard pid > 0 else { return nil }
    let descriptor = usher_pidfd_open(pid)
    guard descriptor >= 0 else { return nil }
    self.pid = pid
    self.descriptor = descriptor
  }

  /// The process of a pidfd that somebody else made, which is duplicated; `nil` when it is none, or the process is gone.
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

  /// The process of `pid`, by the pidfd that somebody made for it, which is ours to close from now on.
  init(pid: Int32, taking descriptor: Int32) {
    self.pid = pid
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Whether it still runs, or ended without having been reaped.
  public var isAlive: Bool {
    // EPERM: it lives, and belongs to somebody else.
    usher_pidfd_send_signal(descriptor, 0) == 0 || errno == EPERM
  }

  /// Sends a signal to exactly this process.
  ///
  /// - Throws: `SystemdError`, with `ESRCH` when it has ended.
  public func send(signal: Int32) throws(SystemdError) {
    guard usher_pidfd_send_signal(descriptor, signal) == 0 else {
      throw SystemdError("send signal \(signal) to process \(pid)", code: errno)
    }
  }
}
