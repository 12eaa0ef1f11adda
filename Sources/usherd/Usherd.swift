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
    case nil:
      OpenFilesLimit.raise()
      DaemonProcess.run(as: "usherd", serve)
    case "--exec": execute(Array(CommandLine.arguments.dropFirst(2)))
    case "--version": print("usherd \(BrokerDaemon.version)")
    case "--help", "-h": print(help)
    case .some(let argument):
      DaemonProcess.printError("usherd: unknown argument “\(argument)”\n\(help)")
      exit(64)
    }
  }

  /// Serves until one of `signals` arrives, and returns the exit status.
  @Sendable private static func serve(_ log: Logger, until signals: AsyncStream<Int32>) async -> Int32 {
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
    DaemonProcess.printError(
      "usherd: \(words.first ?? "no program") cannot be executed: \(String(cString: strerror(reason)))")
    // The exit status of systemd's own executor for a failed exec (systemd.exec(5), "Process Exit Codes").
    exit(203)
  }

  private static let help = """
    usage: usherd [--version | --help]

    Owns org.usher.Broker1 and org.usher.Handler on the session bus, and opens links for the programs that call it.
    D-Bus and systemd start it when it is needed. Exit status 69: no session bus is available. 71: a limit of the system, such as
    that of open files, prevents the start.
    """
}
