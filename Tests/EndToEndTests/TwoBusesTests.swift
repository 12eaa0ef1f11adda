// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Foundation
import TestSupport
import Testing

/// Two session buses with one `XDG_RUNTIME_DIR`: a remote desktop beside the local one, or `dbus-run-session`.
@Suite struct `Two buses of one session` {
  private static func withBoth(_ body: @Sendable (InstalledDesktop, PrivateBus) async throws -> Void)
    async throws
  {
    try await InstalledDesktop.with { desk in
      let other = try await PrivateBus.start(
        in: desk.desktop, at: "unix:path=\(desk.desktop.runtimeDirectory)/other-bus")
      try await body(desk, other)
      await other.stop()
    }
  }

  private static func open(
    _ url: String, wait: String, on bus: PrivateBus, _ desk: InstalledDesktop
  ) async throws -> OpenReport {
    try OpenReport(
      try await desk.run(
        "usher", ["open", "--json", "--wait", wait, url], adding: ["DBUS_SESSION_BUS_ADDRESS": bus.address]))
  }

  private static func stores(_ desk: InstalledDesktop) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(desk.desktop.runtimeDirectory)/usher")
      .filter { $0.hasPrefix("pending") && $0.hasSuffix(".sqlite") }.sorted()
  }

  private static func urls(of application: BusApplication) async throws -> [String] {
    try await application.nextCall()["urls"]?.array?.compactMap(\.string) ?? []
  }

  @Test func `each store what they accept, and deliver it on their own bus`() async throws {
    try await Self.withBoth { desk, other in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      #expect(try await desk.open("--wait", "accepted", "mimic:1").outcome == "accepted")
      #expect(try await Self.open("mimic:2", wait: "accepted", on: other, desk).outcome == "accepted")
      for _ in 1...2 { #expect(try await application.next()["started"] == true) }
      #expect(try Self.stores(desk).count == 2)
      let doctor = try await desk.run(
        "usher", ["doctor"], adding: ["DBUS_SESSION_BUS_ADDRESS": other.address])
      #expect(!doctor.output.contains("cannot be stored"), "\(doctor)")
      try await desk.killBroker()
      // The next broker of a bus ignores the requests of the other bus, although no broker runs there.
      async let third = desk.open("--wait", "handled", "mimic:3")
      #expect(try await application.next()["started"] == true)
      try await application.takeName(on: desk)
      #expect(try await Self.urls(of: application) == ["mimic:1"])
      #expect(try await Self.urls(of: application) == ["mimic:3"])
      #expect(try await third.outcome == "handled")
      let fourth = try await Self.open("mimic:4", wait: "handled", on: other, desk)
      #expect(fourth.outcome == "handled", "\(fourth)")
      #expect(try await Self.urls(of: application) == ["mimic:2"])
      #expect(try await Self.urls(of: application) == ["mimic:4"])
    }
  }

  @Test func `that ends: the broker of the other bus continues its requests`() async throws {
    try await Self.withBoth { desk, other in
      let application = try await BusApplication.install(.hesitates, .application1, on: desk)
      #expect(try await Self.open("mimic:1", wait: "accepted", on: other, desk).outcome == "accepted")
      #expect(try await application.next()["started"] == true)
      try await desk.killBroker()
      await other.kill()
      // Only the application on the remaining bus may continue.
      for pid in application.processes(on: desk) { try await desk.end(pid) }
      async let second = desk.open("--wait", "handled", "mimic:2")
      #expect(try await application.next()["started"] == true)
      try await application.takeName(on: desk)
      #expect(try await Self.urls(of: application) == ["mimic:1"])
      #expect(try await Self.urls(of: application) == ["mimic:2"])
      #expect(try await second.outcome == "handled")
      #expect(try Self.stores(desk) == ["pending.sqlite"])
    }
  }

  /// The arrival of an envelope on a bus that has exited cannot be determined on another bus.
  @Test func `that ends: requests sent on it are unknown`() async throws {
    try await Self.withBoth { desk, other in
      let application = try await BusApplication.install(.silent, .standard, on: desk)
      #expect(try await Self.open("mimic:1", wait: "accepted", on: other, desk).outcome == "accepted")
      #expect(try await Self.urls(of: application) == ["mimic:1"])
      try await desk.killBroker()
      await other.kill()
      // The query starts the next broker of the first bus, which may answer before it has read the stored requests.
      let outcome = try await withDeadline(.seconds(240), "the end in the history") {
        while true {
          let history = try await desk.run("usher", ["history", "--json"]).orThrow()
          let entries = try PropertyList(json: history.output)["entries"]?.array ?? []
          if let first = entries.first(where: { $0["urls"] == ["mimic:1"] }) {
            return first["outcome"]?.string
          }
        }
      }
      #expect(outcome == "unknown")
    }
  }
}
