// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Logging
import Synchronization
import TestSupport
import Testing
@testable import TriggerService

/// A notification server that exits, or is replaced, while `usher-triggers` examines whether it is in a sandbox.
///
/// The server may be in a sandbox when it appears, because a file did not respond in time, but not when a notification is due.
@Suite struct `A notification server that is examined` {
  private static let name = NotificationsInterface.server.name

  /// The servers of a test, and the progress of their examination.
  private struct Servers: Sendable {
    let daemon: PrivateBus
    let bus: BusConnection
    let first: BusConnection
    let second: BusConnection
    /// The numbers of the examinations, when they begin.
    let examinations = Log()
    /// The gate that the second examination passes.
    let gate = Gate()
    /// `appeared` and `vanished`.
    let events = Log()
  }

  /// Runs `body` with two possible servers, of which none owns the name.
  private func run(
    _ body: @BrokerActor @Sendable (NotificationServer, Servers) async throws -> Void
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, daemon in
      // A server that reports its start, and fails.
      let program = try desktop.write(
        "#!/bin/sh\necho started\nexit 1\n", to: "bin/server", permissions: 0o755)
      try desktop.installActivation(Self.name.rawValue, exec: program)
      try await daemon.reload()
      func connect() async throws -> BusConnection {
        try await BusConnection.open(.address(daemon.address))
      }
      let servers = Servers(
        daemon: daemon, bus: try await connect(), first: try await connect(), second: try await connect())
      for (server, capability) in [(servers.first, "first"), (servers.second, "second")] {
        try await server.export(
          BusObject(
            NotificationsInterface.server.path,
            [.method(NotificationsInterface.getCapabilities) { _ async throws(BusError) in [capability] }]))
      }
      try await body(try await Self.start(servers), servers)
      for connection in [servers.bus, servers.first, servers.second] { await connection.close() }
    }
  }

  @BrokerActor private static func start(_ servers: Servers) async throws -> NotificationServer {
    let examinations = Mutex(0)
    let server = NotificationServer(on: servers.bus, log: Logger(label: "test")) { _ in
      let number = examinations.withLock { number in
        number += 1
        return number
      }
      servers.examinations.add("\(number)")
      if number == 2 { await servers.gate.pass() }
      return number == 1
    }
    try await server.start { event in
      switch event {
      case .appeared: servers.events.add("appeared")
      case .vanished: servers.events.add("vanished")
      case .invoked, .replied, .closed: break
      }
    }
    return server
  }

  /// Returns a call of the first server that waits for its second examination.
  @BrokerActor private static func call(
    _ server: NotificationServer, _ servers: Servers
  ) async throws -> Task<Set<String>, any Error> {
    #expect(try await servers.first.requestName(name) == .owned)
    #expect(try await servers.examinations.next() == "1")
    #expect(try await servers.events.next() == "vanished")
    let call = Task { try await server.capabilities() }
    #expect(try await servers.examinations.next() == "2")
    return call
  }

  /// Each later notification was sent to the server that had exited, and none was started.
  @Test func `is not used after its exit, and another one is started for the next notification`() async throws
  {
    try await run { server, servers in
      let call = try await Self.call(server, servers)
      let owners = try await servers.bus.owners(of: Self.name)
      try await servers.first.releaseName(Self.name)
      _ = try await withDeadline(Command.defaultDeadline, "the end of the server") {
        await owners.first { $0 == nil }
      }
      await servers.gate.open()
      await #expect(throws: BusError.self) { try await call.value }
      #expect(server.owner == nil)
      await #expect(throws: BusError.self) { try await server.capabilities() }
      #expect(try await servers.daemon.line() == "started")
    }
  }

  @Test func `does not take the place of the server that has replaced it`() async throws {
    try await run { server, servers in
      let call = try await Self.call(server, servers)
      try await servers.first.releaseName(Self.name)
      #expect(try await servers.second.requestName(Self.name) == .owned)
      #expect(try await servers.events.next() == "appeared")
      await servers.gate.open()
      #expect(try await call.value == ["second"])
      #expect(try await server.capabilities() == ["second"])
    }
  }
}
