// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import DBus
import Foundation
import Freedesktop
import Logging
import Synchronization
import Systemd
import TestSupport
@testable import TriggerService
import Triggers

/// A clock that a test sets.
///
/// A process cannot have a wall clock of its own: time namespaces do not cover CLOCK_REALTIME.
final class FakeClock: Sendable {
  /// 2026-11-24 12:00 UTC, and a machine that was started then.
  private let time = Mutex((wall: Int64(1_795_521_600_000), elapsed: Int64(0)))

  /// The current time, in milliseconds.
  var wall: Int64 { time.withLock { $0.wall } }
  /// The time since boot, in milliseconds.
  var elapsed: Int64 { time.withLock { $0.elapsed } }

  /// Lets time pass.
  func pass(_ milliseconds: Int64) {
    time.withLock { $0 = ($0.wall + milliseconds, $0.elapsed + milliseconds) }
  }

  /// Sets the wall clock forward, or back by a negative number.
  func set(by milliseconds: Int64) { time.withLock { $0.wall += milliseconds } }
}

/// The parts of the daemon that deliver notifications, with an injected clock, on a bus without a notification server and a broker.
@BrokerActor
final class TriggersRig {
  let bus: BusConnection
  let clock: FakeClock
  /// The directory of the time zone database, with the system's zone.
  let zones: String
  let file: TriggerFile
  let facts: ApplicationFacts
  let presenter: Presenter
  let missingApplications: MissingApplications
  let pending: PendingNotifications
  let scheduler: Scheduler
  let regions: RegionNotifications

  private init(
    on bus: BusConnection, environment: [String: String], clock fake: FakeClock, zones: String
  ) {
    self.bus = bus
    clock = fake
    self.zones = zones
    let log = Logger(label: "test")
    file = TriggerFile(in: BaseDirectories(environment: environment), log: log, atCommit: nil)
    let identification = SourceIdentification(on: bus, environment: environment, log: log)
    facts = ApplicationFacts(in: file)
    let clock = TriggerClock(
      .init(
        now: { WallTime(milliseconds: fake.wall) }, elapsed: { fake.elapsed },
        localtime: "\(zones)/localtime", zones: zones))
    presenter = Presenter(
      server: NotificationServer(on: bus, identification: identification, log: log),
      sender: EventSender(on: bus, file: file, log: log, atStep: nil),
      permission: ApplicationPermission(.notifications, on: bus), identification: identification,
      facts: facts,
      badges: BadgeService(on: bus, facts: facts, log: log), file: file, log: log, atStep: nil)
    missingApplications = MissingApplications(
      file: file, clock: clock, facts: facts, identification: identification, log: log)
    pending = PendingNotifications(in: file)
    scheduler = Scheduler(
      pending: pending, clock: clock, presenter: presenter, missingApplications: missingApplications, log: log
    )
    regions = RegionNotifications(
      pending: pending, clock: clock, presenter: presenter,
      permissions: PermissionWatch([:], on: bus, log: log), log: log)
    missingApplications.applications = { [pending, presenter] in
      pending.applications.union(presenter.applications)
    }
    missingApplications.uninstalled = { [pending] in pending.forgetAll(of: $0) }
  }

  /// Runs `body` with the parts on a desktop where `org.example.Notes` is installed, in the time zone of Berlin.
  nonisolated static func with(
    _ body: @BrokerActor @Sendable (TriggersRig) async throws -> Void
  ) async throws {
    try await with { rig, _ in try await body(rig) }
  }

  /// Runs `body` as the other function, with the desktop.
  nonisolated static func with(
    _ body: @BrokerActor @Sendable (TriggersRig, ThrowAwayDesktop) async throws -> Void
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true")
      try desktop.write("", to: "zone/.keep")
      let zones = "\(desktop.root)/zone"
      try copyZone("Europe/Berlin", to: "\(zones)/localtime")
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      let rig = await TriggersRig(
        on: connection, environment: desktop.environment, clock: FakeClock(), zones: zones)
      try await body(rig, desktop)
      await connection.close()
    }
  }

  /// Copies a file of the time zone database.
  nonisolated static func copyZone(_ name: String, to path: String) throws {
    try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)")).write(to: URL(filePath: path))
  }

  /// Performs an action when the scheduler is idle, and returns the time of its timer after the check that follows.
  func timer(after action: @BrokerActor () -> Void) async throws -> WallTime? {
    let (checks, checked) = AsyncStream<Void>.makeStream()
    var time: WallTime?
    scheduler.changed = { checked.yield() }
    scheduler.start { time = $0 }
    let next = { @Sendable () async -> Void in _ = await checks.first { @Sendable _ in true } }
    try await withDeadline(Command.defaultDeadline, "the first check", next)
    action()
    try await withDeadline(Command.defaultDeadline, "a check", next)
    return time
  }
}
