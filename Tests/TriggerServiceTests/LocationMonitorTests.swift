// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Logging
import State
import Systemd
import TestSupport
import Testing
@testable import TriggerService
import Triggers

/// The monitoring of the location, with a broker that gives one answer, and without a system bus.
@Suite struct `The monitoring of the location` {
  private static let application = "org.example.Notes"

  private static func need(isOfUser: Bool) -> PermissionWatch.Need {
    PermissionWatch.Need(permission: .location, application: application, isOfUser: isOfUser)
  }

  /// Runs `body` while the broker answers all questions about a permission with `answer`.
  private static func with(
    _ answer: PermissionStatus,
    _ body: @BrokerActor @Sendable (LocationMonitor, PermissionWatch, TriggerFile) async throws -> Void
  ) async throws {
    try await TriggersRig.with { rig, desktop in
      let address = try #require(desktop.environment["DBUS_SESSION_BUS_ADDRESS"])
      let broker = try await BusConnection.open(.address(address))
      _ = try await serveBroker(on: broker) { answer }
      let log = Logger(label: "test")
      let permissions = PermissionWatch(
        [.location: ApplicationPermission(.location, on: rig.bus)], on: rig.bus, log: log)
      let monitor = LocationMonitor(
        file: rig.file, clock: TriggerClock(),
        sender: EventSender(on: rig.bus, file: rig.file, log: log, atStep: nil), notifications: rig.regions,
        missingApplications: rig.missingApplications, permissions: permissions,
        geoClue: GeoClueClient(on: .shared, at: .address("unix:path=/nonexistent"), log: log))
      try await body(monitor, permissions, rig.file)
      await broker.close()
    }
  }

  @Test func `needs no permission if the user starts what the application has started`() async throws {
    try await Self.with(.notDetermined) { monitor, permissions, file in
      @BrokerActor func stored() throws -> [StoredLocationChange] {
        try file.use { store throws(StateError) in try store.locationChanges() }
      }
      try monitor.startChanges(of: Self.application, isOfUser: false)
      await permissions.check([Self.need(isOfUser: false)])
      #expect(monitor.status == .off)
      try monitor.startChanges(of: Self.application, isOfUser: true)
      // The application starts it again at its next start.
      try monitor.startChanges(of: Self.application, isOfUser: false)
      await permissions.check([Self.need(isOfUser: true)])
      #expect(monitor.status != .off)
      #expect(try stored().map(\.isOfUser) == [true])
      try monitor.stopChanges(of: Self.application)
      #expect(monitor.status == .off)
      #expect(try stored().isEmpty)
    }
  }

  @Test func `is not interrupted if the user starts what the application monitors with permission`()
    async throws
  {
    try await Self.with(.allowed) { monitor, permissions, _ in
      try monitor.startChanges(of: Self.application, isOfUser: false)
      await permissions.check([Self.need(isOfUser: false)])
      #expect(monitor.status != .off)
      try monitor.startChanges(of: Self.application, isOfUser: true)
      #expect(monitor.status != .off)
      try monitor.stopChanges(of: Self.application)
    }
  }

  @Test func `of a region remains the user's when the application adds the same region, too`() async throws {
    try await Self.with(.allowed) { monitor, _, _ in
      let center = try #require(Coordinate(latitude: 52, longitude: 13))
      for (isOfUser, radius, isThen) in [
        (false, 100.0, false), (true, 100, true), (false, 100, true), (false, 200, false),
      ] {
        let region = CircularRegion(identifier: "home", center: center, radius: radius)
        try monitor.add(region, of: Self.application, isOfUser: isOfUser)
        #expect(monitor.regions.values.map(\.isOfUser) == [isThen])
      }
      try monitor.remove(nil, of: Self.application)
    }
  }
}
