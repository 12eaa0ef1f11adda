// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd

/// A thread that discards the bus's input while the last messages are written.
///
/// `sd_bus_flush` writes and never reads, so it would wait for ever for a bus that reads only after its own messages
/// were read, and for a bus that is stopped. Therefore a thread reads and discards the input, and shuts the
/// connection down at the deadline, so that the flush fails.
struct InputDrain {
  private let descriptor: Int32

  /// Starts to discard the input of `socket`; `nil` if the process cannot create another descriptor or thread.
  ///
  /// - Parameter timeout: the longest time of the flush, after which the connection is shut down.
  init?(_ socket: Int32, timeout: Duration) {
    let copy = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    descriptor = socket
    let deadline = ContinuousClock.now + timeout
    let isRunning = DetachedThread.run {
      Self.discardInput(of: copy, until: deadline)
      close(copy)
    }
    guard isRunning else {
      close(copy)
      return nil
    }
  }

  /// Shuts the connection down, which ends the thread; the other side can still read what was written.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private static func discardInput(of socket: Int32, until deadline: ContinuousClock.Instant) {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while deadline > .now, Polling.wait(for: socket, by: deadline) {
      let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return }
    }
    shutdown(socket, Int32(SHUT_RDWR))
  }
}
