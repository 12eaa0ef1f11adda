// SPDX-License-Identifier: Apache-2.0
import BrokerService
import Glibc
import Logging
import Systemd
import TriggerService

/// The daemon for notifications, downloads, locations and Bluetooth devices, which D-Bus or systemd starts.
@main
struct UsherTriggers {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case nil:
      OpenFilesLimit.raise()
      DaemonProcess.run(as: "usher-triggers", serve)
    case "--version": print("usher-triggers \(TriggersDaemon.version)")
    case "--help", "-h": print(help)
    case .some(let argument):
      DaemonProcess.printError("usher-triggers: unknown argument “\(argument)”\n\(help)")
      exit(64)
    }
  }

  /// Serves until one of `signals` arrives, or the daemon is idle, and returns the exit status.
  @Sendable private static func serve(_ log: Logger, until signals: AsyncStream<Int32>) async -> Int32 {
    switch await TriggersDaemon.run(
      localtime: TestFaults.localtime, log: log, signals: signals, atCommit: TestFaults.atCommit)
    {
    case .stopped: log.info("stopped")
    case .idle: log.info("there is no work for applications")
    case .superfluous: log.info("another daemon owns the bus name")
    case .noBus(let reason):
      log.critical("\(reason)")
      return 69
    }
    return 0
  }

  private static let help = """
    usage: usher-triggers [--version | --help]

    Owns org.usher.Triggers1 on the session bus, and shows notifications when they are due. It starts an application when the user
    acts on a notification, a push or a file has arrived, or the location or a Bluetooth device has changed. It receives downloads
    with curl. systemd starts it at login, and D-Bus when a program or a push distributor calls it. It runs while there is work for
    applications, and exits five seconds later; usher-triggers(8) lists the work. It connects to GeoClue and BlueZ only while an
    application monitors locations or devices, or offers Bluetooth services.
    Exit status 69: no session bus is available. 71: a limit of the system, such as that of open files, prevents the start.
    """
}
