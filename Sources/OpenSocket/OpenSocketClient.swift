// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A client that sends one request to the broker's socket.
public struct OpenSocketClient: Sendable {
  /// The outcome of a request.
  public enum Outcome: Equatable, Sendable {
    /// The request has reached the progress that the caller waits for, without a message.
    case done
    /// The broker has a message, or it disconnected after it declared the outcome unknown.
    case uncertain
    /// The broker did not begin the request, or disconnected; the request can be repeated under the same ID.
    case unanswered
    /// The request was not sent.
    case notSent
  }

  private let packet: OpenPacket
  /// The timeout in milliseconds; longer than the broker's own 20 s, because the broker's error is more precise.
  private static let timeout: Int32 = 25_000

  /// Creates a client for one request.
  public init(_ packet: OpenPacket) { self.packet = packet }

  /// Sends the packet to the socket at `path`, and waits for the answer.
  ///
  /// - Parameter tellPrompting: called when the user sees a prompt about the request.
  public func carryOut(at path: String, tellPrompting: () -> Void = {}) -> Outcome {
    guard let bytes = packet.bytes else { return .notSent }
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let connection = socket(AF_UNIX, kind, 0)
    guard connection >= 0 else { return .notSent }
    defer { close(connection) }
    guard SocketAddress.with(path, { connect(connection, $0, $1) }) == 0, Self.isOurs(connection),
      send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else { return .notSent }
    return Self.outcome(of: connection, tellPrompting)
  }

  private static func outcome(of connection: Int32, _ tellPrompting: () -> Void) -> Outcome {
    var isUncertain = false
    while true {
      var waiting = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, timeout)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return .uncertain }
      var byte: UInt8 = 0
      let count = recv(connection, &byte, 1, 0)
      guard count > 0 else { return isUncertain ? .uncertain : .unanswered }
      switch OpenAnswer(rawValue: byte) {
      case .done: return .done
      case .uncertain: isUncertain = true
      case .prompting: tellPrompting()
      // The kernel attaches the sender's credentials to the packet; if the broker has disconnected, the next read
      // reports it.
      case .identify: _ = send(connection, &byte, 1, Int32(MSG_NOSIGNAL))
      case .ask, nil: return .uncertain
      }
    }
  }

  /// Returns `true` if the listening process belongs to the same user.
  private static func isOurs(_ connection: Int32) -> Bool {
    // The layout of `struct ucred`: process, user and group.
    var facts: [UInt32] = [0, 0, 0]
    var size = socklen_t(MemoryLayout<UInt32>.size * facts.count)
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &facts, &size) == 0 && facts[1] == getuid()
  }
}
