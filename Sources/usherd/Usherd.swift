import BrokerService
import Glibc
import Logging
import Systemd

/// The broker's daemon.
///
/// D-Bus or systemd starts it; by hand it does the same.
@main
struct Usherd {
  static func main() async {
    switch CommandLine.arguments.dropFirst().first {
    case nil: await serve()
    case "--version": print("usherd \(BrokerDaemon.version)")
    case "--help", "-h": print(help)
    case .some(let argument):
      complain("usherd: “\(argument)” is not understood\n\(help)")
      exit(64)
    }
  }

  private static func serve() async {
    LoggingSystem.bootstrap { JournalLogHandler(label: $0) }
    let log = Logger(label: "usherd")
    let signals = EventLoop.shared.signals([SIGTERM, SIGINT])
    switch await BrokerDaemon.run(
      limits: TestFaults.limits, log: log, signals: signals, atCommit: TestFaults.atCommit)
    {
    case .stopped: log.info("stopped")
    // A second activation file may have started us too: the loser leaves without an error.
    case .superfluous: log.info("another broker has the names")
    case .noBus(let reason):
      log.critical("\(reason)")
      exit(69)
    }
  }

  private static func complain(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    write(STDERR_FILENO, bytes, bytes.count)
  }

  private static let help = """
    usage: usherd [--version | --help]

    Takes org.usher.Broker1 and org.usher.Handler on the user's bus and opens what it is asked to.
    D-Bus and systemd start it when it is needed; exit status 69 says that there is no bus.
    """
}
