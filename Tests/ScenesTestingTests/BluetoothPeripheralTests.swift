// SPDX-License-Identifier: Apache-2.0
import ScenesTesting
import TestSupport
import Testing

/// A delegate that records the events of its peripheral manager.
private actor Events: PeripheralManagerDelegate {
  private(set) var all: [String] = []
  private let answer: [UInt8]?

  init(answer: [UInt8]? = nil) { self.answer = answer }

  func peripheralManager(_: PeripheralManager, willRestoreState peripheral: BluetoothPeripheral) {
    all.append("restore \(peripheral.identifier)")
  }
  func peripheralManager(_: PeripheralManager, didReceiveRead _: BluetoothReadRequest) -> [UInt8]? {
    all.append("read")
    return answer
  }
  func peripheralManager(_: PeripheralManager, didReceiveWrite request: BluetoothWriteRequest) {
    all.append("write \(request.value)")
  }
  func peripheralManager(_: PeripheralManager, didSubscribeTo _: BluetoothCharacteristicID) {
    all.append("subscribe")
  }
  func peripheralManager(_: PeripheralManager, didUnsubscribeFrom _: BluetoothCharacteristicID) {
    all.append("unsubscribe")
  }
}

@Suite struct `Bluetooth peripherals under test` {
  private struct Delegate: ApplicationDelegate {
    func application(_: Application, didReceive _: SceneRequest) async throws -> SceneResult { .notHandled }
  }

  private let battery: BluetoothUUID
  private let id: BluetoothCharacteristicID
  private let service: BluetoothService

  init() throws {
    battery = try #require(BluetoothUUID("180f"))
    let level = try #require(BluetoothUUID("2a19"))
    id = BluetoothCharacteristicID(service: battery, characteristic: level)
    service = BluetoothService(
      battery, characteristics: [BluetoothCharacteristic(level, properties: [.read, .write, .notify])])
  }

  @Test func `reach the delegate of the manager, which answers reads`() async throws {
    let app = TestApplication(delegate: Delegate())
    try await app.launch()
    let (manager, events) = (
      PeripheralManager(of: app.application, restorationIdentifier: "lamp"), Events(answer: [7])
    )
    manager.delegate = events
    await #expect(throws: SceneError.self) { try await manager.add(service) }
    #expect(try await manager.requestAuthorization())
    try await manager.add(service)
    try await manager.startAdvertising(localName: "Lamp", services: [battery])
    #expect(try await manager.publishedPeripheral() == app.bluetoothPeripherals.first)
    #expect(try await app.readValue(of: id, of: "lamp") == [7])
    #expect(try await app.writeValue([1, 2], to: id, of: "lamp") == .handled)
    try await manager.updateValue([3], for: id)
    #expect(app.sentBluetoothValues.isEmpty)
    try await app.setSubscribed(true, to: id, of: "lamp")
    try await manager.updateValue([4], for: id)
    #expect(app.sentBluetoothValues.map(\.value) == [[4]])
    try await app.setSubscribed(false, to: id, of: "lamp")
    // The stored value needs no answer.
    #expect(try await app.readValue(of: id, of: "lamp") == [4])
    #expect(await events.all == ["read", "write [1, 2]", "subscribe", "unsubscribe"])
    await #expect(throws: RequestFailure.self) {
      try await app.writeValue([UInt8](repeating: 0, count: 513), to: id, of: "lamp")
    }
    try await manager.stopAdvertising()
    try await manager.remove(battery)
    #expect(app.bluetoothPeripherals.isEmpty)
    try await manager.add(service)
    try await manager.removeAllServices()
    #expect(app.bluetoothPeripherals.isEmpty)
  }

  @Test func `wait for the manager with their identifier, which is restored first, except for reads`()
    async throws
  {
    let app = TestApplication(delegate: Delegate())
    let peripheral = BluetoothPeripheral(identifier: "lamp", services: [service])
    func deliver(_ kind: BluetoothPeripheralEvent.Kind) async throws -> SceneResult {
      let payload = BluetoothPeripheralEvent(kind, of: id, for: peripheral).payload(
        date: WallTime(milliseconds: 0))
      return try await app.deliver(.reason(.bluetoothPeripherals, payload))
    }
    _ = try await deliver(.write([1], offset: 0))
    #expect(try await deliver(.read) == .notHandled)
    let (other, others) = (PeripheralManager(of: app.application, restorationIdentifier: "other"), Events())
    other.delegate = others
    let (manager, events) = (PeripheralManager(of: app.application, restorationIdentifier: "lamp"), Events())
    manager.delegate = events
    // It is delivered after the events that have waited.
    #expect(try await deliver(.write([2], offset: 0)) == .handled)
    #expect(await events.all == ["restore lamp", "write [1]", "write [2]"])
    #expect(await others.all.isEmpty)
  }
}
