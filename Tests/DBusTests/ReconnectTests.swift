// SPDX-License-Identifier: Apache-2.0
@testable import DBus
import Systemd
import TestSupport
import Testing

@Suite struct `A lost bus` {
  static let name: BusName = "org.example.Steady"

  @Test func `Calls fail, and all is restored when the bus is back`() async throws {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let (gate, log) = (Gate(), Log())
    // The second address has the GUID of this bus, as in the environment of a program that the bus starts.
    let server = try await BusConnection.open(.address(desktop.busAddress))
    let client = try await BusConnection.open(.address(bus.address))
    try await server.export(Thing.object(gate: gate, log: log))
    #expect(try await server.requestName(Self.name) == .owned)
    let object = RemoteObject(Self.name, Thing.path)
    let signals = try await client.signals(Thing.ticked)
    let owners = try await client.owners(of: Self.name)
    #expect(try await owners.next() != nil)
    let (serverEvents, clientEvents) = (await server.events(), await client.events())
    let pending = Task {
      try await client.call(Thing.wait, at: object, timeout: nil)
    }
    #expect(try await log.next() == "called")

    await bus.kill()
    let error = await #expect(throws: BusError.self) { try await pending.value }
    #expect(error?.name == .disconnected)
    #expect(try await clientEvents.next() == .lost)
    #expect(try await serverEvents.next() == .lost)
    #expect(try await owners.next() == nil)
    let lost = await #expect(throws: BusError.self) { try await client.call(Thing.echo, at: object, "x") }
    #expect(lost?.name == .disconnected)

    let second = try await PrivateBus.start(in: desktop)
    #expect(try await serverEvents.next() == .restored)
    #expect(try await clientEvents.next() == .restored)
    #expect(try await owners.next() != nil)
    #expect(try await client.call(Thing.echo, at: object, "x") == "x")
    // The pending reply belongs to a call on the former bus, and has no recipient on the new one.
    await gate.open()
    try await server.emit(Thing.ticked, from: Thing.path, 9, "again")
    #expect(try await signals.next().values.0 == 9)

    // A second reconnection works like the first.
    await second.kill()
    #expect(try await serverEvents.next() == .lost)
    #expect(try await clientEvents.next() == .lost)
    let third = try await PrivateBus.start(in: desktop)
    #expect(try await serverEvents.next() == .restored)
    #expect(try await clientEvents.next() == .restored)
    #expect(try await client.call(Thing.echo, at: object, "y") == "y")
    await server.close()
    await client.close()
    await third.stop()
  }

  @Test func `A connection without reconnection is closed`() async throws {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let connection = try await BusConnection.open(.address(bus.address), reconnects: false)
    let events = await connection.events()
    await bus.kill()
    let all = try await withDeadline(Command.defaultDeadline, "the end of the events") {
      await events.reduce(into: [BusConnection.Event]()) { $0.append($1) }
    }
    #expect(all == [.lost])
  }

  @Test func `A stream of the events of a connection is removed when it is released`() async throws {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let connection = try await BusConnection.open(.address(bus.address))
    let kept = await connection.events()
    var released: AsyncStream<BusConnection.Event>? = await connection.events()
    #expect(await connection.observers.count == 2)
    withExtendedLifetime(released) {}
    released = nil
    try await withDeadline(Command.defaultDeadline, "the removal of the stream") {
      while await connection.observers.count > 1 {}
    }
    await bus.kill()
    #expect(try await kept.next() == .lost)
    await connection.close()
  }

  @Test func `A lost, unreferenced connection stops trying to reconnect`() async throws {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    var connection: BusConnection? = try await BusConnection.open(.address(bus.address))
    let events = try #require(await connection?.events())
    await bus.kill()
    #expect(try await events.next() == .lost)
    let reference = WeakReference(connection)
    connection = nil
    try await withDeadline(Command.defaultDeadline, "the end of the connection") { for await _ in events {} }
    #expect(reference.object == nil)
  }

  @Test func `Closing while the bus is lost ends the trying`() async throws {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let connection = try await BusConnection.open(.address(desktop.busAddress))
    let events = await connection.events()
    await bus.kill()
    #expect(try await events.next() == .lost)
    await connection.close()
    let second = try await PrivateBus.start(in: desktop)
    #expect(await events.first { _ in true } == nil)
    let error = await #expect(throws: BusError.self) { try await connection.owner(of: Self.name) }
    #expect(error?.name == .disconnected)
    await second.stop()
  }

  @Test func `A blocking connection reports the lost bus`() async throws {
    let desktop = try ThrowAwayDesktop()
    let bus = try await PrivateBus.start(in: desktop)
    let log = Log()
    let server = try await BusConnection.open(.address(bus.address), reconnects: false)
    try await server.export(Thing.object(log: log))
    #expect(try await server.requestName(Self.name) == .owned)
    let address = bus.address
    let call = Task.detached {
      let connection = try BlockingBusConnection(.address(address))
      try connection.call(Thing.wait, at: RemoteObject(Self.name, Thing.path), timeout: nil)
    }
    #expect(try await log.next() == "called")
    await bus.kill()
    let error = await #expect(throws: BusError.self) { try await call.value }
    #expect(error?.name == .disconnected)
    #expect(error?.attempt?.hasPrefix("org.example.Thing.Wait on") == true)
  }
}
