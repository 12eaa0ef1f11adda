// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing
import Triggers

/// Decisions on Bluetooth devices.
@Suite struct `A Bluetooth central` {
  private let headset: BluetoothAddress
  private let heartRate: BluetoothUUID

  init() throws {
    headset = try #require(BluetoothAddress("00:1a:7d:da:71:13"))
    heartRate = try #require(BluetoothUUID("180D"))
  }

  private static func time(_ seconds: Int64) -> WallTime { WallTime(milliseconds: seconds * 1_000) }

  @Test func `is informed of connections and disconnections, not of the state at the beginning`() {
    let central = BluetoothCentral(identifier: "headset", devices: [headset])
    for isConnected in [true, false] {
      var state = BluetoothCentralState()
      func observe(_ isConnected: Bool) -> [BluetoothEvent.Kind] {
        state.observe(
          BluetoothDevice(address: headset, isConnected: isConnected), by: central, at: Self.time(0))
      }
      #expect(observe(isConnected) == [])
      #expect(observe(isConnected) == [])
      #expect(observe(!isConnected) == [isConnected ? .disconnected : .connected])
      #expect(observe(!isConnected) == [])
    }
  }

  @Test func `is not informed of other devices`() throws {
    let central = BluetoothCentral(identifier: "headset", devices: [headset], services: [heartRate])
    var state = BluetoothCentralState()
    let other = BluetoothDevice(
      address: try #require(BluetoothAddress("00:00:00:00:00:01")),
      services: [try #require(BluetoothUUID("180a"))], isConnected: true, isAdvertising: true)
    #expect(state.observe(other, by: central, at: Self.time(0)) == [])
    #expect(state == BluetoothCentralState())
  }

  @Test func `discovers a device that advertises or offers a service, once in five minutes`() {
    let central = BluetoothCentral(identifier: "belt", services: [heartRate])
    var state = BluetoothCentralState()
    var device = BluetoothDevice(address: headset, services: [heartRate])
    func observe(_ seconds: Int64) -> [BluetoothEvent.Kind] {
      state.observe(device, by: central, at: Self.time(seconds))
    }
    #expect(observe(0) == [])
    device.isAdvertising = true
    #expect(observe(1) == [.discovered])
    #expect(observe(2) == [])
    device.isAdvertising = false
    #expect(observe(3) == [])
    // It flickers at the edge of the range.
    device.isAdvertising = true
    #expect(observe(4) == [])
    // It stays in range, which is no discovery.
    #expect(observe(400) == [])
    device.isAdvertising = false
    #expect(observe(401) == [])
    device.isConnected = true
    #expect(observe(402) == [.discovered])
    // A clock that was set back does not suppress a discovery for long.
    device.isConnected = false
    #expect(observe(10) == [])
    device.isConnected = true
    #expect(observe(11) == [.discovered])
  }

  @Test func `remembers a limited number of discoveries`() throws {
    let central = BluetoothCentral(identifier: "belt", services: [heartRate])
    var state = BluetoothCentralState()
    for number in 0..<1_000 {
      let digits = String(number, radix: 16)
      let text = String(repeating: "0", count: 12 - digits.count) + digits
      let pairs = stride(from: 0, to: 12, by: 2).map { String(text.dropFirst($0).prefix(2)) }
      let address = try #require(BluetoothAddress(pairs.joined(separator: ":")))
      let device = BluetoothDevice(address: address, services: [heartRate], isAdvertising: true)
      #expect(state.observe(device, by: central, at: WallTime(milliseconds: Int64(number))) == [.discovered])
      _ = state.observe(BluetoothDevice(address: address), by: central, at: Self.time(1))
    }
    #expect(state.discoveries.count == 256 && state.inRange.isEmpty)
  }

  @Test func `keeps its state in the file, and over a change of its devices`() throws {
    let central = BluetoothCentral(identifier: "all", devices: [headset], services: [heartRate])
    var state = BluetoothCentralState()
    let device = BluetoothDevice(
      address: headset, name: "Belt", services: [heartRate], isConnected: true, isAdvertising: true)
    #expect(state.observe(device, by: central, at: Self.time(1)) == [.discovered])
    var read = BluetoothCentralState(try PropertyList(json: state.propertyList.json))
    #expect(read == state && read.observed == [headset])
    read.replace(central, by: BluetoothCentral(identifier: "all", devices: [headset]))
    #expect(read.connections == [headset: true] && read.inRange.isEmpty && read.discoveries.isEmpty)
    read.replace(central, by: BluetoothCentral(identifier: "all", services: [heartRate]))
    #expect(read.connections.isEmpty)
    #expect(BluetoothCentralState("nonsense") == BluetoothCentralState())
  }

  @Test func `and its events are read from what they write`() throws {
    let central = BluetoothCentral(identifier: "all", devices: [headset], services: [heartRate])
    #expect(try BluetoothCentral(central.entries) == central)
    for kind in [BluetoothEvent.Kind.connected, .disconnected, .discovered] {
      let device = BluetoothDevice(
        address: headset, name: "Belt", services: [heartRate], isConnected: kind == .connected)
      let event = BluetoothEvent(kind, device, for: central)
      let payload = event.payload(date: Self.time(1))
      #expect(BluetoothEvent(payload) == event)
      #expect(payload["identifiers"] == ["all"] && payload["date"] == 1_000)
    }
    #expect(BluetoothEvent(["heart-rate"]) == nil)
  }

  @Test(arguments: [
    ("180d", "0000180d-0000-1000-8000-00805f9b34fb"),
    ("0000180D", "0000180d-0000-1000-8000-00805f9b34fb"),
    ("F000AA00-0451-4000-B000-000000000000", "f000aa00-0451-4000-b000-000000000000"), ("180", nil),
    ("180g", nil), ("", nil), ("0000180d-0000-1000-8000-00805f9b34f", nil), ("180d-0000", nil),
  ])
  func `has services by UUIDs of each length`(text: String, full: String?) {
    #expect(BluetoothUUID(text)?.text == full)
  }

  @Test(arguments: [
    "", "00:1A:7D:DA:71", "00:1A:7D:DA:71:1G", "001A7DDA7113", "00:1A:7D:DA:71:13:", "0:1:2:3:4:5",
  ])
  func `has devices by addresses`(text: String) {
    #expect(BluetoothAddress(text) == nil)
    #expect(headset.text == "00:1A:7D:DA:71:13")
  }

  @Test(
    arguments: [
      ([:], "identifier"), (["identifier": "a"], "devices"),
      (["identifier": "a", "devices": ["00:1A:7D:DA:71:XX"]], "devices[0]"),
      (["identifier": "a", "devices": "00:1A:7D:DA:71:13"], "devices"),
      (["identifier": "a", "services": ["180d", 7]], "services"),
      (["identifier": "a", "services": ["180d", "7"]], "services[1]"),
      (["identifier": "", "services": ["180d"]], "identifier"),
    ] as [(PropertyList, String)])
  func `that is wrong has an error that names the key and no address`(value: PropertyList, key: String) {
    let error = #expect(throws: MessageError.self) { try BluetoothCentral(value) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(key), "\(String(describing: error))")
    #expect("\(error.map { "\($0)" } ?? "")".contains("71:XX") == false)
  }

  @Test func `has limits`() throws {
    let services = (0..<17).map { Variant.string(String(4_096 + $0, radix: 16)) }
    #expect(throws: MessageError.self) {
      try BluetoothCentral(["identifier": .string("a"), "services": .array(of: "s", services)])
    }
  }
}
