// SPDX-License-Identifier: Apache-2.0
import Glibc

extension Collection<UInt8> {
  /// Writes all bytes to an open file, even if `write` is interrupted or accepts only a part of them at once.
  ///
  /// If the file is a full pipe that does not block, because another process has set `O_NONBLOCK`, the call waits for its reader.
  ///
  /// - Returns: The error number of the call that failed; `nil` if all bytes were written.
  package func writeAll(to descriptor: Int32) -> Int32? {
    var rest = Array(self)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&room, 1, -1) >= 0 || errno == EINTR else { return errno }
      } else if count == 0 || errno != EINTR {
        return count == 0 ? EIO : errno
      }
    }
    return nil
  }
}
