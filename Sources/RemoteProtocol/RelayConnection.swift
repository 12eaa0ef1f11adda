// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A connection of a client to a relay that has introduced itself, with calls that block until their time limit.
///
/// It needs nothing but the C library, because the machine on which the client runs may have nothing else of Usher.
final class RelayConnection {
  /// An event of a connection.
  enum Event {
    /// A message has arrived.
    case message(RemoteMessage)
    /// The user has interrupted the client.
    case interrupted
    /// The connection has ended, for this reason.
    case ended(String)
  }

  /// The reason of an end without a better one.
  static let lost = "the connection to the desktop was lost"

  /// The time in milliseconds in which the relay must read what is sent.
  private static let readingTimeout: Int32 = 30_000

  /// The socket.
  let descriptor: Int32
  private var stream: RemoteStream
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  /// Takes over a socket that does not block, and what was read from it after the introduction of the relay.
  init(_ descriptor: Int32, _ stream: RemoteStream) {
    self.descriptor = descriptor
    self.stream = stream
  }

  deinit { close(descriptor) }

  /// Waits for the next message.
  ///
  /// - Parameters:
  ///   - timeout: The time in milliseconds that the relay has; -1 for no limit.
  ///   - interruption: A descriptor that is readable when the user interrupts the client; -1 if there is none.
  func next(timeout: Int32, interruption: Int32 = -1) -> Event {
    while true {
      do throws(RemoteStream.Failure) {
        if let message = try stream.next() { return .message(message) }
      } catch {
        return .ended("\(error)")
      }
      var waiting = [descriptor, interruption].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let ready = poll(&waiting, 2, timeout)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return .ended("the relay does not answer") }
      if waiting[1].revents != 0 { return .interrupted }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return .ended(Self.lost) }
      stream.append(buffer[..<count])
    }
  }

  /// Sends a message; returns `false` if the connection is lost.
  func send(_ message: RemoteMessage) -> Bool { message.bytes.map(send) ?? false }

  /// Sends bytes; returns `false` if the connection is lost, or the relay does not read in time.
  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        guard waitUntilWritable() else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  private func waitUntilWritable() -> Bool {
    while true {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let ready = poll(&waiting, 1, Self.readingTimeout)
      if ready < 0, errno == EINTR { continue }
      return ready > 0
    }
  }
}

extension RemoteMessage {
  /// The reason in a message of the kind ``Kind/rejection``.
  var rejection: String { self["error"] ?? "the relay gives no reason" }
}
