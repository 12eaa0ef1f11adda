// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import Systemd
import TestSupport
import Testing
@testable import TriggerService
import Triggers

/// A monitored device whose state changes while the broker has not answered about another one.
@Suite struct `The change of a monitored device` {
  private static func device(_ number: Int, isConnected: Bool = false, services: Set<BluetoothUUID> = [])
    throws -> BluetoothDevice
  {
    let bytes = [number / 256, number % 256].map { String($0 + 256, radix: 16).suffix(2) }
    return BluetoothDevice(
      address: try #require(BluetoothAddress("00:00:00:00:\(bytes[0]):\(bytes[1])")), services: services,
      isConnected: isConnected, isAdvertising: true)
  }

  /// Runs `body` while the broker is asked about the discovery of device 1, and a central monitors device 0 and a service.
  ///
  /// - Returns: The event for the application about device 0.
  private static func event(
    before wasConnected: Bool,
    _ body: @escaping @BrokerActor @Sendable (BlueZClient, BluetoothUUID) throws -> Void
  ) async throws -> String? {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let (answer, asked) = (Gate(), AsyncStream<Void>.makeStream())
      let broker = try await BusConnection.open(.address(bus.address))
      let events = try await serveBroker(on: broker) {
        asked.continuation.yield()
        await answer.pass()
        return .allowed
      }
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      let watched = try device(0).address
      try await run(on: connection, desktop.environment, wasConnected: wasConnected) {
        try await withDeadline(Command.defaultDeadline, "the question") {
          _ = await asked.stream.first { _ in true }
        }
      } during: { client, service in
        try body(client, service)
        EventLoop.shared.start { await answer.open() }
      }
      let event = try await withDeadline(Command.defaultDeadline, "the event") {
        await events.compactMap { BluetoothEvent($0) }.first { $0.device.address == watched }
      }
      await connection.close()
      await broker.close()
      return event?.kind.rawValue
    }
  }

  /// Returns a monitor with its client of BlueZ.
  @BrokerActor private static func monitor(
    on bus: BusConnection, _ environment: [String: String]
  ) -> (BluetoothMonitor, BlueZClient) {
    let log = Logger(label: "test")
    let file = TriggerFile(in: BaseDirectories(environment: environment), log: log, atCommit: nil)
    let client = BlueZClient(on: .shared, at: .address("unix:path=/nonexistent"), log: log)
    let monitor = BluetoothMonitor(
      file: file, clock: TriggerClock(), sender: EventSender(on: bus, file: file, log: log, atStep: nil),
      permission: ApplicationPermission(.bluetooth, on: bus), blueZ: client, log: log)
    return (monitor, client)
  }

  @BrokerActor private static func run(
    on bus: BusConnection, _ environment: [String: String], wasConnected: Bool,
    untilAsked wait: @Sendable () async throws -> Void,
    during body: @BrokerActor @Sendable (BlueZClient, BluetoothUUID) throws -> Void
  ) async throws {
    let (monitor, client) = monitor(on: bus, environment)
    let service = try #require(BluetoothUUID("180f"))
    let watched = try device(0, isConnected: wasConnected)
    try monitor.add(
      BluetoothCentral(identifier: "c", devices: [watched.address], services: [service]),
      of: "org.example.Lamp", isOfUser: false)
    // Its first state is no event.
    client.changed(watched)
    client.changed(try device(1, services: [service]))
    try await wait()
    try body(client, service)
  }

  @Test func `is an event after the changes of any number of other devices`() async throws {
    let event = try await Self.event(before: false) { client, _ in
      client.changed(try Self.device(0, isConnected: true))
      for number in 2..<302 { client.changed(try Self.device(number)) }
    }
    #expect(event == "connected")
  }

  /// The client knows no device, so that the device is not connected when all are observed.
  @Test func `is found after more changes of others than wait for a decision`() async throws {
    let event = try await Self.event(before: true) { client, service in
      for number in 2..<302 { client.changed(try Self.device(number, services: [service])) }
    }
    #expect(event == "disconnected")
  }

  /// Connects and disconnects device 0, which a central of the user and one of the application itself monitor.
  @BrokerActor private static func reconnect(
    on bus: BusConnection, _ environment: [String: String], own: String, ofUser: String
  ) throws {
    let (monitor, client) = monitor(on: bus, environment)
    for (identifier, isOfUser) in [(own, false), (ofUser, true)] {
      try monitor.add(
        BluetoothCentral(identifier: identifier, devices: [try device(0).address]), of: "org.example.Lamp",
        isOfUser: isOfUser)
    }
    // The first state is no event.
    for isConnected in [false, true, false] { client.changed(try device(0, isConnected: isConnected)) }
  }

  @Test(arguments: [("a", "b"), ("b", "a")])
  func `is reported for the user's central, and not for that of an application without permission`(
    own: String, ofUser: String
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let broker = try await BusConnection.open(.address(bus.address))
      let payloads = try await serveBroker(on: broker) { .notDetermined }
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      try await Self.reconnect(on: connection, desktop.environment, own: own, ofUser: ofUser)
      let events = try await withDeadline(Command.defaultDeadline, "two events") {
        var events: [String] = []
        for await event in payloads.compactMap({ BluetoothEvent($0) }) {
          events.append("\(event.central.identifier) \(event.kind.rawValue)")
          if events.count == 2 { break }
        }
        return events
      }
      #expect(events == ["\(ofUser) connected", "\(ofUser) disconnected"])
      await connection.close()
      await broker.close()
    }
  }
}
