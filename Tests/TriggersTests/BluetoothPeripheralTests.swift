// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing
import Triggers

/// Services that applications offer to Bluetooth devices.
@Suite struct `A Bluetooth peripheral` {
  private let battery: BluetoothUUID
  private let level: BluetoothUUID
  private let id: BluetoothCharacteristicID

  init() throws {
    battery = try #require(BluetoothUUID("180f"))
    level = try #require(BluetoothUUID("2a19"))
    id = BluetoothCharacteristicID(service: battery, characteristic: level)
  }

  private func peripheral(_ characteristic: BluetoothCharacteristic) -> BluetoothPeripheral {
    BluetoothPeripheral(
      identifier: "lamp", services: [BluetoothService(battery, characteristics: [characteristic])],
      advertisement: BluetoothAdvertisement(localName: "Lamp", services: [battery]))
  }

  @Test func `and its events are read from what they write`() throws {
    let known = peripheral(
      BluetoothCharacteristic(
        level, properties: [.read, .write, .notify], permissions: [.writeEncryptionRequired], value: [75]))
    #expect(try BluetoothPeripheral(known.entries) == known)
    #expect(try BluetoothPeripheral(PropertyList(json: known.propertyList.json)) == known)
    let device = BluetoothAddress("00:1A:7D:DA:71:13")
    for kind in [
      BluetoothPeripheralEvent.Kind.read, .write([1, 2], offset: 3), .subscribed, .unsubscribed,
    ] {
      for device in [device, nil] {
        let event = BluetoothPeripheralEvent(kind, of: id, by: device, for: known)
        let payload = event.payload(date: WallTime(milliseconds: 1_000))
        #expect(BluetoothPeripheralEvent(payload) == event)
        #expect(BluetoothPeripheralEvent(try PropertyList(json: payload.json)) == event)
        #expect(payload["identifiers"] == ["lamp"] && payload["date"] == 1_000)
      }
    }
    #expect(BluetoothPeripheralEvent(["lamp"]) == nil)
    #expect(BluetoothCharacteristicID(id.text) == id && BluetoothCharacteristicID("180f") == nil)
  }

  @Test func `has the flags of BlueZ, and is registered without its values`() {
    let characteristic = BluetoothCharacteristic(
      level, properties: Set(BluetoothCharacteristic.Property.allCases),
      permissions: Set(BluetoothCharacteristic.Permission.allCases), value: [1])
    #expect(
      characteristic.flags == [
        "read", "write-without-response", "write", "notify", "indicate", "encrypt-read", "encrypt-write",
      ])
    var other = peripheral(characteristic)
    other.services[0].characteristics[0].value = [2]
    #expect(peripheral(characteristic).services != other.services)
    #expect(
      peripheral(characteristic).services.map(\.withoutValues) == other.services.map(\.withoutValues))
  }

  @Test func `allows devices the operations of its characteristics, within their lengths`() throws {
    let readable = BluetoothCharacteristic(level, properties: [.read])
    let writable = BluetoothCharacteristic(level, properties: [.writeWithoutResponse])
    try readable.checkRead()
    try writable.checkWrite([], at: 0)
    try writable.checkWrite([UInt8](repeating: 1, count: 500), at: 12)
    #expect(throws: BluetoothAttributeError.writeNotPermitted) { try readable.checkWrite([1], at: 0) }
    #expect(throws: BluetoothAttributeError.readNotPermitted) { try writable.checkRead() }
    for (count, offset, error) in [
      (513, 0, BluetoothAttributeError.invalidAttributeValueLength), (500, 13, .invalidAttributeValueLength),
      (1, 512, .invalidAttributeValueLength), (0, 513, .invalidOffset), (1, -1, .invalidOffset),
      (1, .max, .invalidOffset),
    ] {
      #expect(throws: error, "\(count) \(offset)") {
        try writable.checkWrite([UInt8](repeating: 1, count: count), at: offset)
      }
    }
    #expect(try BluetoothCharacteristic.part(of: [1, 2, 3], from: 1) == [2, 3])
    #expect(try BluetoothCharacteristic.part(of: [1, 2, 3], from: 3) == [])
    for offset in [4, -1, .max] {
      #expect(throws: BluetoothAttributeError.invalidOffset) {
        try BluetoothCharacteristic.part(of: [1, 2, 3], from: offset)
      }
    }
  }

  @Test func `gets a new value, which belongs to one of its characteristics`() throws {
    let known = peripheral(BluetoothCharacteristic(level, properties: [.read], value: [75]))
    let update = BluetoothValueUpdate([74], of: level, identifier: "lamp")
    #expect(try BluetoothValueUpdate(update.entries) == update)
    let (changed, target) = try known.updated(by: update)
    #expect(changed[id]?.value == [74] && target == id)
    let other = try #require(BluetoothUUID("2a00"))
    for wrong in [
      BluetoothValueUpdate([74], of: other, identifier: "lamp"),
      BluetoothValueUpdate([74], of: level, in: other, identifier: "lamp"),
    ] { #expect(throws: MessageError.self) { try known.updated(by: wrong) } }
    #expect(throws: MessageError.self) {
      try BluetoothValueUpdate(["identifier": "lamp", "characteristic": "2a19"])
    }
  }

  private static func service(_ entries: PropertyList...) -> PropertyList {
    ["identifier": "a", "services": [["uuid": "180f", "characteristics": .array(entries)]]]
  }

  @Test(
    arguments: [
      ([:], "identifier"), (["identifier": "a"], "services"),
      (["identifier": "a", "services": [["uuid": "heart"]]], "services[0].uuid"),
      (["identifier": "a", "services": [["primary": true]]], "services[0].uuid"),
      (["identifier": "a", "services": [["uuid": "1800"]]], "services[0].uuid"),
      (["identifier": "a", "services": [["uuid": "1801"]]], "services[0].uuid"),
      (["identifier": "a", "services": [["uuid": "180f"], ["uuid": "0000180f"]]], "services"),
      (["identifier": "a", "services": ["180f"]], "services[0]"),
      (service(["uuid": "2a19"]), "characteristics[0].properties"),
      (service(["uuid": "2a19", "properties": ["fly"]]), "characteristics[0].properties[0]"),
      (service(["uuid": "2a19", "properties": ["encrypt-read"]]), "characteristics[0].properties"),
      (
        service(["uuid": "2a19", "properties": ["write-without-response", "encrypt-write"]]),
        "characteristics[0].properties"
      ),
      (service(["uuid": "2a19", "properties": ["read"], "value": "75"]), "characteristics[0].value"),
      (
        service(["uuid": "2a19", "properties": ["read"], "value": .data([UInt8](repeating: 7, count: 513))]),
        "characteristics[0].value"
      ),
      (
        service(["uuid": "2a19", "properties": ["read"]], ["uuid": "2A19", "properties": ["read"]]),
        "services[0].characteristics"
      ),
      (["identifier": "a", "advertisement": ["local-name": "123456789012345678901234567890"]], "local-name"),
      (["identifier": "a", "advertisement": ["services": ["7"]]], "advertisement.services[0]"),
    ] as [(PropertyList, String)])
  func `that is wrong has an error that names the key and no value`(value: PropertyList, key: String) {
    let error = #expect(throws: MessageError.self) { try BluetoothPeripheral(value) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(key), "\(String(describing: error))")
    #expect("\(error.map { "\($0)" } ?? "")".contains("7, 7") == false)
  }

  @Test func `has limits`() throws {
    func uuid(_ number: Int) -> String { String(0x2000 + number, radix: 16) }
    func peripheral(services: Int, characteristics: Int, bytes: Int) -> PropertyList {
      let values: [PropertyList] = (0..<characteristics).map {
        [
          "uuid": .string(uuid($0)), "properties": ["read"],
          "value": .data([UInt8](repeating: 0, count: bytes)),
        ]
      }
      let services: [PropertyList] = (0..<services).map {
        ["uuid": .string(uuid($0)), "characteristics": .array(values)]
      }
      return ["identifier": "a", "services": .array(services)]
    }
    _ = try BluetoothPeripheral(peripheral(services: 8, characteristics: 16, bytes: 1))
    _ = try BluetoothPeripheral(peripheral(services: 2, characteristics: 16, bytes: 512))
    for (services, characteristics, bytes) in [(9, 1, 1), (1, 17, 1), (8, 16, 512)] {
      #expect(throws: MessageError.self) {
        try BluetoothPeripheral(
          peripheral(services: services, characteristics: characteristics, bytes: bytes))
      }
    }
    // An update cannot make a peripheral larger than one that is added.
    var grown = try BluetoothPeripheral(peripheral(services: 8, characteristics: 16, bytes: 0))
    #expect(throws: MessageError.self) {
      for id in grown.characteristics {
        let update = BluetoothValueUpdate(
          [UInt8](repeating: 0, count: 512), of: id.characteristic, in: id.service, identifier: "a")
        grown = try grown.updated(by: update).peripheral
      }
    }
    #expect(try BluetoothPeripheral(PropertyList(json: grown.propertyList.json)) == grown)
  }
}
