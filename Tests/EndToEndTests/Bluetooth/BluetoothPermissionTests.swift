// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// The user's permission for Bluetooth devices, with a mock of BlueZ.
@Suite struct `The permission for Bluetooth devices` {
  private static func with(
    _ body: @Sendable (BluetoothRig, IdentifiedApplication) async throws -> Void
  ) async throws {
    try await BluetoothRig.with { rig in
      try await rig.addDevice()
      try await body(rig, try IdentifiedApplication.install(on: rig.desk))
    }
  }

  private static let central = "{'identifier': <'belt'>, 'devices': <['\(BluetoothRig.belt)']>}"

  @Test func `is asked once, stored as a grant, and needed to monitor a device`() async throws {
    try await Self.with { rig, application in
      let server = try await NotificationServer.start(on: rig.desk)
      let early = try await application.call("AddBluetoothCentral", [Self.central])
      #expect(early.errorOutput.contains("org.usher.Error.Denied"), "\(early)")
      #expect(
        early.errorOutput.contains("was not asked whether org.example.Notes may use Bluetooth devices"),
        "\(early)")
      #expect(
        try await application.call("BluetoothAuthorization").orThrow().output == "('not-determined',)\n")
      async let granted = application.call("RequestBluetoothAuthorization")
      #expect(try await server.next(1).text.contains("org.example.Notes asks to use Bluetooth devices"))
      try await server.press(0, of: 1)
      #expect(try await granted.orThrow().output == "(true,)\n")
      #expect(try await application.call("BluetoothAuthorization").orThrow().output == "('authorized',)\n")
      let listed = try await rig.desk.usher("grants", "list", "--permission", "bluetooth")
      #expect(listed.output == "allowed  bluetooth of org.example.Notes  without expiry\n", "\(listed)")
      try await application.call("AddBluetoothCentral", [Self.central]).orThrow()
      #expect(try await rig.list()["centrals"]?.array?.count == 1)
      #expect(
        try await application.call("LocationAuthorization").orThrow().output == "('not-determined',)\n")
    }
  }

  @Test func `that is revoked ends the events`() async throws {
    try await Self.with { rig, application in
      let served = try await ServedApplication.start(.application1, on: rig.desk)
      await served.gate.open()
      try await rig.desk.usher("grants", "allow", "--permission", "bluetooth", application.id).orThrow()
      try await application.call("AddBluetoothCentral", [Self.central]).orThrow()
      try await rig.desk.usher(
        "bluetooth", "add", ServedApplication.id, "belt", "--device", BluetoothRig.belt
      ).orThrow()
      try await rig.waitUntil("known states") { monitored in
        monitored["centrals"]?.array?.count == 2
          && monitored["centrals"]?.array?.allSatisfy { $0["disconnected"]?.array?.count == 1 } == true
      }
      try await rig.desk.usher("grants", "revoke", "--permission", "bluetooth", application.id).orThrow()
      try await rig.setConnected(true)
      // The user's own central needs no permission.
      #expect(try await served.nextEnvelope().payload?["event"] == "connected")
      let history = try await rig.desk.usher("history", "--json").orThrow().output
      #expect(history.contains(ServedApplication.id) && !history.contains(application.id), "\(history)")
    }
  }

  @Test func `is for the application itself, and limited`() async throws {
    try await Self.with { rig, application in
      _ = try await ServedApplication.start(.application1, on: rig.desk)
      for (method, arguments) in [
        ("AddBluetoothCentral", [Self.central]), ("RemoveAllBluetoothCentrals", []),
        ("RequestBluetoothAuthorization", []), ("BluetoothAuthorization", []),
      ] {
        let other = try await application.call(method, for: ServedApplication.id, arguments)
        #expect(other.errorOutput.contains("AccessDenied"), "\(method): \(other)")
      }
      try await rig.desk.usher(
        "bluetooth", "add", ServedApplication.id, "belt", "--device", BluetoothRig.belt
      ).orThrow()
      let seen = try await application.call("BluetoothCentrals", for: nil).orThrow().output
      #expect(!seen.contains("7D:DA") && !seen.contains(ServedApplication.id), "\(seen)")
      try await rig.desk.usher("grants", "allow", "--permission", "bluetooth", application.id).orThrow()
      for number in 0..<8 {
        try await application.call(
          "AddBluetoothCentral", ["{'identifier': <'\(number)'>, 'services': <['180d']>}"]
        ).orThrow()
      }
      let more = try await application.call("AddBluetoothCentral", [Self.central])
      #expect(more.errorOutput.contains("org.usher.Error.TooMany"), "\(more)")
    }
  }
}
