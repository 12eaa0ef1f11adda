// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Freedesktop
import Logging
import Synchronization
import Systemd
import TestSupport
import Testing
@testable import TriggerService
import Triggers

/// The limits of what Bluetooth devices can cause, with a broker that does not answer.
@Suite struct `The operations of Bluetooth devices` {
  private static let application = "org.example.Lamp"
  private static let key = MonitoredKey(application: application, identifier: "lamp")

  /// Runs `body` with a publisher and the characteristic that it publishes.
  ///
  /// - Parameter permission: The answer of the broker; `nil` if it gives none.
  private static func with(
    permission: PermissionStatus? = .allowed,
    _ body: @BrokerActor @Sendable (BluetoothPublisher, BluetoothCharacteristicID, Gate) async throws -> Void
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let gate = Gate()
      let broker = try await BusConnection.open(.address(bus.address))
      try await broker.export(
        BusObject(
          BrokerInterface.broker.path,
          [
            .method(BrokerInterface.requestPermission) { _, _, _, _ async throws(BusError) in
              guard let permission else { throw BusError(.failed, "no answer") }
              return permission.rawValue
            },
            .method(BrokerInterface.open) { _, _, _ async throws(BusError) in
              await gate.pass()
              throw BusError("org.usher.Error.NoHandler", "the test is over")
            },
          ]))
      #expect(try await broker.requestName(BrokerInterface.busName) == .owned)
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      try await run(body, on: connection, desktop.environment, gate)
      await connection.close()
      await broker.close()
    }
  }

  @BrokerActor private static func run(
    _ body: @BrokerActor @Sendable (BluetoothPublisher, BluetoothCharacteristicID, Gate) async throws -> Void,
    on bus: BusConnection, _ environment: [String: String], _ gate: Gate
  ) async throws {
    let log = Logger(label: "test")
    let file = TriggerFile(in: BaseDirectories(environment: environment), log: log, atCommit: nil)
    let server = GATTServer(on: .shared, at: .address("unix:path=/nonexistent"), log: log)
    let sender = EventSender(on: bus, file: file, log: log, atStep: nil)
    let publisher = BluetoothPublisher(
      file: file, clock: TriggerClock(), sender: sender,
      permission: ApplicationPermission(.bluetooth, on: bus), server: server, reads: BluetoothReads(on: bus))
    let service = try #require(BluetoothUUID("180f"))
    let uuid = try #require(BluetoothUUID("2a19"))
    let id = BluetoothCharacteristicID(service: service, characteristic: uuid)
    let characteristic = BluetoothCharacteristic(uuid, properties: [.read, .write, .notify])
    try publisher.add(
      BluetoothPeripheral(
        identifier: key.identifier, services: [BluetoothService(service, characteristics: [characteristic])]),
      of: application, isOfUser: true)
    try await body(publisher, id, gate)
    try publisher.remove(nil, of: application)
    await gate.open()
    try await withDeadline(Command.defaultDeadline, "the end of the deliveries") {
      while await !sender.isIdle { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  @Test func `are stored up to a limit, and then fail`() async throws {
    try await Self.with { publisher, id, _ in
      for number in 0..<64 {
        try await publisher.write([UInt8(number)], to: id, of: Self.key, at: 0, by: nil)
      }
      await #expect(throws: BluetoothAttributeError.unlikelyError) {
        try await publisher.write([64], to: id, of: Self.key, at: 0, by: nil)
      }
      await #expect(throws: BluetoothAttributeError.unlikelyError) {
        try await publisher.setSubscribed(true, to: id, of: Self.key)
      }
      #expect(publisher.peripherals[Self.key]?.subscriptions == [])
    }
  }

  @Test func `that ask for a value fail beyond a limit, while others wait for the application`() async throws
  {
    try await Self.with { publisher, id, gate in
      let failed = AsyncStream<Void>.makeStream()
      let reads = (0..<5).map { _ in
        EventLoop.shared.start {
          await #expect(throws: BluetoothAttributeError.unlikelyError) {
            try await publisher.read(id, of: Self.key, at: 0, by: nil)
          }
          failed.continuation.yield()
        }
      }
      // One fails at once, and the others when the broker answers.
      try await withDeadline(Command.defaultDeadline, "a failure") {
        _ = await failed.stream.first { _ in true }
      }
      await gate.open()
      for read in reads { await read.value }
    }
  }

  @Test(arguments: [
    (PermissionStatus?.none, BluetoothAttributeError.unlikelyError), (.denied, .insufficientAuthorization),
  ])
  func `fail without an answer of the broker, and without the permission`(
    permission: PermissionStatus?, error: BluetoothAttributeError
  ) async throws {
    try await Self.with(permission: permission) { publisher, id, _ in
      await #expect(throws: error) { try await publisher.write([1], to: id, of: Self.key, at: 0, by: nil) }
      await #expect(throws: error) { try await publisher.setSubscribed(true, to: id, of: Self.key) }
      await #expect(throws: error) { try await publisher.read(id, of: Self.key, at: 0, by: nil) }
    }
  }

  @Test func `need a peripheral and a characteristic that allows them`() async throws {
    try await Self.with { publisher, id, _ in
      let other = MonitoredKey(application: Self.application, identifier: "other")
      await #expect(throws: BluetoothAttributeError.unlikelyError) {
        try await publisher.write([1], to: id, of: other, at: 0, by: nil)
      }
      await #expect(throws: BluetoothAttributeError.invalidAttributeValueLength) {
        try await publisher.write([UInt8](repeating: 1, count: 513), to: id, of: Self.key, at: 0, by: nil)
      }
      let wrong = BluetoothCharacteristicID(service: id.service, characteristic: id.service)
      await #expect(throws: BluetoothAttributeError.unlikelyError) {
        try await publisher.setSubscribed(true, to: wrong, of: Self.key)
      }
    }
  }
}
