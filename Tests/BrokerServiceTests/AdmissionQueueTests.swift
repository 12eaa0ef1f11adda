// SPDX-License-Identifier: Apache-2.0
import DBus
import Systemd
import TestSupport
import Testing

@testable import BrokerService

@Suite struct `Admission` {
  /// The connections whose credentials the bus was asked for.
  @BrokerActor
  private final class Queries {
    private(set) var connections: [BusName] = []
    func add(_ connection: BusName) { connections.append(connection) }
  }

  @Test func `identifies each of several connections once, however their calls alternate`() async throws {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let connection = try await BusConnection.open(.address(bus.address))
    let queries = Queries()
    let identification = CallerIdentification(
      .init(
        credentials: { name async throws(BusError) in
          await queries.add(name)
          throw BusError(.nameHasNoOwner, "gone")
        }, isPrivate: true),
      on: .shared)
    let queue = await AdmissionQueue(
      identifyingBy: identification, in: SessionEnvironment(ofBroker: [:], bus: connection), undecided: 10,
      trust: .seconds(3_600))
    let callers: [BusName] = [":1.1", ":1.2", ":1.3"]
    for _ in 1...3 {
      for caller in callers {
        let (_, ticket) = try await queue.admit(.connection(caller))
        await ticket.release()
      }
    }
    #expect(await queries.connections == callers)
  }
}
