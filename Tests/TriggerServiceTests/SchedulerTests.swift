// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BrokerService
import BusInterfaces
import DBus
import Foundation
import Freedesktop
import Logging
import Synchronization
import Systemd
import TestSupport
import Testing
@testable import TriggerService
import Triggers

/// The scheduler with an injected clock.
///
/// A process cannot have a wall clock of its own: time namespaces do not cover CLOCK_REALTIME.
@Suite struct SchedulerTests {
  private final class FakeClock: Sendable {
    /// 2026-11-24 12:00 UTC, and a machine that was started then.
    let time = Mutex((wall: Int64(1_795_521_600_000), elapsed: Int64(0)))
    func pass(_ milliseconds: Int64) {
      time.withLock { $0 = ($0.wall + milliseconds, $0.elapsed + milliseconds) }
    }
    func set(by milliseconds: Int64) { time.withLock { $0.wall += milliseconds } }
  }

  private static let hour: Int64 = 3_600_000

  private static func request(_ trigger: NotificationTrigger, _ identifier: String = "a")
    -> NotificationRequest
  {
    var content = NotificationContent()
    content.title = "Title"
    return NotificationRequest(identifier: identifier, content: content, trigger: trigger)
  }

  private static func region(radius: Double = 200) throws -> CircularRegion {
    let center = try #require(Coordinate(latitude: 48, longitude: 11))
    return CircularRegion(identifier: "home", center: center, radius: radius)
  }

  /// Runs `body` with a scheduler of a desktop on which `org.example.Notes` is installed.
  private static func with(
    _ body: @BrokerActor @Sendable (Scheduler, Presenter, FakeClock, _ localtime: String) async throws -> Void
  ) async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      try desktop.installDesktopEntry("org.example.Notes", exec: "/bin/true")
      try desktop.write("", to: "zone/.keep")
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      let clock = FakeClock()
      let localtime = "\(desktop.root)/zone/localtime"
      try copyZone("Europe/Berlin", to: localtime)
      try await run(body, on: connection, desktop.environment, clock, localtime)
      await connection.close()
    }
  }

  @BrokerActor private static func run(
    _ body: @BrokerActor @Sendable (Scheduler, Presenter, FakeClock, String) async throws -> Void,
    on bus: BusConnection, _ environment: [String: String], _ fake: FakeClock, _ localtime: String
  ) async throws {
    let log = Logger(label: "test")
    let file = TriggerFile(in: BaseDirectories(environment: environment), log: log, atCommit: nil)
    let identification = SourceIdentification(on: bus, environment: environment, log: log)
    let facts = ApplicationFacts(in: file)
    let clock = TriggerClock(
      .init(
        now: { WallTime(milliseconds: fake.time.withLock { $0.wall }) },
        elapsed: { fake.time.withLock { $0.elapsed } }, localtime: localtime))
    let presenter = Presenter(
      server: NotificationServer(on: bus, identification: identification, log: log),
      sender: ResponseSender(on: bus, file: file, log: log, atStep: nil),
      permission: ApplicationPermission(.notifications, on: bus), identification: identification,
      facts: facts,
      badges: BadgeService(on: bus, facts: facts, log: log), file: file, log: log, atStep: nil)
    let scheduler = Scheduler(
      file: file, clock: clock, presenter: presenter, facts: facts, identification: identification, log: log)
    try await body(scheduler, presenter, fake, localtime)
  }

  private static func copyZone(_ name: String, to path: String) throws {
    try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)")).write(to: URL(filePath: path))
  }

  /// Performs an action when the scheduler is idle, and returns the time of its timer after the check that follows.
  @BrokerActor private static func timer(
    of scheduler: Scheduler, after action: @BrokerActor () -> Void
  ) async throws -> WallTime? {
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

  @Test func `An interval is due after the time that passes, although the clock is set`() async throws {
    try await Self.with { scheduler, presenter, clock, _ in
      try scheduler.add(
        Self.request(.interval(Self.hour, repeats: false)), of: "org.example.Notes", isOfUser: false)
      for jump in [86_400_000, -400 * 86_400_000] as [Int64] {
        clock.set(by: jump)
        let next = try await Self.timer(of: scheduler) { scheduler.clockChanged() }
        #expect(next?.milliseconds == clock.time.withLock { $0.wall } + Self.hour)
        #expect(presenter.isIdle)
      }
      clock.pass(Self.hour)
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      #expect(presenter.delivered(of: "org.example.Notes").map(\.request.identifier) == ["a"])
      #expect(scheduler.isIdle)
    }
  }

  @Test func `A date is due when the clock is set behind it`() async throws {
    try await Self.with { scheduler, presenter, clock, _ in
      let date = WallTime(milliseconds: clock.time.withLock { $0.wall } + Self.hour)
      try scheduler.add(Self.request(.date(date)), of: "org.example.Notes", isOfUser: false)
      clock.set(by: 2 * Self.hour)
      _ = try await Self.timer(of: scheduler) { scheduler.clockChanged() }
      #expect(presenter.delivered(of: "org.example.Notes").map(\.date) == [date])
    }
  }

  @Test func `A calendar trigger moves with the zone of the system`() async throws {
    try await Self.with { scheduler, _, clock, localtime in
      let trigger = NotificationTrigger.calendar(CalendarComponents(hour: 9), zone: nil, repeats: true)
      try scheduler.add(Self.request(trigger), of: "org.example.Notes", isOfUser: false)
      let start = clock.time.withLock { $0.wall }
      #expect(scheduler.pending(of: "org.example.Notes").first?.next?.milliseconds == start + 20 * Self.hour)
      try Self.copyZone("America/New_York", to: localtime)
      let next = try await Self.timer(of: scheduler) { scheduler.clockChanged() }
      #expect(next?.milliseconds == start + 2 * Self.hour)
    }
  }

  @Test
  func `A notification of an application that is missing waits for it, and is removed after seven days`()
    async throws
  {
    try await Self.with { scheduler, presenter, clock, _ in
      try scheduler.add(
        Self.request(.interval(Self.hour, repeats: true)), of: "org.example.Absent", isOfUser: false)
      clock.pass(2 * Self.hour)
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      #expect(presenter.isIdle)
      #expect(!scheduler.isIdle)
      clock.pass(7 * 24 * Self.hour)
      let confirmation = try await Self.timer(of: scheduler) { scheduler.check() }
      #expect(!scheduler.isIdle)
      #expect(confirmation?.milliseconds == clock.time.withLock { $0.wall } + Self.hour / 6)
      clock.pass(Self.hour / 6)
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      #expect(scheduler.isIdle)
    }
  }

  @Test(arguments: [8 * 24, -8 * 24] as [Int64])
  func `An application is not missing for the time by which the clock is set`(hours: Int64) async throws {
    try await Self.with { scheduler, _, clock, _ in
      try scheduler.add(
        Self.request(.interval(Self.hour, repeats: true)), of: "org.example.Absent", isOfUser: false)
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      clock.set(by: hours * Self.hour)
      // The next time is that of the notification: nothing is to be confirmed in ten minutes.
      let due = clock.time.withLock { $0.wall } + Self.hour
      for _ in 0..<2 {
        let next = try await Self.timer(of: scheduler) { scheduler.clockChanged() }
        #expect(next?.milliseconds == due)
        clock.pass(Self.hour / 6)
      }
      clock.pass(7 * 24 * Self.hour)
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      clock.pass(Self.hour / 6)
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      #expect(scheduler.isIdle)
    }
  }

  @Test
  func `Everything of an application that is only registered is removed, too, for which the daemon stays`()
    async throws
  {
    try await Self.with { scheduler, _, clock, _ in
      var removed: [String] = []
      scheduler.registered = { removed.isEmpty ? ["org.example.Absent"] : [] }
      scheduler.uninstalled = { removed.append($0) }
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      #expect(scheduler.isIdle)
      clock.pass(8 * 24 * Self.hour)
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      #expect(!scheduler.isIdle && removed.isEmpty)
      clock.pass(Self.hour / 6)
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      #expect(scheduler.isIdle && removed == ["org.example.Absent"])
    }
  }

  @Test func `An application that appears within ten minutes after seven days is not removed`() async throws {
    try await ThrowAwayDesktop.withBus { desktop, bus in
      let connection = try await BusConnection.open(.address(bus.address), on: .shared)
      let work: @BrokerActor @Sendable (Scheduler, Presenter, FakeClock, String) async throws -> Void = {
        scheduler, _, clock, _ in
        let trigger = NotificationTrigger.interval(10_000 * Self.hour, repeats: false)
        try scheduler.add(Self.request(trigger), of: "org.example.Late", isOfUser: false)
        _ = try await Self.timer(of: scheduler) { scheduler.check() }
        clock.pass(8 * 24 * Self.hour)
        _ = try await Self.timer(of: scheduler) { scheduler.check() }
        // Its entry is there, and cannot be read.
        let entry = try desktop.installDesktopEntry("org.example.Late", exec: "/bin/true")
        try FileManager.default.removeItem(atPath: entry)
        #expect(mkfifo(entry, 0o600) == 0)
        for _ in 0..<2 {
          clock.pass(8 * 24 * Self.hour)
          _ = try await Self.timer(of: scheduler) { scheduler.check() }
        }
        #expect(!scheduler.isIdle)
        #expect(await scheduler.missing(["org.example.Late"]) == [])
      }
      try await Self.run(
        work, on: connection, desktop.environment, FakeClock(), "\(desktop.root)/localtime")
      await connection.close()
    }
  }

  /// The two are equal strings of Swift, and different rows of the file.
  @Test func `An identifier in another normal form of Unicode is that of another notification`() async throws
  {
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    let keys = [composed, decomposed].map {
      MonitoredKey(application: "org.example.Notes", identifier: $0)
    }
    #expect(composed == decomposed && keys[0] != keys[1] && Set(keys).count == 2 && keys.max() == keys[0])
    #expect(keys.of("org.example.Notes", named: [decomposed]) == [keys[1]])
    try await Self.with { scheduler, presenter, _, _ in
      for identifier in [composed, decomposed] {
        let request = Self.request(.interval(Self.hour, repeats: false), identifier)
        try scheduler.add(request, of: "org.example.Notes", isOfUser: false)
        try presenter.deliver(
          request, of: "org.example.Shown", date: WallTime(milliseconds: 1), anchor: nil, isOfUser: false)
      }
      @BrokerActor func lengths() -> [[Int]] {
        let pending = scheduler.pending(of: "org.example.Notes").map(\.notification.request)
        let shown = presenter.delivered(of: "org.example.Shown").map(\.request)
        return [pending, shown].map { $0.map(\.identifier.utf8.count).sorted() }
      }
      #expect(lengths() == [[5, 6], [5, 6]])
      try scheduler.remove([composed], of: "org.example.Notes")
      try presenter.remove([composed], of: "org.example.Shown")
      #expect(lengths() == [[6], [6]])
    }
  }

  private static let key = MonitoredKey(application: "org.example.Notes", identifier: "a")

  @Test func `A notification with a region is due when its state changes, and once unless it repeats`()
    async throws
  {
    try await Self.with { scheduler, presenter, _, _ in
      var changes = 0
      scheduler.regionsChanged = { changes += 1 }
      for repeats in [false, true] {
        try scheduler.add(
          Self.request(.region(try Self.region(), repeats: repeats)), of: "org.example.Notes", isOfUser: false
        )
        #expect(scheduler.regions[Self.key]?.state == .unknown)
        #expect(scheduler.pending(of: "org.example.Notes").map(\.next) == [nil])
        scheduler.record([Self.key: .outside], due: [])
        #expect(scheduler.regions[Self.key]?.state == .outside)
        scheduler.record([Self.key: .inside], due: [Self.key])
        #expect(presenter.delivered(of: "org.example.Notes").map(\.request.identifier) == ["a"])
        #expect(scheduler.regions[Self.key]?.state == (repeats ? .inside : nil))
      }
      // A state that has not changed makes nothing due.
      try presenter.remove(nil, of: "org.example.Notes")
      scheduler.record([Self.key: .inside], due: [Self.key])
      #expect(presenter.isIdle)
      let before = changes
      try scheduler.remove(["a"], of: "org.example.Notes")
      #expect(changes == before + 1 && scheduler.regions.isEmpty)
    }
  }

  @Test func `A notification that is added again keeps the state of a region with an equal border`()
    async throws
  {
    try await Self.with { scheduler, _, _, _ in
      scheduler.position = { $0.radius > 1_000 ? .inside : .unknown }
      @BrokerActor func add(radius: Double) throws {
        try scheduler.add(
          Self.request(.region(try Self.region(radius: radius), repeats: false)), of: "org.example.Notes",
          isOfUser: false)
      }
      try add(radius: 200)
      scheduler.record([Self.key: .outside], due: [])
      try add(radius: 200)
      #expect(scheduler.regions[Self.key]?.state == .outside)
      try add(radius: 2_000)
      #expect(scheduler.regions[Self.key]?.state == .inside)
      try add(radius: 300)
      #expect(scheduler.regions[Self.key]?.state == .unknown)
    }
  }

  @Test func `Notifications with regions are limited, and removed with their application`() async throws {
    try await Self.with { scheduler, _, clock, _ in
      let trigger = NotificationTrigger.region(try Self.region(), repeats: true)
      for number in 0..<NotificationLimits.pendingOfApplication {
        try scheduler.add(Self.request(trigger, "\(number)"), of: "org.example.Absent", isOfUser: false)
      }
      var refusal: BrokerErrorName?
      do throws(BusError) {
        try scheduler.add(Self.request(trigger, "more"), of: "org.example.Absent", isOfUser: false)
      } catch { refusal = error.brokerError }
      #expect(refusal == .tooMany)
      #expect(await scheduler.missing(["org.example.Absent", "org.example.Notes"]) == ["org.example.Absent"])
      // The first check notices that the application is missing.
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      clock.pass(8 * 24 * Self.hour)
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      clock.pass(Self.hour)
      _ = try await Self.timer(of: scheduler) { scheduler.check() }
      #expect(scheduler.isIdle && scheduler.regions.isEmpty)
    }
  }
}
