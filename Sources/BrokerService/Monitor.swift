import BusInterfaces
import DBus
import Glibc

/// One who watches: the writing end of a socket that never blocks the broker.
///
/// Whoever reads too slowly misses lines, is told how many, and never half a line.
struct Monitor {
  private let socket: UnixFD
  /// What of the last line is not written yet.
  private var rest: ArraySlice<UInt8> = []
  /// How many lines had no room.
  private var missed = 0
  /// Whether a write has found nobody at the other end.
  private(set) var isClosed = false

  /// Both ends: ours, and the one to read from; `nil` where there is no descriptor left.
  static func connected() -> (monitor: Monitor, stream: UnixFD)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    // Nothing is to be said to the broker.
    shutdown(ends[1], Int32(SHUT_WR))
    return (Monitor(UnixFD(owning: ends[0])), UnixFD(owning: ends[1]))
  }

  private init(_ socket: UnixFD) { self.socket = socket }

  /// Whether something waits until it has room.
  var isBehind: Bool { !isClosed && (!rest.isEmpty || missed > 0) }

  /// Whether nobody reads any more, asked of the kernel.
  var isGone: Bool {
    if isClosed { return true }
    var poll = pollfd(fd: socket.rawValue, events: 0, revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLHUP | POLLERR) != 0
  }

  /// Writes a line, or counts it where there is no room for it.
  mutating func tell(_ line: String) {
    flush()
    guard rest.isEmpty, missed == 0 else {
      missed += 1
      return
    }
    rest = ArraySlice((line + "\n").utf8)
    write()
  }

  /// Writes what waits, as far as there is room.
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
