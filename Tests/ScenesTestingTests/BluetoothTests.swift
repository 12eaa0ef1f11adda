// SPDX-License-Identifier: Apache-2.0
import ScenesTesting
import TestSupport
import Testing

/// A delegate that records the events of its central manager.
private actor Events: CentralManagerDelegate {
  private(set) var all: [String] = []
  func centralManager(_: CentralManager, willRestoreState central: BluetoothCentral) {
    all.append("restore \(central.identifier)")
  }
  func centralManager(
    _: CentralManager, connectionEventDidOccur event: BluetoothConnectionEvent, for device: BluetoothDevice
  ) {
    all.append("\(event == .peerConnected ? "connect" : "disconnect") \(device.name ?? "")")
  }
  func centralManager(_: CentralManager, didDiscover device: BluetoothDevice) {
    all.append("discover \(device.name ?? "")")
  }
}

@Suite struct `Bluetooth devices under test` {
  private struct Delegate: ApplicationDelegate {
    func application(_: Application, didReceive _: SceneRequest) async throws -> SceneResult { .notHandled }
  }

  private let heartRate: BluetoothUUID
  private let belt: BluetoothDevice

  init() throws {
    heartRate = try #require(BluetoothUUID("180d"))
    belt = BluetoothDevice(
      address: try #require(BluetoothAddress("00:1A:7D:DA:71:13")), name: "Belt", services: [heartRate])
  }

  @Test func `reach the delegate of the manager`() async throws {
    let app = TestApplication(delegate: Delegate())
    try await app.launch()
    let (manager, events) = (
      CentralManager(of: app.application, restorationIdentifier: "belt"), Events()
    )
    manager.delegate = events
    #expect(try await manager.authorizationStatus() == .notDetermined)
    await #expect(throws: SceneError.self) { try await manager.scanForPeripherals(withServices: [heartRate]) }
    #expect(try await manager.requestAuthorization())
    #expect(try await manager.authorizationStatus() == .allowedAlways)
    try await manager.scanForPeripherals(withServices: [heartRate])
    await #expect(throws: RequestFailure.self) { try await app.connectDevice(belt, of: "belt") }
    #expect(try await app.bringDevice(belt, intoRangeOf: "belt") == .handled)
    try await manager.registerForConnectionEvents(of: [belt.address])
    #expect(
      app.bluetoothCentrals == [
        BluetoothCentral(identifier: "belt", devices: [belt.address], services: [heartRate])
      ])
    #expect(try await app.connectDevice(belt, of: "belt") == .handled)
    #expect(try await app.disconnectDevice(belt, of: "belt") == .handled)
    #expect(await events.all == ["discover Belt", "connect Belt", "disconnect Belt"])
    try await manager.stopScan()
    try await manager.registerForConnectionEvents(of: [])
    #expect(app.bluetoothCentrals.isEmpty)
  }

  @Test func `wait for the manager with their identifier, which is restored first`() async throws {
    let app = TestApplication(delegate: Delegate())
    let central = BluetoothCentral(identifier: "belt", devices: [belt.address])
    for kind in [BluetoothEvent.Kind.connected, .disconnected] {
      let payload = BluetoothEvent(kind, belt, for: central).payload(date: WallTime(milliseconds: 0))
      try await app.deliver(.reason(.bluetoothCentrals, payload))
    }
    let (other, others) = (CentralManager(of: app.application, restorationIdentifier: "other"), Events())
    other.delegate = others
    let (manager, events) = (CentralManager(of: app.application, restorationIdentifier: "belt"), Events())
    manager.delegate = events
    let payload = BluetoothEvent(.connected, belt, for: central).payload(date: WallTime(milliseconds: 0))
    // It is delivered after the events that have waited.
    try await app.deliver(.reason(.bluetoothCentrals, payload))
    #expect(await events.all == ["restore belt", "connect Belt", "disconnect Belt", "connect Belt"])
    manager.delegate = events
    #expect(await events.all.count == 4)
    #expect(await others.all.isEmpty)
  }
}
