// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The right to connect a machine, which one process at a time has, as long as this object exists.
///
/// It begins before ssh asks for a password: the sockets of a connection do not exist until the user has answered.
final class ConnectionClaim {
  private let descriptor: Int32

  private init(holding descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Returns the claim that a lock of a file stands for; `nil` if another process has it.
  ///
  /// The file remains, because another process could have opened it.
  static func take(at path: String) throws(RemoteFailure) -> ConnectionClaim? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw RemoteFailure(description: "cannot open \(path): \(String(cString: strerror(errno)))")
    }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return ConnectionClaim(holding: descriptor) }
    let code = errno
    close(descriptor)
    guard code != EWOULDBLOCK else { return nil }
    throw RemoteFailure(description: "cannot lock \(path): \(String(cString: strerror(code)))")
  }

  /// Waits until no process has the claim that a lock of a file stands for, at most until a deadline; returns whether that is so.
  static func waitForEnd(at path: String, by deadline: ContinuousClock.Instant) -> Bool {
    while ContinuousClock.now < deadline {
      do throws(RemoteFailure) { if try take(at: path) != nil { return true } } catch { return true }
      usleep(20_000)
    }
    return false
  }
}
