// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import TestSupport
import Testing

/// The user's permission for Bluetooth devices, and services that an application offers to them.
@Suite struct `The permission for a Bluetooth peripheral` {
  private static func with(
    _ body: @Sendable (BluetoothRig, StandInBlueZ, IdentifiedApplication) async throws -> Void
  ) async throws {
    try await BluetoothRig.with(hasBlueZ: false) { rig in
      let bluez = try await StandInBlueZ.start(on: rig.system)
      try await body(rig, bluez, try IdentifiedApplication.install(on: rig.desk))
      await bluez.end()
    }
  }

  private static func peripheral(_ identifier: String = "lamp", _ uuid: String = "2a19") -> String {
    "{'identifier': <'\(identifier)'>, 'services': <[{'uuid': <'180f'>, 'characteristics': <[{'uuid': <'\(uuid)'>, 'properties': <['read', 'write']>, 'value': <[byte 75]>}]>}]>}"
  }

  @Test func `is needed to publish, to set a value and for each operation of a device`() async throws {
    try await Self.with { rig, bluez, application in
      let early = try await application.call("AddBluetoothPeripheral", [Self.peripheral()])
      #expect(early.errorOutput.contains("org.usher.Error.Denied"), "\(early)")
      try await rig.desk.usher("grants", "allow", "--permission", "bluetooth", application.id).orThrow()
      try await application.call("AddBluetoothPeripheral", [Self.peripheral()]).orThrow()
      #expect(try await bluez.read("2a19") == [75])
      let update = "{'identifier': <'lamp'>, 'characteristic': <'2a19'>, 'value': <[byte 74]>}"
      try await application.call("UpdateBluetoothValue", [update]).orThrow()
      #expect(try await bluez.read("2a19") == [74])
      try await rig.desk.usher("grants", "revoke", "--permission", "bluetooth", application.id).orThrow()
      let refused = StandInBlueZ.AttributeError(0x08)
      await #expect(throws: refused) { try await bluez.read("2a19") }
      await #expect(throws: refused) { try await bluez.write([1], to: "2a19") }
      let late = try await application.call("UpdateBluetoothValue", [update])
      #expect(late.errorOutput.contains("org.usher.Error.Denied"), "\(late)")
      let history = try await rig.desk.usher("history", "--json").orThrow().output
      #expect(!history.contains(application.id), "\(history)")
    }
  }

  @Test func `is for the application itself, and limited`() async throws {
    try await Self.with { rig, bluez, application in
      _ = try await ServedApplication.start(.application1, on: rig.desk)
      let update = "{'identifier': <'lamp'>, 'characteristic': <'2a00'>, 'value': <[byte 1]>}"
      for (method, arguments) in [
        ("AddBluetoothPeripheral", [Self.peripheral()]), ("UpdateBluetoothValue", [update]),
        ("RemoveBluetoothPeripherals", ["['lamp']"]), ("RemoveAllBluetoothPeripherals", []),
      ] {
        let other = try await application.call(method, for: ServedApplication.id, arguments)
        #expect(other.errorOutput.contains("AccessDenied"), "\(method): \(other)")
      }
      try await rig.desk.usher(
        "bluetooth", "publish", ServedApplication.id, "lamp", "180f", "2a00:read=07"
      ).orThrow()
      let seen = try await application.call("BluetoothPeripherals", for: nil).orThrow().output
      #expect(!seen.contains("180f") && !seen.contains(ServedApplication.id), "\(seen)")
      try await rig.desk.usher("grants", "allow", "--permission", "bluetooth", application.id).orThrow()
      let absent = try await application.call("UpdateBluetoothValue", [update])
      #expect(absent.errorOutput.contains("has no peripheral"), "\(absent)")
      for number in 0..<4 {
        try await application.call("AddBluetoothPeripheral", [Self.peripheral("\(number)")]).orThrow()
      }
      let more = try await application.call("AddBluetoothPeripheral", [Self.peripheral()])
      #expect(more.errorOutput.contains("org.usher.Error.TooMany"), "\(more)")
      // The value of the other application has not changed.
      #expect(try await bluez.read("2a00") == [7])
    }
  }
}
