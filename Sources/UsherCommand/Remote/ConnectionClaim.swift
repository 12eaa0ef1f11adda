// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The right to connect a machine, which one process at a time has, as long as this object exists.
///
/// It begins before ssh asks for a password: the sockets of a connection do not exist until the user has answered.
final class ConnectionClaim {
  private let descriptor: Int32

  private init(holding descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Acquires the claim of a lock file; returns `nil` if another process has it.
  ///
  /// The file remains, because another process could have opened it.
  static func acquire(at path: String) throws(RemoteFailure) -> ConnectionClaim? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw RemoteFailure(description: "cannot open \(path): \(String(cString: strerror(errno)))")
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
      // Of a lock of this kind, the kernel knows the process.
      var lock = recordLock
      _ = fcntl(descriptor, F_SETLK, &lock)
      return ConnectionClaim(holding: descriptor)
    }
    let code = errno
    close(descriptor)
    guard code != EWOULDBLOCK else { return nil }
    throw RemoteFailure(description: "cannot lock \(path): \(String(cString: strerror(code)))")
  }

  /// Returns the ID of the process that holds the claim of a lock file; `nil` if the claim is free, or its process belongs to another
  /// namespace.
  static func holder(at path: String) -> Int32? {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var lock = recordLock
    guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK), lock.l_pid > 0 else {
      return nil
    }
    return lock.l_pid
  }

  /// A lock of a whole file (fcntl(2)), which a process loses when it closes any descriptor of the file.
  private static var recordLock: Glibc.flock {
    Glibc.flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
  }

  /// Waits until no process has the claim that a lock of a file stands for, at most until a deadline; returns whether that is so.
  static func waitForEnd(at path: String, by deadline: ContinuousClock.Instant) -> Bool {
    while ContinuousClock.now < deadline {
      do throws(RemoteFailure) { if try acquire(at: path) != nil { return true } } catch { return true }
      usleep(20_000)
    }
    return false
  }
}
