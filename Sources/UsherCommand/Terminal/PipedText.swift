// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A text that a program reads from a descriptor, at most as long as the buffer of a pipe (64 KiB).
final class PipedText {
  /// The end of the pipe to read; it is closed with this object.
  let descriptor: Int32

  /// Writes a text to a new pipe; `nil` if it is too long, or no descriptor is free.
  init?(_ text: String) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    descriptor = ends[0]
    var text = text
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let isWritten = text.withUTF8 { write(ends[1], $0.baseAddress, $0.count) == $0.count }
    close(ends[1])
    guard isWritten else { return nil }
  }

  deinit { close(descriptor) }
}
