// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// Regions and significant changes, with the real GeoClue on a private system bus and a receiver of the tests.
@Suite struct `A location that changes` {
  private static let home = ["--at", "48.137,11.575", "--radius", "1000"]

  private static func add(_ rig: LocationRig, _ identifier: String = "home", _ more: String...) async throws {
    try await rig.desk.run("usher", ["region", "add", ServedApplication.id, identifier] + home + more)
      .orThrow()
  }

  private static func application(_ rig: LocationRig) async throws -> ServedApplication {
    let application = try await ServedApplication.start(.application1, on: rig.desk)
    await application.gate.open()
    return application
  }

  @Test func `reaches the application when it enters and leaves a region`() async throws {
    try await LocationRig.with { rig in
      let application = try await Self.application(rig)
      try await Self.add(rig)
      try await Self.add(rig, "entries", "--on", "entry")
      try await rig.waitUntil(service: "active")
      // The first state is no event.
      try await rig.measure(48.2, 11.575)
      try await rig.waitUntil("outside")
      // The circle of accuracy reaches over the border, 890 m away.
      try await rig.measure(48.145, 11.575, dilution: 21)
      try await rig.measure(48.137, 11.5751)
      let entries = [try await application.nextEnvelope(), try await application.nextEnvelope()]
      for (envelope, identifier) in zip(entries, ["entries", "home"]) {
        #expect(envelope.reason == .location && envelope.delivery == .running)
        #expect(envelope.callerRequestID?.hasPrefix("location-") == true)
        let payload = try #require(envelope.payload)
        #expect(payload["event"] == "enter-region" && payload["region"]?["identifier"]?.string == identifier)
        #expect(payload["region"]?["radius"]?.real == 1_000 && payload["date"]?.integer != nil)
        #expect(payload["location"] == nil)
      }
      try await rig.measure(48.2, 11.575)
      let exit = try await application.nextEnvelope()
      #expect(exit.payload?["event"] == "exit-region" && exit.payload?["region"]?["identifier"] == "home")
      let listed = try await rig.desk.usher("region", "list")
      #expect(
        listed.output == """
          \(ServedApplication.id)  entries  48.137,11.575  1000.0  outside  entry
          \(ServedApplication.id)  home  48.137,11.575  1000.0  outside

          """, "\(listed)")
    }
  }

  @Test func `reaches the application when it is significant`() async throws {
    try await LocationRig.with { rig in
      let application = try await Self.application(rig)
      try await rig.desk.usher("region", "add", ServedApplication.id, "--significant-changes").orThrow()
      func next() async throws -> Double? {
        let payload = try await application.nextEnvelope().payload
        #expect(payload?["event"] == "significant-change")
        return payload?["location"]?["latitude"]?.real
      }
      try await rig.waitUntil(service: "active")
      try await rig.measure(48, 11, age: 2_000)
      #expect(try await next() == 48)
      // Not far enough; too early; far enough and late enough.
      try await rig.measure(48.004, 11, age: 1_600)
      try await rig.measure(48.1, 11, age: 1_900)
      try await rig.measure(48.2, 11, age: 1_000)
      #expect(try await next() == 48.2)
      #expect(
        try await rig.desk.usher("region", "list").output == "\(ServedApplication.id)  significant changes\n")
    }
  }

  @Test func `has one client of GeoClue while it is monitored, and nothing before and after`() async throws {
    try await LocationRig.with { rig in
      _ = try await Self.application(rig)
      // The daemon runs for a badge, and has no connection to the system bus.
      try await rig.desk.usher("notify", ServedApplication.id, "--badge", "1").orThrow()
      #expect(try await rig.matchRules() == nil)
      try await Self.add(rig)
      try await Self.add(rig, "more")
      try await rig.waitUntil(service: "active")
      let rules = try #require(try await rig.matchRules())
      #expect(rules.count == 4, "\(rules)")
      #expect(try await rig.isInUse())
      let removed = try await rig.desk.usher("region", "remove", ServedApplication.id, "home", "hmoe")
        .orThrow()
      #expect(
        removed.errorOutput.contains("has no region “hmoe”") && !removed.errorOutput.contains("“home”"),
        "\(removed)")
      #expect(try await rig.matchRules()?.count == 4)
      try await rig.desk.usher("region", "remove", ServedApplication.id, "--all").orThrow()
      try await rig.waitUntilUnused()
    }
  }

  @Test func `is known again after GeoClue and the system bus were killed`() async throws {
    try await LocationRig.with { rig in
      let application = try await Self.application(rig)
      try await Self.add(rig)
      try await rig.waitUntil(service: "active")
      try await rig.measure(48.2, 11.575)
      try await rig.waitUntil("outside")
      try await rig.killGeoClue()
      // The bus starts another GeoClue for the daemon, which the receiver notices.
      try await rig.measure(48.137, 11.575)
      #expect(try await application.nextEnvelope().payload?["event"] == "enter-region")
      let second = try await rig.restartBus()
      try await rig.waitUntil(service: "waiting-for-agent")
      #expect(
        try await rig.desk.usher("region", "list").errorOutput.contains("waits for an agent of the desktop"))
      await second.end()
      try await rig.waitUntil(service: "no-bus")
    }
  }

  @Test func `is not known without GeoClue, and the commands say what to do`() async throws {
    try await LocationRig.with(hasGeoClue: false) { rig in
      _ = try await Self.application(rig)
      try await Self.add(rig)
      try await rig.waitUntil(service: "not-installed")
      let advice = "GeoClue is not installed; run: sudo apt install geoclue-2.0"
      #expect(try await rig.desk.usher("region", "list").errorOutput.contains(advice))
      // A region of a notification alone counts, too.
      try await rig.desk.usher(
        "notify", ServedApplication.id, "--title", "Milk", "--region", "48,11", "--radius", "200"
      ).orThrow()
      try await rig.desk.usher("region", "remove", ServedApplication.id, "--all").orThrow()
      try await rig.waitUntil(service: "not-installed")
      #expect(
        try await rig.desk.usher("notify", "list", ServedApplication.id).errorOutput.contains(advice))
      let doctor = try await rig.desk.usher("doctor")
      #expect(doctor.output.contains("GeoClue is not installed"), "\(doctor)")
      #expect(doctor.output.contains("sudo apt install geoclue-2.0"), "\(doctor)")
    }
  }

  @Test func `is known when an agent registers, and not while the user has turned it off`() async throws {
    try await LocationRig.with(hasAgent: false) { rig in
      _ = try await Self.application(rig)
      try await Self.add(rig)
      try await rig.waitUntil(service: "waiting-for-agent")
      try await rig.startAgent()
      try await rig.waitUntil(service: "active")
      try await rig.turn(false)
      try await rig.waitUntil(service: "stopped")
      try await rig.turn(true)
      try await rig.waitUntil(service: "active")
    }
  }

  @Test func `is not known after a refusal, until GeoClue starts again`() async throws {
    try await LocationRig.with { rig in
      _ = try await Self.application(rig)
      // GeoClue refuses a start while the user has turned off the location.
      try await rig.turn(false)
      try await Self.add(rig)
      try await rig.waitUntil(service: "denied")
      #expect(
        try await rig.desk.usher("region", "list").errorOutput.contains(
          "GeoClue does not allow org.usher.Handler to use the location"))
      try await rig.turn(true)
      // The refused client has not kept GeoClue running, so its end alone is no reason to ask again.
      try await rig.killGeoClue()
      #expect(try await rig.list()["service"] == "denied")
      _ = try await rig.isInUse()
      try await rig.waitUntil(service: "active")
    }
  }

  @Test func `is in no log, history or error`() async throws {
    try await LocationRig.with { rig in
      let application = try await Self.application(rig)
      let program = try await RunningProgram.start(
        "sh", ["-c", "exec usher-triggers 2>&1"],
        environment: rig.desk.desktop.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": rig.address]) { $1 })
      try await rig.desk.waitForOwner(of: TriggersInterface.busName)
      let broker = try await rig.desk.startBroker()
      let wrong = try await rig.desk.usher(
        "region", "add", ServedApplication.id, "home", "--at", "91.777,11.575", "--radius", "7")
      #expect(wrong.status == 64 && !wrong.errorOutput.contains("91.777"), "\(wrong)")
      try await Self.add(rig)
      try await rig.waitUntil(service: "active")
      try await rig.measure(48.2, 11.575)
      try await rig.waitUntil("outside")
      try await rig.measure(48.137, 11.575)
      _ = try await application.nextEnvelope()
      let history = try await rig.desk.usher("history", "--json").orThrow().output
      #expect(history.contains("location") && !history.contains("48.1") && !history.contains("11.57"))
      program.terminate()
      let output = await program.waitUntilExit().output
      #expect(!output.contains("48.") && !output.contains("11.57"), "\(output)")
      _ = broker
    }
  }
}
