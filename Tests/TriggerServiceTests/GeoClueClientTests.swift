// SPDX-License-Identifier: Apache-2.0
import BrokerService
import DBus
import Logging
import Systemd
import TestSupport
import Testing
@testable import TriggerService

/// The client of GeoClue, with a mock of GeoClue that answers `Start` and `Stop` when the test allows it.
@Suite struct `A client of GeoClue` {
  @Test func `is created if monitoring ends and begins again while an agent asks the user`() async throws {
    try await ThrowAwayDesktop.withBus { _, bus in
      let (starts, start) = AsyncStream<Void>.makeStream()
      let (answered, stopped) = (Gate(), Gate())
      let server = try await BusConnection.open(.address(bus.address))
      let path: ObjectPath = "/org/freedesktop/GeoClue2/Client/1"
      try await server.export(
        BusObject(
          GeoClue.manager.path,
          [
            .method(GeoClue.getClient) { _ async throws(BusError) in path },
            .method(GeoClue.deleteClient) { _, _ async throws(BusError) in },
          ]))
      try await server.export(
        BusObject(
          path,
          [
            .method(GeoClue.start) { _ async throws(BusError) in
              start.yield()
              await answered.pass()
            },
            .method(GeoClue.stop) { _ async throws(BusError) in await stopped.pass() },
            .property(GeoClue.desktopID) { () async throws(BusError) in
              ""
            } set: { _ in
            },
            .property(GeoClue.accuracyLevel) { () async throws(BusError) in
              0
            } set: { _ in
            },
            .property(GeoClue.distanceThreshold) { () async throws(BusError) in
              0
            } set: { _ in
            },
          ]))
      #expect(try await server.requestName(GeoClue.busName) == .owned)
      do {
        try await Self.restart(at: .address(bus.address), starts) { await stopped.open() }
      } catch {
        for gate in [stopped, answered] { await gate.open() }
        throw error
      }
      await answered.open()
      await server.close()
    }
  }

  /// - Parameter stop: Answers `Stop`, after which the first client is deleted.
  @BrokerActor private static func restart(
    at address: BusAddress, _ starts: AsyncStream<Void>, stop: @Sendable () async -> Void
  ) async throws {
    let client = GeoClueClient(on: .shared, at: address, log: .init(label: "test"))
    let next = { @Sendable () async -> Void in _ = await starts.first { @Sendable _ in true } }
    client.start()
    try await withDeadline(Command.defaultDeadline, "the first start", next)
    client.stop()
    client.start()
    // The second connection has found GeoClue.
    try await withDeadline(Command.defaultDeadline, "the second connection") {
      while await client.status != .waitingForAgent { try await Task.sleep(for: .milliseconds(5)) }
    }
    await stop()
    try await withDeadline(Command.defaultDeadline, "the second start", next)
    client.stop()
  }
}
