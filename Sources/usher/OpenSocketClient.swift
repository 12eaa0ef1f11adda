import Glibc
import OpenSocket

/// A request that is brought to the broker's socket.
struct OpenSocketClient {
  /// What became of it.
  enum Outcome: Equatable {
    /// All that was waited for, and there is nothing to tell.
    case done
    /// The broker has more to tell, or went when nobody could know what would become of it.
    case perhapsOpen
    /// The broker began nothing, or went: it, or the next one, may be asked under the same ID.
    case unanswered
    /// Nobody has it.
    case notSent
  }

  private let packet: OpenPacket
  /// The broker's own time-out of 20 s says more, so ours comes later.
  private static let timeout: Int32 = 25_000

  init(_ packet: OpenPacket) { self.packet = packet }

  /// Sends it to the socket at `path` and waits for the answer.
  func carryOut(at path: String) -> Outcome {
    guard let bytes = packet.bytes else { return .notSent }
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let connection = socket(AF_UNIX, kind, 0)
    guard connection >= 0 else { return .notSent }
    defer { close(connection) }
    guard SocketAddress.with(path, { connect(connection, $0, $1) }) == 0, Self.isOurs(connection),
      send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else { return .notSent }
    return Self.outcome(of: connection)
  }

  private static func outcome(of connection: Int32) -> Outcome {
    var isUncertain = false
    while true {
      var waiting = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, timeout)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return .perhapsOpen }
      var byte: UInt8 = 0
      let count = recv(connection, &byte, 1, 0)
      guard count > 0 else { return isUncertain ? .perhapsOpen : .unanswered }
      switch OpenAnswer(rawValue: byte) {
      case .done: return .done
      case .uncertain: isUncertain = true
      // The kernel writes into the packet who sent it; a broker that has left meanwhile is noticed by the next read.
      case .identify: _ = send(connection, &byte, 1, Int32(MSG_NOSIGNAL))
      case .ask, nil: return .perhapsOpen
      }
    }
  }

  /// Whether the same user listens there.
  private static func isOurs(_ connection: Int32) -> Bool {
    // struct ucred: process, user and group.
    var facts: [UInt32] = [0, 0, 0]
    var size = socklen_t(MemoryLayout<UInt32>.size * facts.count)
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &facts, &size) == 0 && facts[1] == getuid()
  }
}
