// SPDX-License-Identifier: Apache-2.0
import Glibc
public import Logging
import Systemd

/// The process of a daemon of Usher: its log, its signals and its errors.
public enum DaemonProcess {
  /// Serves on the thread of the event loop only, and exits with the status that `serve` returns.
  ///
  /// An `async` main, or any task without an executor, would start Swift's thread pool, whose manager wakes up every
  /// second.
  ///
  /// - Parameters:
  ///   - name: The name of the program, for its log.
  ///   - serve: Receives the log, and the signals that ask for the end.
  public static func run(
    as name: String, _ serve: @escaping @Sendable (Logger, AsyncStream<Int32>) async -> Int32
  ) -> Never {
    // The program that reads the log may exit. Started programs get the default action back.
    signal(SIGPIPE, SIG_IGN)
    LoggingSystem.bootstrap { JournalLogHandler(label: $0) }
    let signals = EventLoop.shared.signals([SIGTERM, SIGINT])
    EventLoop.shared.start { exit(await serve(Logger(label: name), signals)) }
    while true { pause() }
  }

  /// Prints a line to standard error.
  public static func printError(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    write(STDERR_FILENO, bytes, bytes.count)
  }
}
