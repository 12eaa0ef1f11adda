// SPDX-License-Identifier: Apache-2.0
import Glibc
import Systemd

/// Messages to the standard error of the process.
enum StandardError {
  private static let file = NonblockingFile(STDERR_FILENO)

  /// Writes `usher listen: ` and a message to standard error.
  ///
  /// A message for which its reader has no room is dropped, because the requests do not wait for it.
  static func warn(_ text: String) { file.writeOrDrop(Array("usher listen: \(text)\n".utf8)) }
}
