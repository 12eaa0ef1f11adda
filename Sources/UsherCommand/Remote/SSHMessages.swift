// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd

/// The messages that ssh writes to standard error while it connects without asking, of which the last ones are kept.
///
/// They pass through a pipe: a machine can make ssh write messages without end, and a file of them in `$XDG_RUNTIME_DIR` would fill the
/// memory of the session.
final class SSHMessages {
  /// The maximum number of bytes that are kept; the reason for which ssh exits is among its last messages.
  private static let maximumKept = 16 << 10
  /// The maximum number of bytes in one read.
  private static let longestRead = 64 << 10

  /// The end of the pipe that is readable when ssh has written messages, or when it has exited.
  let output: Int32
  /// The end of the pipe for ssh; `nil` after it was closed here.
  private(set) var input: Int32?
  private var kept: [UInt8] = []

  /// Creates the pipe.
  ///
  /// - Throws: `RemoteFailure` if there are no descriptors left.
  init() throws(RemoteFailure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw RemoteFailure(description: String(cString: strerror(errno))) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    (output, input) = (ends[0], ends[1])
  }

  deinit {
    closeInput()
    close(output)
  }

  /// Closes the end for ssh, of which ssh has a copy.
  func closeInput() {
    if let input { close(input) }
    input = nil
  }

  /// Reads messages without waiting, and returns the number of bytes: 0 at the end, and -1 if there are none at the moment.
  func read() -> Int {
    withUnsafeTemporaryAllocation(byteCount: Self.longestRead, alignment: 1) { bytes in
      let count = Glibc.read(output, bytes.baseAddress, bytes.count)
      if count > 0 { kept = Array((kept + bytes[..<count]).suffix(Self.maximumKept)) }
      return count
    }
  }

  /// Reads the messages that were written before ssh exited, and returns the last ones.
  ///
  /// Later messages are ignored, because they come from other programs that ssh has started.
  func last() -> String {
    var unread: Int32 = 0
    if ioctl(output, UInt(FIONREAD), &unread) != 0 { unread = 0 }
    var left = Int(unread)
    while left > 0 {
      let count = read()
      guard count > 0 else { break }
      left -= count
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// Drops all messages that follow, on a thread of its own, because ssh would wait for the reader of a full pipe.
  ///
  /// No other call may follow.
  func drop() {
    let output = dup(self.output)
    guard output >= 0 else { return }
    let isDropping = DetachedThread.run {
      var bytes = [UInt8](repeating: 0, count: Self.longestRead)
      repeat {
        while !Polling.wait(for: output, by: .now + .seconds(86_400)) {}
      } while Glibc.read(output, &bytes, bytes.count) != 0
      close(output)
    }
    // ssh ignores the error of a pipe that has no reader.
    if !isDropping { close(output) }
  }
}
