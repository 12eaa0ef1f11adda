// SPDX-License-Identifier: Apache-2.0
import Glibc
import OpenSocket

/// The search for a relay that can be reached, at several sockets.
///
/// sshd accepts connections also while its other end is suspended or has lost the network, so that only the introduction of a relay shows
/// that it can be reached. Nothing but the greeting is sent before. A socket that does not answer soon stays in the search while the next
/// ones are tried, so that neither a dead nor a slow connection decides alone.
struct RelaySearch {
  /// The outcome of a search.
  enum Outcome {
    /// The connection to a relay, and its introduction: a message of the kind ``RemoteMessage/Kind/ready``.
    case found(RelayConnection, ready: RemoteMessage)
    /// A relay has rejected the connection, with its reason.
    case rejected(String)
    /// No relay has introduced itself; the text says why for each socket.
    case unreachable(String)
    /// The user has cancelled the search.
    case interrupted
  }

  /// The state of a connection.
  private enum Answer {
    case none
    case introduction(RemoteMessage)
    case rejection(String)
    case end(String)
  }

  /// A connection whose relay has not introduced itself.
  private struct Contact {
    let path: String
    let connection: Int32
    var stream = RemoteStream()

    /// Reads the messages that have arrived.
    mutating func readAnswer() -> Answer {
      var buffer = [UInt8](repeating: 0, count: 16_384)
      let count = read(connection, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return .none }
      guard count > 0 else { return .end(RelayConnection.lost) }
      stream.append(buffer[..<count])
      do throws(RemoteStream.Failure) {
        while let message = try stream.next() {
          switch message.kind {
          case .ready: return .introduction(message)
          case .rejection: return .rejection(message.rejection)
          default: break
          }
        }
        return .none
      } catch {
        return .end("\(error)")
      }
    }
  }

  /// The maximum time in milliseconds for which a socket is tried before the next one.
  private static let maximumHeadStart = 2_000

  private let interruption: Int32
  private var contacts: [Contact] = []
  private var reasons: [String] = []

  /// Creates a search.
  ///
  /// - Parameter interruption: A descriptor that is readable when the user cancels the search; -1 if the user cannot.
  init(interruption: Int32) { self.interruption = interruption }

  /// Returns the first relay that introduces itself.
  ///
  /// - Parameters:
  ///   - paths: The paths of the sockets, in the order in which they are tried.
  ///   - timeout: The maximum time in milliseconds.
  mutating func find(at paths: [String], timeout: Int) -> Outcome {
    let deadline = MonotonicClock.now + timeout
    let headStart = min(Self.maximumHeadStart, timeout / max(1, paths.count))
    var (rest, nextTry) = (paths[...], 0)
    defer { for contact in contacts { close(contact.connection) } }
    while true {
      if contacts.isEmpty || MonotonicClock.now >= nextTry, let path = rest.popFirst() {
        open(path)
        nextTry = MonotonicClock.now + headStart
        continue
      }
      guard !contacts.isEmpty, MonotonicClock.now < deadline else { break }
      var waiting = (contacts.map(\.connection) + [interruption]).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let end = rest.isEmpty ? deadline : min(deadline, nextTry)
      guard poll(&waiting, nfds_t(waiting.count), Int32(max(0, end - MonotonicClock.now))) > 0 else {
        continue
      }
      if waiting[contacts.count].revents != 0 { return .interrupted }
      for index in contacts.indices.reversed() where waiting[index].revents != 0 {
        switch contacts[index].readAnswer() {
        case .none: break
        case .introduction(let message):
          let contact = contacts.remove(at: index)
          return .found(RelayConnection(contact.connection, contact.stream), ready: message)
        case .rejection(let reason): return .rejected(reason)
        case .end(let reason):
          let contact = contacts.remove(at: index)
          close(contact.connection)
          reasons.append("\(contact.path): \(reason)")
        }
      }
    }
    reasons += contacts.map { "\($0.path): the relay does not answer" }
    return .unreachable(reasons.joined(separator: "; "))
  }

  /// Connects to a socket, and sends the greeting.
  private mutating func open(_ path: String) {
    // A socket whose program accepts no connections any more would block.
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let connection = socket(AF_UNIX, flags, 0)
    // A path that is too long for an address calls no function that sets the error.
    if connection >= 0 { errno = ENAMETOOLONG }
    guard connection >= 0, SocketAddress.with(path, { connect(connection, $0, $1) }) == 0 else {
      let code = errno
      if connection >= 0 { close(connection) }
      if code == ECONNREFUSED, RemoteSocket.isAbandoned(path) { unlink(path) }
      // The queue of a socket for connections that are not accepted yet is full.
      let reason = code == EAGAIN ? "too many programs connect at once" : String(cString: strerror(code))
      reasons.append("\(path): \(reason)")
      return
    }
    // A relay that rejects the connection may have closed it already; its reason is read like an introduction.
    send(connection, RemoteStream.greeting, RemoteStream.greeting.count, Int32(MSG_NOSIGNAL))
    contacts.append(Contact(path: path, connection: connection))
  }
}
