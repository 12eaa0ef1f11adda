// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Standard input, standard output and standard error of this process.
package enum StandardDescriptors {
  /// Opens the standard descriptors that are closed, because a file or socket that gets such a number would receive messages.
  ///
  /// They are opened in the other direction, so that reading and writing fail as before.
  package static func occupy() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is the one that is closed.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
