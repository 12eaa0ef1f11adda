// SPDX-License-Identifier: Apache-2.0
import Glibc
import OpenSocket

/// The state of the program at a socket, as a connection shows it.
///
/// A relay and the shared connection of ssh introduce themselves to every program that connects. The kernel accepts connections also
/// for a program that is stopped or hangs.
enum SocketState: Hashable {
  /// No program listens.
  case closed
  /// A program listens, and does not introduce itself.
  case silent
  /// A program introduces itself.
  case answering

  /// The time in milliseconds in which a program must introduce itself.
  private static let timeout = 2_000

  /// Returns the states of the programs at several sockets, which are asked at the same time.
  static func all(of paths: [String]) -> [String: SocketState] {
    var states: [String: SocketState] = [:]
    var asked: [(path: String, connection: Int32)] = []
    for path in Set(paths) {
      let connection = connection()
      states[path] = .closed
      guard connection >= 0 else { continue }
      if SocketAddress.with(path, { connect(connection, $0, $1) }) == 0 {
        states[path] = .silent
        asked.append((path, connection))
      } else {
        // The program has not accepted the connections before.
        if errno == EAGAIN { states[path] = .silent }
        close(connection)
      }
    }
    defer { for (_, connection) in asked { close(connection) } }
    let deadline = ContinuousClock.now + .milliseconds(timeout)
    while !asked.isEmpty {
      let rest = (deadline - .now) / .milliseconds(1)
      guard rest > 0 else { break }
      var polled = asked.map { pollfd(fd: $0.connection, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), Int32(rest.rounded(.up))) > 0 else { continue }
      for index in polled.indices.reversed() where polled[index].revents != 0 {
        let (path, connection) = asked.remove(at: index)
        var byte: UInt8 = 0
        // A program that is ending closes the connection.
        states[path] = read(connection, &byte, 1) == 1 ? .answering : .closed
        close(connection)
      }
    }
    return states
  }

  /// Returns the process that listens at a socket; `nil` if there is none, or another user's.
  static func process(at path: String) -> Int32? {
    let connection = connection()
    guard connection >= 0 else { return nil }
    defer { close(connection) }
    // The layout of `struct ucred`: process, user and group.
    var facts: [UInt32] = [0, 0, 0]
    var size = socklen_t(MemoryLayout<UInt32>.stride * facts.count)
    guard SocketAddress.with(path, { connect(connection, $0, $1) }) == 0,
      getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &facts, &size) == 0, facts[1] == getuid(), facts[0] > 0
    else { return nil }
    return Int32(facts[0])
  }

  private static func connection() -> Int32 {
    socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
  }
}
