// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Services of applications that Bluetooth devices use, with a stand-in for BlueZ on a private system bus.
@Suite struct `A Bluetooth peripheral` {
  private static let battery = "0000180f-0000-1000-8000-00805f9b34fb"
  private static let level = "00002a19-0000-1000-8000-00805f9b34fb"

  /// Runs `body` with a stand-in for BlueZ.
  private static func with(
    _ body: @Sendable (BluetoothRig, StandInBlueZ) async throws -> Void
  ) async throws {
    try await BluetoothRig.with(hasBlueZ: false) { rig in
      let bluez = try await StandInBlueZ.start(on: rig.system)
      try await body(rig, bluez)
      await bluez.end()
    }
  }

  private static func publish(
    _ rig: BluetoothRig, _ characteristics: String..., service: String = "180f"
  ) async throws {
    try await rig.desk.run(
      "usher",
      ["bluetooth", "publish", ServedApplication.id, "lamp", service] + characteristics
    ).orThrow()
  }

  private static func application(_ rig: BluetoothRig) async throws -> ServedApplication {
    let application = try await ServedApplication.start(.application1, on: rig.desk)
    await application.gate.open()
    return application
  }

  private static func expect(
    _ envelope: Envelope, _ event: String, value: [UInt8]? = nil, device: String? = nil
  ) throws {
    #expect(envelope.reason == .bluetoothPeripherals)
    let payload = try #require(envelope.payload)
    #expect(payload["event"]?.string == event, "\(payload.json)")
    #expect(payload["identifiers"] == ["lamp"], "\(payload.json)")
    #expect(payload["service"]?.string == battery, "\(payload.json)")
    #expect(payload["value"]?.data == value, "\(payload.json)")
    #expect(payload["device"]?["address"]?.string == device, "\(payload.json)")
    #expect(payload["peripheral"]?["identifier"] == "lamp", "\(payload.json)")
    #expect(payload["date"]?.integer != nil)
  }

  @Test func `answers reads from its stored values, and refuses what its characteristics do not allow`()
    async throws
  {
    try await Self.with { rig, bluez in
      _ = try await ServedApplication.prepare(.application1, on: rig.desk, exec: "/bin/false")
      try await Self.publish(rig, "2a19:read,notify=4b", "2a56:write", "2a00:read=68656c6c6f")
      #expect(try await bluez.read("2a19") == [75])
      #expect(try await bluez.read("2a00") == Array("hello".utf8))
      #expect(try await bluez.read("2a00", offset: 3) == Array("lo".utf8))
      #expect(try await bluez.read("2a00", offset: 5) == [])
      for (offset, uuid, code): (UInt16, String, UInt8) in [(6, "2a00", 0x07), (0, "2a56", 0x02)] {
        await #expect(throws: StandInBlueZ.AttributeError(code)) {
          try await bluez.read(uuid, offset: offset)
        }
      }
      for (count, offset, uuid, code): (Int, UInt16, String, UInt8) in [
        (1, 0, "2a19", 0x03), (513, 0, "2a56", 0x0D), (500, 13, "2a56", 0x0D), (0, 513, "2a56", 0x07),
      ] {
        await #expect(throws: StandInBlueZ.AttributeError(code)) {
          try await bluez.write([UInt8](repeating: 1, count: count), to: uuid, offset: offset)
        }
      }
      try await rig.desk.usher("bluetooth", "update", ServedApplication.id, "lamp", "2a19", "4a").orThrow()
      #expect(try await bluez.read("2a19") == [74])
      let listed = try await rig.desk.usher("bluetooth", "services").orThrow().output
      #expect(
        listed.contains("\(ServedApplication.id)  lamp  \(Self.battery)/\(Self.level)  read,notify  4a\n"),
        "\(listed)")
      let wrong = try await rig.desk.usher("bluetooth", "update", ServedApplication.id, "lamp", "2a01", "4a")
      #expect(wrong.status == 64 && wrong.errorOutput.contains("characteristic"), "\(wrong)")
    }
  }

  @Test func `reaches the application when a device writes and subscribes`() async throws {
    try await Self.with { rig, bluez in
      let application = try await Self.application(rig)
      try await Self.publish(rig, "2a19:read,write,notify=4b")
      try await bluez.write([1, 2], to: "2a19")
      let written = try await application.nextEnvelope()
      try Self.expect(written, "write", value: [1, 2], device: StandInBlueZ.device)
      #expect(written.payload?["characteristic"]?.string == Self.level)
      #expect(written.callerRequestID?.hasPrefix("peripheral-") == true)
      // What a device writes, the application decides on.
      #expect(try await bluez.read("2a19") == [75])
      try await bluez.write([3], to: "2a19", offset: 7)
      #expect(try await application.nextEnvelope().payload?["offset"] == 7)
      // Nothing is sent without a subscription.
      try await rig.desk.usher("bluetooth", "update", ServedApplication.id, "lamp", "2a19", "01").orThrow()
      try await bluez.subscribe(to: "2a19")
      try Self.expect(try await application.nextEnvelope(), "subscribed")
      // BlueZ reports each device, and the application gets the first one.
      try await bluez.subscribe(to: "2a19")
      try await rig.desk.usher("bluetooth", "update", ServedApplication.id, "lamp", "2a19", "02").orThrow()
      #expect(try await bluez.nextValue() == [2])
      try await rig.waitUntilPublished("a subscription") {
        $0["subscribed"] == [.string("\(Self.battery)/\(Self.level)")]
      }
      try await bluez.unsubscribe(from: "2a19")
      try await bluez.unsubscribe(from: "2a19")
      try Self.expect(try await application.nextEnvelope(), "unsubscribed")
      try await rig.waitUntilPublished("no subscription") { $0["subscribed"] == [] }
    }
  }

  @Test func `asks the application for a value that is not stored`() async throws {
    try await Self.with { rig, bluez in
      let id = "org.example.DeskLamp"
      let pipe = try await Self.installLamp(rig)
      try await rig.desk.usher(
        "bluetooth", "publish", id, "lamp", "1815", "2a56:read,write",
        "--advertise", "--local-name", "Lamp"
      ).orThrow()
      // Cold: the write starts the script, after the device has its response.
      try await bluez.write([77], to: "2a56")
      #expect(try await pipe.next() == ["reason": "bluetooth-peripherals", "event": "write"])
      #expect(try await Self.readAgain("2a56", from: bluez) == [77])
      try await rig.desk.usher("bluetooth", "update", id, "lamp", "2a56", "07").orThrow()
      #expect(try await bluez.read("2a56") == [7])
      let advertised = await bluez.advertised
      #expect(advertised.count == 1)
      #expect(advertised.first?["LocalName"] == "Lamp" && advertised.first?["Type"] == "peripheral")
      #expect(
        advertised.first?["ServiceUUIDs"]?.strings == ["00001815-0000-1000-8000-00805f9b34fb"])
    }
  }

  @Test func `starts the application for a read, which gets the value when the application is ready`()
    async throws
  {
    try await Self.with { rig, bluez in
      _ = try await Self.installLamp(rig)
      try await rig.desk.usher(
        "bluetooth", "publish", "org.example.DeskLamp", "lamp", "1815", "2a56:read"
      ).orThrow()
      #expect(try await Self.readAgain("2a56", from: bluez) == [0])
    }
  }

  /// Installs the example in the shell, and returns the pipe with its lines.
  private static func installLamp(_ rig: BluetoothRig) async throws -> ReportPipe {
    let (desktop, id) = (rig.desk.desktop, "org.example.DeskLamp")
    let pipe = try await ReportPipe(id, in: desktop)
    let script = try desktop.installScript(
      "desk-lamp",
      "#!/bin/sh\nexec '\(BuiltProducts.repository)/Examples/bluetooth/desk-lamp' 2<>'\(pipe.path)'\n")
    try desktop.install("Examples/bluetooth/\(id).desktop", exec: script)
    return pipe
  }

  /// Reads as a device does, again after an error: a slow machine does not start an application within four seconds.
  private static func readAgain(_ uuid: String, from bluez: StandInBlueZ) async throws -> [UInt8] {
    try await withDeadline(Command.defaultDeadline, "a value") {
      while true {
        do { return try await bluez.read(uuid) } catch let error as StandInBlueZ.AttributeError {
          #expect(error.code == 0x0E)
        }
      }
    }
  }

  @Test func `fails a read if the application has no value`() async throws {
    try await Self.with { rig, bluez in
      let application = try await Self.application(rig)
      try await Self.publish(rig, "2a19:read")
      await #expect(throws: StandInBlueZ.AttributeError(0x0E)) { try await bluez.read("2a19") }
      try Self.expect(try await application.nextEnvelope(), "read", device: StandInBlueZ.device)
    }
  }

  @Test func `is published again after BlueZ, its adapter and the daemon were lost`() async throws {
    try await BluetoothRig.with(hasBlueZ: false) { rig in
      let application = try await Self.application(rig)
      try await Self.publish(rig, "2a19:read,write,notify=4b")
      try await rig.waitUntil(published: "not-running")
      #expect(
        try await rig.desk.usher("bluetooth", "services").errorOutput.contains("systemctl start bluetooth"))
      #expect(try await rig.desk.usher("doctor").output.contains("offers services to Bluetooth devices"))
      let first = try await StandInBlueZ.start(on: rig.system, hasAdapter: false)
      try await rig.waitUntil(published: "no-adapter")
      try await first.setAdapter(true)
      try await rig.waitUntilPublished("the service") { $0["published"] == true }
      #expect(await first.services == [Self.battery])
      try await first.subscribe(to: "2a19")
      try Self.expect(try await application.nextEnvelope(), "subscribed")
      // The subscriptions end with the adapter.
      try await first.setAdapter(false)
      try Self.expect(try await application.nextEnvelope(), "unsubscribed")
      try await first.setAdapter(true)
      try await first.subscribe(to: "2a19")
      try Self.expect(try await application.nextEnvelope(), "subscribed")
      // And with BlueZ.
      await first.end()
      try Self.expect(try await application.nextEnvelope(), "unsubscribed")
      let second = try await StandInBlueZ.start(on: rig.system)
      try await second.subscribe(to: "2a19")
      try Self.expect(try await application.nextEnvelope(), "subscribed")
      // And with the daemon, whose successor publishes what is stored.
      try await rig.daemon.kill()
      #expect(try await rig.list("services")["peripherals"]?.array?.count == 1)
      try Self.expect(try await application.nextEnvelope(), "unsubscribed")
      #expect(try await second.read("2a19") == [75])
      try await second.write([9], to: "2a19")
      try Self.expect(
        try await application.nextEnvelope(), "write", value: [9], device: StandInBlueZ.device)
      await second.end()
    }
  }

  @Test func `is registered while it is published, with no connection before and after`() async throws {
    try await Self.with { rig, bluez in
      _ = try await Self.application(rig)
      // The daemon runs for a badge, and has no connection to the system bus.
      try await rig.desk.usher("notify", ServedApplication.id, "--badge", "1").orThrow()
      #expect(try await rig.matchRules() == nil)
      try await Self.publish(rig, "2a19:read,notify=4b")
      try await Self.publish(rig, "2a19:read,notify=4b", service: "1815")
      _ = try await bluez.characteristic("2a19")
      try await rig.waitUntilPublished("both services") { $0["published"] == true }
      #expect(await bluez.services.count == 2)
      // The owner of the name, the objects in both directions, and the adapters.
      #expect(try await rig.matchRules()?.count == 4)
      // A changed service ends no subscription of another one.
      try await bluez.subscribe(to: "2a19")
      try await rig.waitUntilPublished("a subscription") { $0["subscribed"]?.array?.count == 1 }
      try await Self.publish(rig, service: "1816")
      try await rig.waitUntilPublished("three services") { $0["published"] == true }
      try await rig.waitUntilPublished("the subscription") { $0["subscribed"]?.array?.count == 1 }
      try await rig.desk.usher("bluetooth", "unpublish", ServedApplication.id, "--all").orThrow()
      try await withDeadline(Command.defaultDeadline, "no connection to the system bus") {
        while try await rig.matchRules() != nil { try await Task.sleep(for: .milliseconds(20)) }
      }
      try await withDeadline(Command.defaultDeadline, "no service") {
        while await !bluez.services.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
      }
      #expect(try await rig.list("services")["service"] == "off")
    }
  }

  @Test func `that BlueZ rejects is listed with the error, and tried again when there is room`() async throws
  {
    try await Self.with { rig, bluez in
      _ = try await Self.application(rig)
      for name in ["a", "b"] {
        try await rig.desk.usher(
          "bluetooth", "publish", ServedApplication.id, name, "180f", "--advertise", "--local-name", name
        ).orThrow()
      }
      let rejected = try await withDeadline(Command.defaultDeadline, "a rejected advertisement") {
        while true {
          let peripherals = try await rig.list("services")["peripherals"]?.array ?? []
          if let rejected = peripherals.first(where: { $0["error"] != nil }),
            peripherals.contains(where: { $0["advertised"] == true })
          {
            return rejected
          }
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      #expect(rejected["error"] == "org.bluez.Error.NotPermitted" && rejected["advertised"] == false)
      let listed = try await rig.desk.usher("bluetooth", "services")
      #expect(listed.errorOutput.contains("BlueZ rejects it (org.bluez.Error.NotPermitted)"), "\(listed)")
      let name = try #require(rejected["identifier"]?.string)
      try await rig.desk.usher(
        "bluetooth", "unpublish", ServedApplication.id, name == "a" ? "b" : "a"
      ).orThrow()
      try await rig.waitUntilPublished("the other advertisement") {
        $0["advertised"] == true && $0["error"] == nil
      }
      #expect(await bluez.advertised.first?["LocalName"] == .string(name))
    }
  }

  @Test func `is called only by BlueZ`() async throws {
    try await Self.with { rig, bluez in
      let application = try await Self.application(rig)
      try await Self.publish(rig, "2a19:read,write,notify=4b")
      let characteristic = try await bluez.characteristic("2a19")
      let root = characteristic.object.path.rawValue.split(separator: "/").dropLast(2).joined(separator: "/")
      let name = characteristic.object.name.rawValue
      let interface = "org.bluez.GattCharacteristic1"
      let path = characteristic.object.path.rawValue
      for (path, method, arguments) in [
        (path, "\(interface).ReadValue", ["@a{sv} {}"]),
        (path, "\(interface).WriteValue", ["@ay [1]", "@a{sv} {}"]),
        (path, "\(interface).StartNotify", []), (path, "\(interface).StopNotify", []),
        (path, "org.freedesktop.DBus.Properties.GetAll", [interface]),
        ("/\(root)", "org.freedesktop.DBus.ObjectManager.GetManagedObjects", []),
      ] {
        let result = try await rig.desk.run(
          "gdbus",
          [
            "call", "--address", rig.system.address, "--dest", name, "--object-path", path, "--method",
            method,
          ]
            + arguments)
        #expect(result.errorOutput.contains("only BlueZ may call this object"), "\(method): \(result)")
      }
      // The next event is that of BlueZ.
      try await bluez.write([9], to: "2a19")
      try Self.expect(
        try await application.nextEnvelope(), "write", value: [9], device: StandInBlueZ.device)
    }
  }

  @Test func `sends its values to BlueZ alone`() async throws {
    try await Self.with { rig, bluez in
      _ = try await Self.application(rig)
      try await Self.publish(rig, "2a19:read,notify=4b")
      try await bluez.subscribe(to: "2a19")
      try await rig.waitUntilPublished("a subscription") { $0["subscribed"]?.array?.count == 1 }
      let other = try await BusConnection.open(.address(rig.system.address))
      let signals = try await other.signals(PropertiesInterface.propertiesChanged)
      try await rig.desk.usher("bluetooth", "update", ServedApplication.id, "lamp", "2a19", "4d").orThrow()
      #expect(try await bluez.nextValue() == [77])
      // A signal for all programs would precede this one.
      try await bluez.bus.emit(
        PropertiesInterface.propertiesChanged, from: "/end", "org.bluez.Device1", [:], [])
      let seen = await signals.first { _ in true }
      #expect(seen?.path == "/end")
      await other.close()
    }
  }

  @Test func `is in no log, history or error`() async throws {
    try await Self.with { rig, bluez in
      let application = try await Self.application(rig)
      let program = try await RunningProgram.start(
        "sh", ["-c", "exec usher-triggers 2>&1"],
        environment: rig.desk.desktop.environment.merging([
          "DBUS_SYSTEM_BUS_ADDRESS": rig.system.address
        ]) { $1 })
      try await rig.desk.waitForOwner(of: TriggersInterface.busName)
      try await Self.publish(rig, "2a19:read,write,notify=c0ffee")
      try await bluez.write(Array("secret".utf8), to: "2a19")
      _ = try await application.nextEnvelope()
      let history = try await rig.desk.usher("history", "--json").orThrow().output
      #expect(history.contains("peripheral-"), "\(history)")
      #expect(!history.contains("7D:DA") && !history.contains("c2VjcmV0"), "\(history)")
      program.terminate()
      let output = await program.waitUntilExit().output
      #expect(
        !output.contains("7D:DA") && !output.contains("7D_DA") && !output.contains("secret"), "\(output)")
    }
  }
}
