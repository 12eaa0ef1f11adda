// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Synchronization
import TestSupport
import Testing

@testable import Scenes

/// Both changes began with the same state, so that the last one removed what the other had added.
@Suite struct `Two simultaneous changes` {
  /// A stand-in for `usher-triggers`, which answers no query until its gate is open.
  private struct Daemon {
    let bus: BusConnection
    /// Receives an event for each query.
    let queries = Log()
    let gate = Gate()

    init(on stage: Stage) async throws {
      bus = try await stage.connect()
      let stored = Mutex<[Variant]>([])
      let query: @Sendable (String) async -> [String: Variant] = { [queries, gate] key in
        let found = stored.withLock { $0 }
        queries.add(key)
        await gate.pass()
        return [key: .array(of: "a{sv}", found)]
      }
      let replace: @Sendable (String, [String: Variant]) -> Void = { application, entries in
        var entries = entries
        entries["application"] = .string(application)
        stored.withLock { [entries] in $0 = [.dictionary(entries)] }
      }
      try await bus.export(
        BusObject(
          TriggersInterface.path,
          [
            .method(TriggersInterface.bluetoothAuthorization) { _, _ async throws(BusError) in "authorized" },
            .method(TriggersInterface.bluetoothCentrals) { _ async throws(BusError) in
              await query("centrals")
            },
            .method(TriggersInterface.addBluetoothCentral) { _, id, entries async throws(BusError) in
              replace(id, entries)
            },
            .method(TriggersInterface.bluetoothPeripherals) { _ async throws(BusError) in
              await query("peripherals")
            },
            .method(TriggersInterface.addBluetoothPeripheral) { _, id, entries async throws(BusError) in
              replace(id, entries)
            },
          ]))
      #expect(try await bus.requestName(TriggersInterface.busName) == .owned)
    }
  }

  /// Begins the second change while the first one waits for the reply to its query.
  private func make(
    _ first: @escaping @Sendable (Application) async throws -> Void,
    then second: @escaping @Sendable (Application) async throws -> Void,
    check: @Sendable (Application) async throws -> Void
  ) async throws {
    try await Stage.withStage { stage in
      let daemon = try await Daemon(on: stage)
      let bus = try await stage.connect()
      let application = Application(
        Stage.id, by: BrokerClient(on: bus), triggers: TriggersClient(on: bus, of: Stage.id))
      let earlier = Task { try await first(application) }
      _ = try await daemon.queries.next()
      let later = Task.immediate { try await second(application) }
      // A query of the second change would arrive before this call.
      _ = try await application.triggers.bluetoothAuthorization()
      await daemon.gate.open()
      try await earlier.value
      try await later.value
      try await check(application)
    }
  }

  @Test func `of a central both have an effect, also by two managers`() async throws {
    let address = try #require(BluetoothAddress("00:1A:7D:DA:71:13"))
    let heartRate = try #require(BluetoothUUID("180d"))
    @Sendable func manager(_ application: Application) -> CentralManager {
      CentralManager(of: application, restorationIdentifier: "belt")
    }
    try await make {
      try await manager($0).registerForConnectionEvents(of: [address])
    } then: {
      try await manager($0).scanForPeripherals(withServices: [heartRate])
    } check: {
      let central = try await manager($0).monitoredCentral()
      #expect(central == BluetoothCentral(identifier: "belt", devices: [address], services: [heartRate]))
    }
  }

  @Test func `of a peripheral both have an effect`() async throws {
    let battery = try #require(BluetoothUUID("180f"))
    let level = try #require(BluetoothUUID("2a19"))
    let service = BluetoothService(
      battery, characteristics: [BluetoothCharacteristic(level, properties: [.read])])
    @Sendable func manager(_ application: Application) -> PeripheralManager {
      PeripheralManager(of: application, restorationIdentifier: "lamp")
    }
    try await make {
      try await manager($0).add(service)
    } then: {
      try await manager($0).startAdvertising(localName: "Lamp", services: [battery])
    } check: {
      let published = try await manager($0).publishedPeripheral()
      #expect(published.services.map(\.uuid) == [battery])
      #expect(published.advertisement?.localName == "Lamp")
    }
  }
}
