// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Foundation
import TestSupport
import Testing

/// The user's permission for the location, with the real GeoClue; the notification server, which shows the question, is
/// python3-dbusmock.
@Suite struct `The permission for the location` {
  private static func with(
    _ body: @Sendable (LocationRig, IdentifiedApplication, NotificationServer) async throws -> Void
  ) async throws {
    try await LocationRig.with { rig in
      let application = try IdentifiedApplication.install(on: rig.desk)
      try await body(rig, application, try await NotificationServer.start(on: rig.desk))
    }
  }

  private static let region =
    "{'identifier': <'home'>, 'latitude': <48.137>, 'longitude': <11.575>, 'radius': <1000.0>}"
  private static let question = "org.example.Notes asks to use the location of this computer"

  @Test func `is asked once, stored as a grant, and needed to monitor a region`() async throws {
    try await Self.with { rig, application, server in
      let early = try await application.call("AddRegion", [Self.region])
      #expect(early.errorOutput.contains("org.usher.Error.Denied"), "\(early)")
      #expect(
        early.errorOutput.contains("was not asked whether org.example.Notes may use the location"), "\(early)"
      )
      #expect(!early.errorOutput.contains("48.1"))
      #expect(
        try await application.call("LocationAuthorization").orThrow().output == "('not-determined',)\n")
      async let granted = application.call("RequestLocationAuthorization")
      #expect(try await server.next(1).text.contains(Self.question))
      try await server.press(0, of: 1)
      #expect(try await granted.orThrow().output == "(true,)\n")
      #expect(try await application.call("LocationAuthorization").orThrow().output == "('authorized',)\n")
      let listed = try await rig.desk.usher("grants", "list", "--permission", "location")
      #expect(listed.output == "allowed  location of org.example.Notes  without expiry\n", "\(listed)")
      try await application.call("AddRegion", [Self.region]).orThrow()
      #expect(try await rig.list()["regions"]?.array?.count == 1)
      // Notifications are another permission.
      #expect(try await application.authorization() == "not-determined")
    }
  }

  @Test func `that is refused or revoked ends the events`() async throws {
    try await Self.with { rig, application, server in
      let served = try await ServedApplication.start(.application1, on: rig.desk)
      await served.gate.open()
      try await rig.desk.usher("grants", "allow", "--permission", "location", application.id).orThrow()
      try await application.call("AddRegion", [Self.region]).orThrow()
      try await rig.desk.usher(
        "region", "add", ServedApplication.id, "home", "--at", "48.137,11.575", "--radius", "1000"
      ).orThrow()
      try await rig.waitUntil(service: "active")
      try await rig.measure(48.2, 11.575)
      try await rig.waitUntil("outside")
      try await rig.desk.usher("grants", "revoke", "--permission", "location", application.id).orThrow()
      try await rig.measure(48.137, 11.575)
      // The user's own region needs no permission.
      #expect(try await served.nextEnvelope().payload?["event"] == "enter-region")
      let history = try await rig.desk.usher("history", "--json").orThrow().output
      #expect(history.contains(ServedApplication.id) && !history.contains(application.id), "\(history)")
      async let granted = application.call("RequestLocationAuthorization")
      #expect(try await server.next(1).text.contains(Self.question))
      try await server.press(1, of: 1)
      #expect(try await granted.orThrow().output == "(false,)\n")
      let command = "usher grants allow --permission location org.example.Notes"
      let refused = try await application.call("AddRegion", [Self.region])
      #expect(
        refused.errorOutput.contains("does not allow org.example.Notes to use the location")
          && refused.errorOutput.contains(command), "\(refused)")
      let own = try await rig.desk.usher(
        "region", "add", application.id, "own", "--at", "1,2", "--radius", "100")
      #expect(own.status == 1 && own.errorOutput.contains(command), "\(own)")
    }
  }

  @Test func `that is revoked ends the client of GeoClue, until it is allowed again`() async throws {
    try await Self.with { rig, application, _ in
      func grant(_ change: String) async throws {
        try await rig.desk.usher("grants", change, "--permission", "location", application.id).orThrow()
      }
      try await grant("allow")
      try await application.call("AddRegion", [Self.region]).orThrow()
      try await application.call("StartSignificantLocationChanges").orThrow()
      for _ in 0..<2 {
        try await rig.waitUntil(service: "active")
        try await rig.measure(48.2, 11.575)
        try await rig.waitUntil("outside")
        try await grant("revoke")
        try await rig.waitUntilUnused()
        // The region is stored, and what was measured is forgotten.
        try await rig.waitUntil("unknown")
        // Neither does the next daemon measure anything, after it has asked the broker.
        try await rig.daemon.kill()
        let command = "usher grants allow --permission location \(application.id)"
        try await withDeadline(Command.defaultDeadline, command) {
          while try await !rig.desk.usher("region", "list").errorOutput.contains(command) {
            try await Task.sleep(for: .milliseconds(20))
          }
        }
        try await rig.waitUntilUnused()
        try await grant("allow")
      }
      try await rig.waitUntil(service: "active")
    }
  }

  @Test func `cannot be given while the administrator has locked grants`() async throws {
    try await Self.with { rig, application, _ in
      try await rig.desk.usher("grants", "allow", "--permission", "location", application.id).orThrow()
      let file = try rig.desk.desktop.write("format = 1\ngrants = false\n", to: "etc/usher/locks.toml")
      #expect(
        try await application.call("RequestLocationAuthorization").orThrow().output == "(false,)\n")
      let refused = try await application.call("AddRegion", [Self.region])
      #expect(
        refused.errorOutput.contains("org.usher.Error.Denied")
          && refused.errorOutput.contains("grants are disabled by \(file)"), "\(refused)")
    }
  }

  @Test func `is for the application itself`() async throws {
    try await Self.with { rig, application, _ in
      _ = try await ServedApplication.start(.application1, on: rig.desk)
      for (method, arguments) in [
        ("AddRegion", [Self.region]), ("RemoveAllRegions", []), ("RequestLocationAuthorization", []),
        ("LocationAuthorization", []), ("StartSignificantLocationChanges", []),
      ] {
        let other = try await application.call(method, for: ServedApplication.id, arguments)
        #expect(other.errorOutput.contains("AccessDenied"), "\(method): \(other)")
      }
      try await rig.desk.usher(
        "region", "add", ServedApplication.id, "home", "--at", "48.137,11.575", "--radius", "1000"
      ).orThrow()
      let seen = try await application.call("MonitoredLocations", for: nil).orThrow().output
      #expect(!seen.contains("48.1") && !seen.contains(ServedApplication.id), "\(seen)")
    }
  }

  @Test func `allows at most twenty regions of one application`() async throws {
    try await Self.with { rig, application, _ in
      try await rig.desk.usher("grants", "allow", "--permission", "location", application.id).orThrow()
      for number in 0..<20 {
        try await application.call(
          "AddRegion",
          ["{'identifier': <'\(number)'>, 'latitude': <1.0>, 'longitude': <2.0>, 'radius': <100.0>}"]
        ).orThrow()
      }
      let more = try await application.call("AddRegion", [Self.region])
      #expect(more.errorOutput.contains("org.usher.Error.TooMany"), "\(more)")
      // Replacing one is no further region.
      try await application.call(
        "AddRegion", ["{'identifier': <'7'>, 'latitude': <1.0>, 'longitude': <2.0>, 'radius': <500.0>}"]
      ).orThrow()
    }
  }
}
