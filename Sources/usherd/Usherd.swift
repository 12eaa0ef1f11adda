// SPDX-License-Identifier: Apache-2.0
import BrokerService
import Glibc
import Logging
import Systemd

/// The broker's daemon.
///
/// D-Bus or systemd starts it; a manual start has the same effect.
@main
struct Usherd {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case nil: serve()
    case "--exec": execute(Array(CommandLine.arguments.dropFirst(2)))
    case "--version": print("usherd \(BrokerDaemon.version)")
    case "--help", "-h": print(help)
    case .some(let argument):
      printError("usherd: unknown argument “\(argument)”\n\(help)")
      exit(64)
    }
  }

  /// Serves on the thread of the event loop only.
  ///
  /// An `async` main, or any task without an executor, would start Swift's thread pool, whose manager wakes up every
  /// second.
  private static func serve() -> Never {
    LoggingSystem.bootstrap { JournalLogHandler(label: $0) }
    let signals = EventLoop.shared.signals([SIGTERM, SIGINT])
    EventLoop.shared.start { exit(await status(untilOneOf: signals)) }
    while true { pause() }
  }

  private static func status(untilOneOf signals: AsyncStream<Int32>) async -> Int32 {
    let log = Logger(label: "usherd")
    switch await BrokerDaemon.run(
      limits: TestFaults.limits, log: log, signals: signals, atCommit: TestFaults.atCommit)
    {
    case .stopped: log.info("stopped")
    // A second activation file may have started another broker; the one without the names exits without an error.
    case .alreadyRunning: log.info("another broker owns the bus names")
    case .sessionReplaced: log.info("another session has started; its broker takes over")
    case .noBus(let reason):
      log.critical("\(reason)")
      return 69
    }
    return 0
  }

  /// Executes the program of a unit whose arguments D-Bus could not carry as they are.
  private static func execute(_ words: [String]) -> Never {
    let reason = EncodedArguments.execute(words)
    printError(
      "usherd: \(words.first ?? "no program") cannot be executed: \(String(cString: strerror(reason)))")
    // The exit status of systemd's own executor for a failed exec (systemd.exec(5), "Process Exit Codes").
    exit(203)
  }

  private static func printError(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    write(STDERR_FILENO, bytes, bytes.count)
  }

  private static let help = """
    usage: usherd [--version | --help]

    Owns org.usher.Broker1 and org.usher.Handler on the session bus, and opens links for the programs that call it.
    D-Bus and systemd start it when it is needed. Exit status 69: no session bus is available.
    """
}
