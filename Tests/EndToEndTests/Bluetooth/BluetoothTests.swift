// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Bluetooth devices and services, with a mock of BlueZ on a private system bus.
@Suite struct `A Bluetooth device` {
  private static func add(_ rig: BluetoothRig, _ identifier: String, _ more: String...) async throws {
    try await rig.desk.run("usher", ["bluetooth", "add", ServedApplication.id, identifier] + more).orThrow()
  }

  private static func application(_ rig: BluetoothRig) async throws -> ServedApplication {
    let application = try await ServedApplication.start(.application1, on: rig.desk)
    await application.gate.open()
    return application
  }

  /// Waits until the first state of a device is known, which is no event.
  private static func untilDisconnected(_ rig: BluetoothRig) async throws {
    try await rig.waitUntil("a known state") {
      $0["centrals"]?.array?.first?["disconnected"] == [.string(BluetoothRig.belt)]
    }
  }

  private static func expect(
    _ envelope: Envelope, _ event: String, of identifier: String, connected: Bool
  ) throws {
    #expect(envelope.reason == .bluetoothCentrals)
    #expect(envelope.callerRequestID?.hasPrefix("bluetooth-") == true)
    let payload = try #require(envelope.payload)
    #expect(payload["event"]?.string == event, "\(payload.json)")
    #expect(payload["identifiers"] == [.string(identifier)], "\(payload.json)")
    #expect(payload["central"]?["identifier"]?.string == identifier, "\(payload.json)")
    #expect(payload["device"]?["address"]?.string == BluetoothRig.belt, "\(payload.json)")
    #expect(payload["device"]?["connected"]?.boolean == connected, "\(payload.json)")
    #expect(payload["date"]?.integer != nil)
  }

  @Test func `reaches the application when it connects and disconnects`() async throws {
    try await BluetoothRig.with { rig in
      let application = try await Self.application(rig)
      try await rig.addDevice()
      try await rig.addDevice(BluetoothRig.other, "Headset")
      try await Self.add(rig, "belt", "--device", BluetoothRig.belt.lowercased())
      try await rig.waitUntil(service: "active")
      #expect(try await !rig.isDiscovering())
      try await Self.untilDisconnected(rig)
      try await rig.setConnected(true, BluetoothRig.other)
      try await rig.setConnected(true)
      let connected = try await application.nextEnvelope()
      try Self.expect(connected, "connected", of: "belt", connected: true)
      #expect(connected.payload?["device"]?["name"] == "Belt")
      let listed = try await rig.desk.usher("bluetooth", "list")
      #expect(
        listed.output == "\(ServedApplication.id)  belt  \(BluetoothRig.belt)  connected\n", "\(listed)")
      try await rig.setConnected(false)
      try Self.expect(try await application.nextEnvelope(), "disconnected", of: "belt", connected: false)
      // A device that is removed is not connected.
      try await rig.setConnected(true)
      try Self.expect(try await application.nextEnvelope(), "connected", of: "belt", connected: true)
      try await rig.removeDevice()
      try Self.expect(try await application.nextEnvelope(), "disconnected", of: "belt", connected: false)
    }
  }

  @Test func `reaches the application when it advertises a service`() async throws {
    try await BluetoothRig.with { rig in
      let application = try await Self.application(rig)
      try await Self.add(rig, "heart-rate", "--service", "180D")
      try await withDeadline(Command.defaultDeadline, "the discovery") {
        while try await !rig.isDiscovering() { try await Task.sleep(for: .milliseconds(20)) }
      }
      try await rig.addDevice(BluetoothRig.other, "Headset")
      try await rig.addDevice()
      try await rig.advertise()
      let found = try await application.nextEnvelope()
      try Self.expect(found, "discovered", of: "heart-rate", connected: false)
      #expect(found.payload?["device"]?["services"] == [.string(BluetoothRig.heartRate)])
      #expect(found.payload?["central"]?["services"] == [.string(BluetoothRig.heartRate)])
      let listed = try await rig.list()
      #expect(listed["centrals"]?.array?.first?["in-range"] == [.string(BluetoothRig.belt)])
      // The discovery ends with the need for it; the devices of another central are still followed.
      try await Self.add(rig, "belt", "--device", BluetoothRig.belt)
      try await rig.desk.usher("bluetooth", "remove", ServedApplication.id, "heart-rate").orThrow()
      try await withDeadline(Command.defaultDeadline, "the end of the discovery") {
        while try await rig.isDiscovering() { try await Task.sleep(for: .milliseconds(20)) }
      }
      try await Self.untilDisconnected(rig)
      try await rig.setConnected(true)
      try Self.expect(try await application.nextEnvelope(), "connected", of: "belt", connected: true)
    }
  }

  @Test func `is followed while it is monitored, with no connection before and after`() async throws {
    try await BluetoothRig.with { rig in
      _ = try await Self.application(rig)
      // The daemon runs for a badge, and has no connection to the system bus.
      try await rig.desk.usher("notify", ServedApplication.id, "--badge", "1").orThrow()
      #expect(try await rig.matchRules() == nil)
      try await Self.add(rig, "belt", "--device", BluetoothRig.belt)
      try await Self.add(rig, "more", "--service", "180d")
      try await rig.waitUntil(service: "active")
      let rules = try #require(try await rig.matchRules())
      // The owner of the name for the client and for its signals, two rules for objects, and one for each kind of object.
      #expect(rules.count == 6, "\(rules)")
      let removed = try await rig.desk.usher("bluetooth", "remove", ServedApplication.id, "belt", "bell")
        .orThrow()
      #expect(
        removed.errorOutput.contains("has no central “bell”") && !removed.errorOutput.contains("“belt”"),
        "\(removed)")
      #expect(try await rig.matchRules()?.count == 6)
      try await rig.desk.usher("bluetooth", "remove", ServedApplication.id, "--all").orThrow()
      try await withDeadline(Command.defaultDeadline, "no connection to the system bus") {
        while try await rig.matchRules() != nil { try await Task.sleep(for: .milliseconds(20)) }
      }
      #expect(try await !rig.isDiscovering())
      #expect(try await rig.list()["service"] == "off")
    }
  }

  @Test func `is known again after BlueZ, the system bus and the daemon were killed`() async throws {
    try await BluetoothRig.with(hasBlueZ: false) { rig in
      let application = try await Self.application(rig)
      try await Self.add(rig, "belt", "--device", BluetoothRig.belt)
      try await rig.waitUntil(service: "not-running")
      #expect(
        try await rig.desk.usher("bluetooth", "list").errorOutput.contains("systemctl start bluetooth"))
      #expect(try await rig.desk.usher("doctor").output.contains("does not run"))
      let first = try await rig.startBlueZ()
      try await rig.waitUntil(service: "active")
      try await Self.untilDisconnected(rig)
      try await rig.addDevice()
      try await rig.setConnected(true)
      try Self.expect(try await application.nextEnvelope(), "connected", of: "belt", connected: true)
      // The connection is lost with BlueZ, and noticed when the next one has read its devices.
      first.kill()
      _ = await first.waitUntilExit()
      try await rig.waitUntil(service: "not-running")
      let second = try await rig.startBlueZ()
      try Self.expect(try await application.nextEnvelope(), "disconnected", of: "belt", connected: false)
      try await rig.addDevice()
      // What changes while no daemon runs is noticed by the next one.
      try await rig.daemon.kill()
      try await rig.setConnected(true)
      try await rig.waitUntil(service: "active")
      try Self.expect(try await application.nextEnvelope(), "connected", of: "belt", connected: true)
      try await rig.turn(false)
      try await rig.waitUntil(service: "turned-off")
      #expect(try await rig.desk.usher("bluetooth", "list").errorOutput.contains("bluetoothctl power on"))
      second.kill()
      _ = await second.waitUntilExit()
      await rig.system.end()
      try await rig.waitUntil(service: "no-bus")
    }
  }

  @Test func `starts the example in the shell`() async throws {
    try await BluetoothRig.with { rig in
      let desktop = rig.desk.desktop
      let id = "org.example.HeadsetDiary"
      let pipe = try await ReportPipe(id, in: desktop)
      let script = try desktop.installScript(
        "headset-diary",
        "#!/bin/sh\nexec '\(BuiltProducts.repository)/Examples/bluetooth/headset-diary' 2<>'\(pipe.path)'\n")
      try desktop.install("Examples/bluetooth/\(id).desktop", exec: script)
      try await rig.addDevice()
      try await rig.desk.usher("bluetooth", "add", id, "headset", "--device", BluetoothRig.belt).orThrow()
      try await Self.untilDisconnected(rig)
      for (isConnected, event) in [(true, "connected"), (false, "disconnected")] {
        try await rig.setConnected(isConnected)
        #expect(try await pipe.next() == ["reason": "bluetooth-centrals", "event": .string(event)])
      }
      // The reply follows the line in the diary.
      try await withDeadline(Command.defaultDeadline, "the diary") {
        let diary = "\(desktop.dataHome)/headset-diary"
        while (try? String(contentsOfFile: diary, encoding: .utf8))?.hasSuffix("headset: Belt disconnected\n")
          != true
        { try await Task.sleep(for: .milliseconds(20)) }
      }
    }
  }

  @Test func `is in no log, history or error`() async throws {
    try await BluetoothRig.with { rig in
      let application = try await Self.application(rig)
      let program = try await RunningProgram.start(
        "sh", ["-c", "exec usher-triggers 2>&1"],
        environment: rig.desk.desktop.environment.merging([
          "DBUS_SYSTEM_BUS_ADDRESS": rig.system.address
        ]) { $1 })
      try await rig.desk.waitForOwner(of: TriggersInterface.busName)
      let broker = try await rig.desk.startBroker()
      let wrong = try await rig.desk.usher(
        "bluetooth", "add", ServedApplication.id, "belt", "--device", "00:1A:7D:DA:71:XX")
      #expect(wrong.status == 64 && !wrong.errorOutput.contains("71:XX"), "\(wrong)")
      try await rig.addDevice()
      try await Self.add(rig, "belt", "--device", BluetoothRig.belt)
      try await Self.untilDisconnected(rig)
      try await rig.setConnected(true)
      _ = try await application.nextEnvelope()
      let history = try await rig.desk.usher("history", "--json").orThrow().output
      #expect(history.contains("bluetooth-") && !history.contains("7D:DA"), "\(history)")
      program.terminate()
      let output = await program.waitUntilExit().output
      #expect(!output.contains("7D:DA") && !output.contains("7d:da"), "\(output)")
      _ = broker
    }
  }
}
