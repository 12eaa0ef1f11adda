// SPDX-License-Identifier: Apache-2.0
import BrokerService
import DBus
import Systemd
import TestSupport
import Testing
@testable import TriggerService

@Suite struct `A service of the system bus` {
  @Test func `is reached if it is stopped and started during the first connection`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      try await Self.restart(at: .address(bus.address))
    }
  }

  @BrokerActor private static func restart(at address: BusAddress) async throws {
    let service = SystemService("org.example.Absent", on: .shared, at: address)
    let (absences, absent) = AsyncStream<Void>.makeStream()
    service.changed = { if case .absent = $0 { absent.yield() } }
    service.start()
    // Tasks start in order, so that the connection has begun, and nothing of the bus is read before this one resumes.
    await EventLoop.shared.start {}.value
    service.stop { _ in }
    service.start()
    try await withDeadline(Command.defaultDeadline, "the state of the service") {
      _ = await absences.first { _ in true }
    }
    service.stop { _ in }
  }
}
