// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Glibc

/// The writing end of a monitor's socket, which never blocks the broker.
///
/// A slow reader misses complete lines, and receives a line with their number.
struct Monitor {
  private let socket: UnixFD
  /// The unwritten rest of the last line.
  private var rest: ArraySlice<UInt8> = []
  /// The number of lines that did not fit.
  private var missed = 0
  /// A Boolean value that indicates whether a write has failed because the reader closed its end.
  private(set) var isClosed = false

  /// Creates both ends, the monitor and the descriptor to read from; `nil` if there is no free descriptor.
  static func connected() -> (monitor: Monitor, stream: UnixFD)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    // The reader cannot send anything to the broker.
    shutdown(ends[1], Int32(SHUT_WR))
    return (Monitor(UnixFD(owning: ends[0])), UnixFD(owning: ends[1]))
  }

  private init(_ socket: UnixFD) { self.socket = socket }

  /// A Boolean value that indicates whether data waits for room in the socket.
  var isBehind: Bool { !isClosed && (!rest.isEmpty || missed > 0) }

  /// A Boolean value that indicates whether the reader has closed its end, according to the kernel.
  var isGone: Bool {
    if isClosed { return true }
    var poll = pollfd(fd: socket.rawValue, events: 0, revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Writes a line, or counts it as missed if there is no room.
  mutating func tell(_ line: String) {
    flush()
    guard rest.isEmpty, missed == 0 else {
      missed += 1
      return
    }
    rest = ArraySlice((line + "\n").utf8)
    write()
  }

  /// Writes the waiting data as far as there is room.
  mutating func flush() {
    write()
    guard rest.isEmpty, missed > 0 else { return }
    let notice: [String: Variant] = [
      "event": "missed", "count": .uint64(UInt64(missed)),
      "time": .uint64(UInt64(clamping: BootClock.microsecondsSince1970)),
    ]
    missed = 0
    rest = ArraySlice((JSONText.line(notice) + "\n").utf8)
    write()
  }

  private mutating func write() {
    while !rest.isEmpty, !isClosed {
      let count = rest.withUnsafeBytes {
        send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        isClosed = true
        rest = []
      }
    }
  }
}
