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
    /// Another session has begun where its own was; the broker of that goes on with what waits.
    case sessionReplaced
    /// The bus cannot be reached; the sentence says which and why.
    case noBus(String)
  }

  /// How long a bus that went may take to come back.
  ///
  /// A session that ended does not come back, and nothing of ours may outlive it.
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
      case .gaveUp: return .noBus("the bus went and did not come back")
      case .bus(.lost):
        log.warning("the bus went")
        // Nothing could be delivered; without the bus a command opens a link itself.
        leaveSocket()
        timeout = loop.start {
          if (try? await self.loop.sleep(for: Self.timeout)) != nil { happened.yield(.gaveUp) }
        }
      case .bus(.restored):
        timeout?.cancel()
        guard await !leavesToNextSession() else { return .sessionReplaced }
        guard await hasNames() else { return .superfluous }
        log.info("the bus is back")
      }
    }
    return .stopped
  }

  /// Whether both names are still ours: another broker may have been started on the new bus.
  private func hasNames() async -> Bool {
    do throws(BusError) {
      return try await takeNames()
    } catch {
      return false
    }
  }

  /// Serves the user's bus until one of `signals` asks to stop, and tells the service manager how far it is.
  ///
  /// - Parameter atCommit: as for `init`.
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
