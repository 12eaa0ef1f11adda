// SPDX-License-Identifier: Apache-2.0
import BrokerService
import BusInterfaces
import DBus
import Systemd
import TestSupport
import Testing
@testable import TriggerService
import Triggers

/// The scheduler with an injected clock.
@Suite struct SchedulerTests {
  private static let hour: Int64 = 3_600_000

  private static func request(_ trigger: NotificationTrigger, _ identifier: String = "a")
    -> NotificationRequest
  {
    var content = NotificationContent()
    content.title = "Title"
    return NotificationRequest(identifier: identifier, content: content, trigger: trigger)
  }

  @Test func `An interval is due after the time that passes, although the clock is set`() async throws {
    try await TriggersRig.with { rig in
      try rig.scheduler.add(
        Self.request(.interval(Self.hour, repeats: false)), of: "org.example.Notes", isOfUser: false)
      for jump in [86_400_000, -400 * 86_400_000] as [Int64] {
        rig.clock.set(by: jump)
        let next = try await rig.timer { rig.scheduler.clockChanged() }
        #expect(next?.milliseconds == rig.clock.wall + Self.hour)
        #expect(rig.presenter.isIdle)
      }
      rig.clock.pass(Self.hour)
      _ = try await rig.timer { rig.scheduler.check() }
      #expect(rig.presenter.delivered(of: "org.example.Notes").map(\.request.identifier) == ["a"])
      #expect(rig.pending.all.isEmpty)
    }
  }

  @Test func `A date is due when the clock is set behind it`() async throws {
    try await TriggersRig.with { rig in
      let date = WallTime(milliseconds: rig.clock.wall + Self.hour)
      try rig.scheduler.add(Self.request(.date(date)), of: "org.example.Notes", isOfUser: false)
      rig.clock.set(by: 2 * Self.hour)
      _ = try await rig.timer { rig.scheduler.clockChanged() }
      #expect(rig.presenter.delivered(of: "org.example.Notes").map(\.date) == [date])
    }
  }

  @Test func `A notification of the user remains the user's when the application adds the same one`()
    async throws
  {
    try await TriggersRig.with { rig in
      let request = Self.request(.interval(Self.hour, repeats: false))
      let other = Self.request(.interval(2 * Self.hour, repeats: false))
      for (request, isOfUser, isThen) in [
        (request, false, false), (request, true, true), (request, false, true), (other, false, false),
      ] {
        try rig.scheduler.add(request, of: "org.example.Notes", isOfUser: isOfUser)
        #expect(rig.pending.all.values.map(\.isOfUser) == [isThen])
      }
    }
  }

  /// All parts of the daemon are loaded again if one of them could not be loaded.
  @Test func `A delivered notification is there once although it is loaded again`() async throws {
    try await TriggersRig.with { rig in
      let date = WallTime(milliseconds: rig.clock.wall + Self.hour)
      try rig.scheduler.add(Self.request(.date(date)), of: "org.example.Notes", isOfUser: false)
      rig.clock.pass(Self.hour)
      _ = try await rig.timer { rig.scheduler.check() }
      try rig.presenter.load()
      #expect(rig.presenter.delivered(of: "org.example.Notes").count == 1)
    }
  }

  /// - Parameter zone: The zone of the trigger; `nil` for that of the system.
  @Test(arguments: [nil, "Town"])
  func `A calendar trigger moves when the file of its zone is replaced`(zone: String?) async throws {
    try await TriggersRig.with { rig in
      let file = "\(rig.zones)/\(zone ?? "localtime")"
      try TriggersRig.copyZone("Europe/Berlin", to: file)
      let trigger = NotificationTrigger.calendar(CalendarComponents(hour: 9), zone: zone, repeats: true)
      try rig.scheduler.add(Self.request(trigger), of: "org.example.Notes", isOfUser: false)
      let start = rig.clock.wall
      #expect(
        rig.scheduler.pending(of: "org.example.Notes").first?.next?.milliseconds == start + 20 * Self.hour)
      try TriggersRig.copyZone("America/New_York", to: file)
      let next = try await rig.timer { rig.scheduler.clockChanged() }
      #expect(next?.milliseconds == start + 2 * Self.hour)
    }
  }

  /// An update of the time zone database replaces `tzdata.zi`.
  @Test(arguments: ["localtime", "tzdata.zi"])
  func `The daemon learns that a file of the time zones was replaced`(name: String) async throws {
    try await TriggersRig.with { rig in
      let (changes, changed) = AsyncStream<Void>.makeStream()
      let clock = TriggerClock(.init(localtime: "\(rig.zones)/localtime", zones: rig.zones))
      let monitors = clock.zoneMonitors(on: rig.bus.loop) { changed.yield() }
      try TriggersRig.copyZone("America/New_York", to: "\(rig.zones)/\(name)")
      try await withDeadline(Command.defaultDeadline, "a change of \(name)") {
        _ = await changes.first { _ in true }
      }
      for monitor in monitors { monitor.cancel() }
    }
  }

  @Test
  func `A notification of an application that is missing waits for it, and is removed after seven days`()
    async throws
  {
    try await TriggersRig.with { rig in
      try rig.scheduler.add(
        Self.request(.interval(Self.hour, repeats: true)), of: "org.example.Missing", isOfUser: false)
      rig.clock.pass(2 * Self.hour)
      _ = try await rig.timer { rig.scheduler.check() }
      #expect(rig.presenter.isIdle)
      #expect(!rig.pending.all.isEmpty)
      rig.clock.pass(7 * 24 * Self.hour)
      let confirmation = try await rig.timer { rig.scheduler.check() }
      #expect(!rig.pending.all.isEmpty)
      #expect(confirmation?.milliseconds == rig.clock.wall + Self.hour / 6)
      rig.clock.pass(Self.hour / 6)
      _ = try await rig.timer { rig.scheduler.check() }
      #expect(rig.pending.all.isEmpty)
    }
  }

  @Test(arguments: [8 * 24, -8 * 24] as [Int64])
  func `An application is not missing for the time by which the clock is set`(hours: Int64) async throws {
    try await TriggersRig.with { rig in
      try rig.scheduler.add(
        Self.request(.interval(Self.hour, repeats: true)), of: "org.example.Missing", isOfUser: false)
      _ = try await rig.timer { rig.scheduler.check() }
      rig.clock.set(by: hours * Self.hour)
      // The next time is that of the notification: nothing is to be confirmed in ten minutes.
      let due = rig.clock.wall + Self.hour
      for _ in 0..<2 {
        let next = try await rig.timer { rig.scheduler.clockChanged() }
        #expect(next?.milliseconds == due)
        rig.clock.pass(Self.hour / 6)
      }
      rig.clock.pass(7 * 24 * Self.hour)
      _ = try await rig.timer { rig.scheduler.check() }
      rig.clock.pass(Self.hour / 6)
      _ = try await rig.timer { rig.scheduler.check() }
      #expect(rig.pending.all.isEmpty)
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
    try await TriggersRig.with { rig in
      for identifier in [composed, decomposed] {
        let request = Self.request(.interval(Self.hour, repeats: false), identifier)
        try rig.scheduler.add(request, of: "org.example.Notes", isOfUser: false)
        try rig.presenter.deliver(
          request, of: "org.example.Shown", date: WallTime(milliseconds: 1), anchor: nil, isOfUser: false)
      }
      @BrokerActor func lengths() -> [[Int]] {
        let pending = rig.scheduler.pending(of: "org.example.Notes").map(\.notification.request)
        let shown = rig.presenter.delivered(of: "org.example.Shown").map(\.request)
        return [pending, shown].map { $0.map(\.identifier.utf8.count).sorted() }
      }
      #expect(lengths() == [[5, 6], [5, 6]])
      try rig.scheduler.remove([composed], of: "org.example.Notes")
      try rig.presenter.remove([composed], of: "org.example.Shown")
      #expect(lengths() == [[6], [6]])
    }
  }
}
