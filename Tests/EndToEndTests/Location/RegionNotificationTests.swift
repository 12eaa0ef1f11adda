// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// Notifications whose trigger is a region, with the real GeoClue; the notification server is python3-dbusmock.
@Suite struct `A notification with a region` {
  private static func with(
    _ body: @Sendable (LocationRig, ServedApplication, NotificationServer) async throws -> Void
  ) async throws {
    try await LocationRig.with { rig in
      let application = try await ServedApplication.start(.application1, on: rig.desk)
      await application.gate.open()
      try await body(rig, application, try await NotificationServer.start(on: rig.desk))
    }
  }

  private static func add(_ rig: LocationRig, _ options: String...) async throws {
    try await rig.desk.run(
      "usher",
      [
        "notify", ServedApplication.id, "--title", "Milk", "--identifier", "milk", "--region",
        "48.137,11.575", "--radius", "1000",
      ] + options
    ).orThrow()
  }

  @Test func `is shown once when the computer enters it, and starts the application when the user acts`()
    async throws
  {
    try await Self.with { rig, application, server in
      try await Self.add(rig, "--on", "entry", "--user-info", #"{"note": 7}"#)
      try await rig.waitUntil(service: "active")
      // The position at the beginning is no entry, and an exit is not asked for.
      try await rig.measure(48.137, 11.575)
      try await rig.waitUntil("inside", ofNotification: "milk")
      try await rig.measure(48.2, 11.575)
      try await rig.waitUntil("outside", ofNotification: "milk")
      #expect(
        try await rig.desk.usher("notify", "list", ServedApplication.id).output
          == "milk  due on entry (outside)  Milk\n")
      // The circle of accuracy reaches over the border, 890 m away.
      try await rig.measure(48.145, 11.575, dilution: 21)
      try await rig.measure(48.137, 11.5751)
      let offered = try await application.nextEnvelope()
      #expect(offered.reason == .localNotification && offered.payload?["action-identifier"] == nil)
      #expect(try await server.next(1).text.contains("Milk"))
      #expect(try await rig.daemon.delivered() == ["milk"])
      #expect(try await rig.daemon.pending().isEmpty)
      // Nothing needs the location any more.
      try await rig.waitUntilUnused()
      try await server.invoke("default", of: 1)
      let tapped = try await application.nextEnvelope()
      #expect(tapped.payload?["action-identifier"] == "default")
      #expect(tapped.payload?["user-info"]?["note"] == 7)
      #expect(tapped.payload?["date"]?.integer != nil && tapped.payload?["trigger"] == nil)
    }
  }

  @Test func `that repeats is shown at each exit, until it is cancelled`() async throws {
    try await Self.with { rig, application, server in
      try await Self.add(rig, "--on", "exit", "--repeats")
      try await rig.waitUntil(service: "active")
      for number in 1...2 {
        try await rig.measure(48.137, 11.575)
        try await rig.waitUntil("inside", ofNotification: "milk")
        try await rig.measure(48.2, 11.575)
        #expect(try await application.nextEnvelope().payload?["identifier"] == "milk")
        #expect(try await server.next(number).text.contains("Milk"))
        try await rig.waitUntil("outside", ofNotification: "milk")
        #expect(try await rig.isInUse())
      }
      let listed = try await rig.desk.usher("notify", "list", ServedApplication.id, "--json").orThrow()
      let pending = try PropertyList(json: listed.output)["pending"]?.array?.first
      #expect(pending?["next-date"] == nil && pending?["state"] == "outside")
      #expect(pending?["trigger"]?["region"]?["radius"]?.real == 1_000)
      #expect(
        try await JSONSchema("usher-notify-list").diagnostics(about: listed.lines) == [], "\(listed)")
      try await rig.desk.usher("notify", "cancel", ServedApplication.id, "milk").orThrow()
      try await rig.waitUntilUnused()
    }
  }

  @Test func `is monitored again by the next daemon, with its state`() async throws {
    try await Self.with { rig, application, server in
      try await Self.add(rig)
      try await rig.waitUntil(service: "active")
      try await rig.measure(48.2, 11.575)
      try await rig.waitUntil("outside", ofNotification: "milk")
      try await rig.daemon.kill()
      // The call starts the next daemon.
      #expect(try await rig.daemon.regionStates() == ["milk": "outside"])
      try await rig.waitUntil(service: "active")
      try await rig.measure(48.137, 11.575)
      _ = try await application.nextEnvelope()
      #expect(try await server.next(1).text.contains("Milk"))
    }
  }

  private static let request = """
    {'identifier': <'shop'>, 'content': <{'title': <'Shop'>}>, 'trigger': <{'kind': <'region'>, 'region': \
    <{'identifier': <'shop'>, 'latitude': <48.137>, 'longitude': <11.575>, 'radius': <1000.0>}>}>}
    """

  @Test func `needs both permissions, and nothing is measured while one of them is revoked`() async throws {
    try await Self.with { rig, _, server in
      let application = try IdentifiedApplication.install(on: rig.desk)
      func grant(_ change: String, _ permission: String) async throws {
        try await rig.desk.usher("grants", change, "--permission", permission, application.id).orThrow()
      }
      func add() async throws -> CommandResult {
        try await application.call("AddNotification", [Self.request])
      }
      try await grant("allow", "notifications")
      let early = try await add()
      #expect(early.errorOutput.contains("org.usher.Error.Denied"), "\(early)")
      #expect(early.errorOutput.contains("may use the location"), "\(early)")
      #expect(!early.errorOutput.contains("48.1"))
      #expect(try await rig.daemon.pending(of: application.id).isEmpty)
      try await grant("allow", "location")
      try await add().orThrow()
      for permission in ["location", "notifications"] {
        try await rig.waitUntil(service: "active")
        try await rig.measure(48.2, 11.575)
        try await rig.waitUntil("outside", ofNotification: "shop", of: application.id)
        try await grant("revoke", permission)
        try await rig.waitUntilUnused()
        // What was measured is forgotten.
        #expect(try await rig.daemon.regionStates(of: application.id) == ["shop": "unknown"])
        let listed = try await rig.desk.usher("notify", "list", application.id)
        #expect(
          listed.errorOutput.contains("usher grants allow --permission \(permission) \(application.id)"),
          "\(listed)")
        try await grant("allow", permission)
      }
      try await rig.waitUntil(service: "active")
      try await rig.measure(48.2, 11.575)
      try await rig.waitUntil("outside", ofNotification: "shop", of: application.id)
      try await rig.measure(48.137, 11.575)
      #expect(try await server.next(1).text.contains("Shop"))
      try await rig.waitUntilUnused()
    }
  }

  @Test func `of an application that is missing is shown when the application is installed again`()
    async throws
  {
    try await Self.with { rig, _, server in
      let entry = try rig.desk.desktop.installDesktopEntry("org.example.Away", exec: "/bin/true")
      try await rig.desk.usher(
        "notify", "org.example.Away", "--title", "Bread", "--identifier", "bread", "--region",
        "48.137,11.575", "--radius", "1000"
      ).orThrow()
      try await rig.waitUntil(service: "active")
      try await rig.measure(48.2, 11.575)
      try await rig.waitUntil("outside", ofNotification: "bread", of: "org.example.Away")
      try FileManager.default.removeItem(atPath: entry)
      // A region of an application that is installed shows that the measurement was decided.
      try await Self.add(rig)
      try await rig.measure(48.137, 11.575)
      #expect(try await server.next(1).text.contains("Milk"))
      #expect(try await rig.daemon.regionStates(of: "org.example.Away") == ["bread": "outside"])
      try rig.desk.desktop.installDesktopEntry("org.example.Away", exec: "/bin/true")
      try await rig.measure(48.137, 11.5752)
      #expect(try await server.next(2).text.contains("Bread"))
    }
  }
}
