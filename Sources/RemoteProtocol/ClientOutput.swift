// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Standard output and standard error of a client, which needs nothing but the C library.
public enum ClientOutput {
  /// Writes a text to a descriptor, and waits for its reader if another process has set `O_NONBLOCK` for the pipe.
  ///
  /// - Returns: The error number of the call that failed; `nil` if the whole text was written.
  public static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var rest = Array(text.utf8)[...]
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
