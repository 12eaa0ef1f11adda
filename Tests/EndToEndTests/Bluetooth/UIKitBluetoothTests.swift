// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// The sample `Examples/UIKit/BluetoothRestoration` as a program, with a mock of BlueZ.
@Suite struct `A program with Core Bluetooth's code` {
  private static let id = "org.example.Belts"
  private let sample = UIKitSample(id: Self.id, product: "UIKitBluetoothRestoration", name: "belts")

  @Test func `is started for a device, and gets its restoration identifier and its state`() async throws {
    try await BluetoothRig.with { rig in
      let desk = rig.desk
      let pipe = try await sample.install(on: desk)
      try await desk.usher("grants", "allow", "--permission", "bluetooth", Self.id).orThrow()
      try await desk.usher("open", "--reason", "activate", "--app", Self.id, "--wait", "handled").orThrow()
      _ = try await pipe.line("ready")
      try await rig.waitUntil("the scan") { $0["centrals"]?.array?.count == 1 }
      try await rig.waitUntil(service: "active")
      // Warm.
      try await rig.addDevice()
      try await rig.advertise()
      #expect(try await pipe.line("found") == "found Belt")
      try await rig.waitUntil("the device") {
        $0["centrals"]?.array?.first?["disconnected"] == [.string(BluetoothRig.belt)]
      }
      try await sample.end(on: desk)
      // Cold: the restored state precedes all other calls.
      try await rig.setConnected(true)
      var lines: [String] = []
      while lines.last != "Belt connected" { lines.append(try await pipe.line("")) }
      #expect(
        lines == ["started for myCentralManagerIdentifier", "restores 1 180D", "ready", "Belt connected"],
        "\(lines)")
      try await rig.setConnected(false)
      #expect(try await pipe.line("Belt") == "Belt disconnected")
      try await sample.end(on: desk)
    }
  }
}

/// The sample `Examples/UIKit/BluetoothPeripheral` as a program, with a stand-in for BlueZ.
@Suite struct `A program with Core Bluetooth's code for a peripheral` {
  private static let id = "org.example.Lamp"
  private let sample = UIKitSample(id: Self.id, product: "UIKitBluetoothPeripheral", name: "lamp")

  @Test func `is started for a write, and gets its restoration identifier and its services`() async throws {
    try await BluetoothRig.with(hasBlueZ: false) { rig in
      let bluez = try await StandInBlueZ.start(on: rig.system)
      let desk = rig.desk
      let pipe = try await sample.install(on: desk)
      try await desk.usher("grants", "allow", "--permission", "bluetooth", Self.id).orThrow()
      try await desk.usher("open", "--reason", "activate", "--app", Self.id, "--wait", "handled").orThrow()
      _ = try await pipe.line("advertises")
      // Warm.
      #expect(try await bluez.read("2a56") == [50])
      #expect(try await pipe.line("read") == "read")
      try await bluez.subscribe(to: "2a56")
      _ = try await pipe.line("subscribed")
      try await bluez.write([7], to: "2a56")
      #expect(try await pipe.line("write") == "write 7")
      #expect(try await bluez.nextValue() == [7])
      try await sample.end(on: desk)
      // Cold: the restored state precedes all other calls.
      try await bluez.write([8], to: "2a56")
      var lines: [String] = []
      while lines.last?.hasPrefix("write") != true { lines.append(try await pipe.line("")) }
      #expect(
        lines == ["started for myPeripheralManagerIdentifier", "restores 1815", "ready", "write 8"],
        "\(lines)")
      #expect(try await bluez.nextValue() == [8])
      #expect(await bluez.advertised.count == 1)
      try await bluez.unsubscribe(from: "2a56")
      #expect(try await pipe.line("unsubscribed") == "unsubscribed")
      try await sample.end(on: desk)
      await bluez.end()
    }
  }
}
