import DBus
import Launching
public import Logging
import Systemd

extension BrokerDaemon {
  /// The reason why a broker ended.
  public enum Ending: Hashable, Sendable {
    /// A signal requested the end.
    case stopped
    /// Another broker owns the names and serves the callers of both.
    case superfluous
    /// Another session has replaced this one, whose broker resumes the pending requests.
    case sessionReplaced
    /// The bus cannot be reached; the sentence names the bus and the error.
    case noBus(String)
  }

  /// The time for which the broker waits for a lost bus.
  ///
  /// The bus of a session that ended is not restored, and the broker must not outlive the session.
  private static let timeout = Duration.seconds(30)

  private enum Occurrence: Sendable {
    case asked
    case bus(BusConnection.Event)
    case gaveUp
  }

  private func serve(until signals: AsyncStream<Int32>) async -> Ending {
    let (occurrences, happened) = AsyncStream<Occurrence>.makeStream()
    let events = await bus.events()
    let watches = [
      loop.start { for await _ in signals { happened.yield(.asked) } },
      loop.start { for await event in events { happened.yield(.bus(event)) } },
    ]
    defer { for watch in watches { watch.cancel() } }
    var timeout: Task<Void, Never>?
    for await occurrence in occurrences {
      switch occurrence {
      case .asked: return .stopped
      case .gaveUp: return .noBus("the connection to the bus was lost, and reconnecting failed")
      case .bus(.lost):
        log.warning("the connection to the bus was lost")
        // Nothing can be delivered without the bus. The command then opens URLs by itself.
        leaveSocket()
        timeout = loop.start {
          if (try? await self.loop.sleep(for: Self.timeout)) != nil { happened.yield(.gaveUp) }
        }
      case .bus(.restored):
        timeout?.cancel()
        guard await !leavesToNextSession() else { return .sessionReplaced }
        guard await hasNames() else { return .superfluous }
        log.info("reconnected to the bus")
      }
    }
    return .stopped
  }

  /// Returns whether this broker owns both names, because another broker may have been started on the new bus.
  private func hasNames() async -> Bool {
    do throws(BusError) {
      return try await takeNames()
    } catch {
      return false
    }
  }

  /// Serves the user's bus until one of `signals` arrives, and notifies the service manager.
  ///
  /// - Parameter atCommit: As for `init`.
  public static func run(
    limits: BrokerLimits = BrokerLimits(), log: Logger, signals: AsyncStream<Int32>,
    atCommit: (@Sendable () -> Void)? = nil
  ) async -> Ending {
    do throws(BusError) {
      let bus = try await BusConnection.open(.user, on: .shared)
      let daemon = BrokerDaemon(
        on: bus, environment: LaunchEnvironment.current(), limits: limits, log: log, atCommit: atCommit)
      guard try await daemon.start() else { return .superfluous }
      ServiceNotification.ready.send()
      bus.loop.sendKeepAlives()
      let ending = await daemon.serve(until: signals)
      ServiceNotification.stopping.send()
      await daemon.stop()
      await bus.close()
      return ending
    } catch {
      return .noBus("\(error)")
    }
  }
}
