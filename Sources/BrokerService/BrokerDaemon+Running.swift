import DBus
import Launching
public import Logging
import Systemd

extension BrokerDaemon {
  /// How a broker ended.
  public enum Ending: Hashable, Sendable {
    /// It was asked to stop.
    case stopped
    /// Another broker has the names; that one answers for both.
    case superfluous
    /// The bus cannot be reached; the sentence says which and why.
    case noBus(String)
  }

  /// Serves the user's bus until one of `signals` asks to stop, and tells the service manager how far it is.
  public static func run(log: Logger, signals: AsyncStream<Int32>) async -> Ending {
    do throws(BusError) {
      let bus = try await BusConnection.open(.user, on: .shared)
      let daemon = BrokerDaemon(on: bus, environment: LaunchEnvironment.current(), log: log)
      guard try await daemon.start() else { return .superfluous }
      ServiceNotification.ready.send()
      for await _ in signals { break }
      ServiceNotification.stopping.send()
      await bus.close()
      return .stopped
    } catch {
      return .noBus("\(error)")
    }
  }
}
