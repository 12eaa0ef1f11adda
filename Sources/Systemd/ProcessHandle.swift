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

  /// The unit of the user manager that it belongs to, as `app-org.example.Notes@1.service`.
  ///
  /// `nil` outside any unit. Read it between two looks at `isAlive`.
  public var userUnit: String? {
    var unit: UnsafeMutablePointer<CChar>?
    guard sd_pid_get_user_unit(pid, &unit) >= 0, let unit else { return nil }
    defer { free(unit) }
    return String(cString: unit)
  }
}
