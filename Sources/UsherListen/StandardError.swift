// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Messages to the standard error of the process.
enum StandardError {
  /// Writes `usher listen: ` and a message to standard error.
  static func warn(_ text: String) {
    let line = "usher listen: \(text)\n"
    write(STDERR_FILENO, line, line.utf8.count)
  }
}
