import BrokerService
import DBus
import Glibc
import Launching
import Logging
import Systemd

/// The broker's daemon.
///
/// D-Bus or systemd starts it; by hand it does the same.
@main
struct Usherd {
  static func main() async {
    if CommandLine.arguments.dropFirst().contains("--version") {
      return print("usherd \(BrokerDaemon.version)")
    }
    LoggingSystem.bootstrap { JournalLogHandler(label: $0) }
    let log = Logger(label: "usherd")
    let signals = EventLoop.shared.signals([SIGTERM, SIGINT, SIGHUP])
    do {
      let bus = try await BusConnection.open(.user, on: .shared)
      let daemon = BrokerDaemon(on: bus, environment: LaunchEnvironment.current(), log: log)
      guard try await daemon.start() else {
        // A second activation file started us too; the first broker answers for both names.
        log.info("another broker has the names")
        exit(0)
      }
      ServiceNotification.ready.send()
      for await number in signals where number != SIGHUP { break }
      ServiceNotification.stopping.send()
      await bus.close()
    } catch {
      log.critical("\(error)")
      exit(69)
    }
  }
}
