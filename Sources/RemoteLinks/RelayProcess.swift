// SPDX-License-Identifier: Apache-2.0
public import BrokerCore
import BrokerService
import DBus
public import Logging
public import RemoteProtocol
import Systemd

/// The process of a relay, which serves one machine until its end is requested.
public enum RelayProcess {
  /// The reason why a relay has stopped.
  public enum Outcome: Hashable, Sendable {
    /// A signal, or the end of standard input, requested the end.
    case stopped
    /// The bus cannot be reached, or the connection was lost; the sentence names the reason.
    case noBus(String)
    /// The socket cannot be created; the sentence names the reason.
    case noSocket(String)
  }

  /// The end of a connection to the command that has started the relay, and holds the connection to the machine.
  public struct Parent: Sendable {
    /// The lines of the command.
    public let lines: AsyncStream<RelayLine>
    /// Sends a line to the command.
    public let send: @Sendable (RelayLine) -> Void

    /// Creates a connection.
    public init(lines: AsyncStream<RelayLine>, send: @escaping @Sendable (RelayLine) -> Void) {
      self.lines = lines
      self.send = send
    }
  }

  /// Serves a machine at a socket until a signal arrives, the input ends or the bus is lost.
  ///
  /// - Parameter parent: The command that has started the relay; it receives ``RelayLine/ready`` when clients can connect.
  public static func run(
    for machine: RemoteMachine, at path: String, log: Logger, until stops: AsyncStream<Void>, parent: Parent
  ) async -> Outcome {
    do throws(BusError) {
      let bus = try await BusConnection.open(.user, on: .shared, reconnects: false)
      let outcome = await serve(machine, at: path, on: bus, log: log, until: stops, parent: parent)
      await bus.close()
      return outcome
    } catch {
      return .noBus("\(error)")
    }
  }

  @BrokerActor private static func serve(
    _ machine: RemoteMachine, at path: String, on bus: BusConnection, log: Logger,
    until stops: AsyncStream<Void>, parent: Parent
  ) async -> Outcome {
    // The bus may be lost while the relay starts.
    let events = await bus.events()
    let relay = Relay(of: machine, on: bus, log: log, send: parent.send)
    do { try await relay.start(at: path) } catch let error as BusError {
      return .noBus("\(error)")
    } catch {
      return .noSocket("\(error)")
    }
    defer { relay.close() }
    let (outcomes, stopped) = AsyncStream<Outcome>.makeStream()
    let watches = [
      bus.loop.start { for await _ in stops { stopped.yield(.stopped) } },
      bus.loop.start { for await line in parent.lines { relay.receive(line) } },
      bus.loop.start {
        for await event in events where event == .lost {
          stopped.yield(.noBus("the connection to the bus was lost"))
        }
      },
    ]
    defer { for watch in watches { watch.cancel() } }
    log.info("ready", metadata: ["machine": "\(machine)"])
    parent.send(.ready)
    for await outcome in outcomes { return outcome }
    return .stopped
  }
}
