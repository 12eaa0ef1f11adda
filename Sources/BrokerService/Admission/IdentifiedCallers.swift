// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import DBus
import Systemd

/// The callers that were identified recently, each once for all calls of its connection.
@BrokerActor
final class IdentifiedCallers {
  /// The task that identifies the caller behind a connection.
  typealias Identifying = Task<Result<CallerContext, BusError>, Never>

  /// The identified caller of a connection, cached for the calls that follow.
  private struct CachedCaller {
    let identifying: Identifying
    /// A Boolean value that indicates whether the variables of its process are read.
    let readsEnvironment: Bool
  }

  private let identification: CallerIdentification
  private let environment: SessionEnvironment
  /// The callers that were identified recently, by connection: also of connections without a call that waits.
  private var identified: RecentValues<BusName, CachedCaller>
  /// The credentials of the connections that recently made calls which need no admission.
  private var credentials: RecentValues<BusName, Task<Result<CallerCredentials?, BusError>, Never>>
  /// The relays that were identified, by connection.
  ///
  /// They are believed for long, because a connection belongs to one process, and one that was a relay has rights of its own never again,
  /// whatever program it executes.
  private var relays = RecentValues<BusName, CallerCredentials>(
    trust: BrokerLimits.relayTrust, capacity: BrokerLimits.maximumCachedCallers)
  /// The number of the bus, which counts those that were lost.
  private(set) var busNumber = 0

  /// Creates an empty list.
  ///
  /// - Parameter trust: The time for which an identified caller is believed.
  init(
    identifyingBy identification: CallerIdentification, in environment: SessionEnvironment, trust: Duration
  ) {
    self.identification = identification
    self.environment = environment
    identified = RecentValues(trust: trust, capacity: BrokerLimits.maximumCachedCallers)
    credentials = RecentValues(trust: trust, capacity: BrokerLimits.maximumCachedCallers)
  }

  /// Identifies the caller behind a connection, unless an earlier call of the connection has started that.
  ///
  /// - Parameter readsEnvironment: Whether the call has no session of its own, so that the process of the caller is asked.
  func caller(of connection: BusName, readsEnvironment: Bool) -> Identifying {
    if let known = identified[connection], known.readsEnvironment || !readsEnvironment {
      return known.identifying
    }
    let identifying = identify(.connection(connection), readsEnvironment: readsEnvironment)
    identified.keep(
      CachedCaller(identifying: identifying, readsEnvironment: readsEnvironment), for: connection)
    return identifying
  }

  /// Identifies a peer of the open socket.
  ///
  /// A peer sends only one request, and is identified for it alone.
  ///
  /// - Parameter turn: Waits until the peer may be identified.
  func caller(of peer: SeqPacketConnection, after turn: @escaping @BrokerActor () async -> Void)
    -> Identifying
  {
    identify(.peer(peer), after: turn, readsEnvironment: false)
  }

  /// Returns the credentials of a connection whose call needs no admission; `nil` if they cannot be read safely.
  ///
  /// The calls of a connection share one identification, however many wait, for the time for which a caller is believed.
  ///
  /// - Throws: `AccessDenied` if the caller is another user, or may be one.
  func facts(of connection: BusName) async throws(BusError) -> CallerCredentials? {
    if let known = credentials[connection] { return try await known.value.get() }
    let identifying = BrokerActor.loop.start { [identification] in
      do throws(BusError) {
        return Result<CallerCredentials?, BusError>.success(try await identification.facts(of: connection))
      } catch {
        return .failure(error)
      }
    }
    credentials.keep(identifying, for: connection)
    return try await identifying.value.get()
  }

  /// Forgets the callers of all connections, because the bus was lost and the next one gives their unique names to others.
  func forgetConnections() {
    busNumber += 1
    identified.removeAll()
    credentials.removeAll()
    relays.removeAll()
  }

  /// Starts to identify the caller and to query the environment, both concurrently.
  private func identify(
    _ endpoint: CallerEndpoint, after turn: (@BrokerActor () async -> Void)? = nil, readsEnvironment: Bool
  ) -> Identifying {
    let environment = BrokerActor.loop.start { [environment] in await environment.current() }
    return BrokerActor.loop.start { [self, identification, busNumber] in
      if let turn { await turn() }
      do throws(BusError) {
        if case .connection(let connection) = endpoint, let relay = relays[connection] {
          return .success(CallerContext(facts: relay, environment: await environment.value))
        }
        let found = try await identification.look(at: endpoint)
        if case .connection(let connection) = endpoint, let facts = found?.facts, facts.isRelay,
          busNumber == self.busNumber
        {
          relays.keep(facts, for: connection)
        }
        // Started at once, because the caller may exit soon.
        let own = readsEnvironment ? found.flatMap { identification.session(of: $0.process, $0.facts) } : nil
        return .success(
          CallerContext(facts: found?.facts, environment: await environment.value, ownSession: own))
      } catch {
        return .failure(error)
      }
    }
  }
}
