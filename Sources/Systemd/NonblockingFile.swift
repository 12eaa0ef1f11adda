// SPDX-License-Identifier: Apache-2.0
import CSystemd
import Glibc

/// An open pipe, socket or terminal that is written without blocking, although other processes share it.
///
/// Its `O_NONBLOCK` is not changed, because it would affect them, too. A regular file is written at once, and may block.
public final class NonblockingFile: Sendable {
  /// The descriptor to use: that of the file, or one with a description of its own.
  let descriptor: Int32
  /// The type of the file, as in `st_mode`; 0 if it is unknown.
  let type: mode_t
  /// A Boolean value that indicates whether the descriptor has a description of its own, which does not block.
  private let isOwn: Bool

  /// The device number of the masters of pseudo-terminals, which is fixed (pts(4)).
  private static let terminalMaster: dev_t = 5 << 8 | 2

  /// Creates an output to the file of a descriptor, which must stay open.
  public init(_ descriptor: Int32) {
    var status = stat()
    type = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    // A socket cannot be opened, and has a flag for each call instead. Opening the master of a pseudo-terminal creates another one.
    let canBeOpened = type == S_IFIFO || type == S_IFCHR && status.st_rdev != Self.terminalMaster
    let own =
      canBeOpened ? open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1
    isOwn = own >= 0
    self.descriptor = isOwn ? own : descriptor
  }

  deinit { if isOwn { close(descriptor) } }

  /// Writes as much as the reader has room for, and drops the rest.
  public func writeOrDrop(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write($0) }
      guard count > 0 || count < 0 && errno == EINTR else { return }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Writes a part, and returns its length; -1 with the error in `errno`, which is `EAGAIN` if the reader has no room.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch type {
    case S_IFSOCK:
      return send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    case S_IFIFO where !isOwn, S_IFCHR where !isOwn:
      // The master of a pseudo-terminal, or a file of another user that this process may not open, so that the description blocks. If it
      // has room and no other writer, a pipe takes this many bytes without blocking (pipe(7)), and a terminal
      // takes one.
      var polled = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
      guard Polling.wait(for: &polled, by: .now) else {
        errno = EAGAIN
        return -1
      }
      return Glibc.write(
        descriptor, bytes.baseAddress, min(bytes.count, type == S_IFIFO ? Int(PIPE_BUF) : 1))
    default: return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }
  }
}
