// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import State
import Synchronization
import Systemd
import TestSupport
import Testing
@testable import TriggerService

/// The order of stored events, with a broker that does not accept those for one application until the test allows it.
@Suite struct `The events for an application` {
  private static let slow = "org.example.Slow"

  private static func event(_ id: String, to application: String) -> StoredEvent {
    StoredEvent(id: id, application: application, content: #"{"reason":"location","payload":{}}"#)
  }

  @Test func `are sent in order, and do not wait for those for another application`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let gate = Gate()
      let arrived = AsyncStream<String>.makeStream()
      let broker = try await BusConnection.open(.address(bus.address))
      try await broker.export(
        BusObject(
          BrokerInterface.broker.path,
          [
            .method(BrokerInterface.open) { _, _, options async throws(BusError) in
              arrived.continuation.yield(options["request-id"]?.string ?? "?")
              if options["target"]?.string == Self.slow { await gate.pass() }
              return [:]
            }
          ]))
      #expect(try await broker.requestName(BrokerInterface.busName) == .owned)
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      try await Self.send(on: connection, desktop.environment, arrived.stream) { await gate.open() }
      await connection.close()
      await broker.close()
    }
  }

  @BrokerActor private static func send(
    on bus: BusConnection, _ environment: [String: String], _ arrived: AsyncStream<String>,
    open: @escaping @Sendable () async -> Void
  ) async throws {
    let log = Logger(label: "test")
    let file = TriggerFile(in: BaseDirectories(environment: environment), log: log, atCommit: nil)
    let sender = EventSender(on: bus, file: file, log: log, atStep: nil)
    let (finished, finish) = AsyncStream<Void>.makeStream()
    sender.finished = { if sender.isIdle { finish.yield() } }
    for event in [
      event("slow-1", to: slow), event("slow-2", to: slow),
      event("fast-1", to: "org.example.Fast"), event("fast-2", to: "org.example.Fast"),
    ] { sender.send(event) }
    // An event that is not accepted in time is sent again.
    try await withDeadline(Command.defaultDeadline, "the events for the other application") {
      #expect(await arrived.first { $0 != "slow-1" } == "fast-1")
      #expect(await arrived.first { $0 != "slow-1" } == "fast-2")
    }
    await open()
    try await withDeadline(Command.defaultDeadline, "the second event for the slow application") {
      #expect(await arrived.first { $0 != "slow-1" } == "slow-2")
      _ = await finished.first { _ in true }
    }
  }
}
