// SPDX-License-Identifier: Apache-2.0
import BrokerService
import Foundation
import TestSupport
import Testing
@testable import TriggerService
import Triggers

/// The removal of applications that are missing, alone and by the checks of the scheduler.
@Suite struct `An application that is missing` {
  private static let (hour, application): (Int64, String) = (3_600_000, "org.example.Missing")

  /// Records that the application is missing, and returns in how many minutes the next check is.
  @BrokerActor private static func recordMissing(_ rig: TriggersRig) -> Int64? {
    rig.missingApplications.record(missing: [application], among: [application])
      .map { ($0.milliseconds - rig.clock.wall) / 60_000 }
  }

  @Test func `is one without a desktop entry`() async throws {
    try await TriggersRig.with { rig in
      let all: Set = [Self.application, "org.example.Notes"]
      #expect(await rig.missingApplications.missing(among: all) == [Self.application])
    }
  }

  @Test func `is removed after seven days, when this daemon has missed it for ten minutes`() async throws {
    try await TriggersRig.with { rig in
      var removed: [String] = []
      rig.missingApplications.uninstalled = { removed.append($0) }
      #expect(Self.recordMissing(rig) == 60)
      rig.clock.pass(7 * 24 * Self.hour)
      #expect(rig.missingApplications.isIdle)
      #expect(Self.recordMissing(rig) == 10)
      #expect(!rig.missingApplications.isIdle && removed.isEmpty)
      rig.clock.pass(Self.hour / 6)
      _ = Self.recordMissing(rig)
      #expect(rig.missingApplications.isIdle && removed == [Self.application])
      #expect(rig.facts.missingApplications.isEmpty)
    }
  }

  @Test func `is not removed if it is found again, and then counts from the beginning`() async throws {
    try await TriggersRig.with { rig in
      _ = Self.recordMissing(rig)
      rig.clock.pass(8 * 24 * Self.hour)
      #expect(Self.recordMissing(rig) == 10)
      #expect(rig.missingApplications.record(missing: [], among: [Self.application]) == nil)
      #expect(rig.missingApplications.isIdle && rig.facts.missingApplications.isEmpty)
      #expect(Self.recordMissing(rig) == 60)
    }
  }

  @Test func `has been missing for the time that has passed, although the clock is set`() async throws {
    try await TriggersRig.with { rig in
      _ = Self.recordMissing(rig)
      for days in [8, -20] as [Int64] {
        rig.clock.set(by: days * 24 * Self.hour)
        rig.missingApplications.move(byClockChange: days * 24 * Self.hour)
        #expect(Self.recordMissing(rig) == 60)
      }
      rig.clock.pass(7 * 24 * Self.hour)
      #expect(Self.recordMissing(rig) == 10)
    }
  }

  @Test func `is removed although it has no notification, for which the daemon stays`() async throws {
    try await TriggersRig.with { rig in
      var removed: [String] = []
      rig.missingApplications.applications = { removed.isEmpty ? [Self.application] : [] }
      rig.missingApplications.uninstalled = { removed.append($0) }
      _ = try await rig.timer { rig.scheduler.check() }
      #expect(rig.missingApplications.isIdle)
      rig.clock.pass(8 * 24 * Self.hour)
      _ = try await rig.timer { rig.scheduler.check() }
      #expect(!rig.missingApplications.isIdle && removed.isEmpty)
      rig.clock.pass(Self.hour / 6)
      _ = try await rig.timer { rig.scheduler.check() }
      #expect(rig.missingApplications.isIdle && removed == [Self.application])
    }
  }

  @Test func `is not removed if it appears within ten minutes after seven days`() async throws {
    try await TriggersRig.with { rig, desktop in
      rig.missingApplications.applications = { [Self.application] }
      var removed: [String] = []
      rig.missingApplications.uninstalled = { removed.append($0) }
      _ = try await rig.timer { rig.scheduler.check() }
      rig.clock.pass(8 * 24 * Self.hour)
      _ = try await rig.timer { rig.scheduler.check() }
      // Its entry is there, and cannot be read.
      let entry = try desktop.installDesktopEntry(Self.application, exec: "/bin/true")
      try FileManager.default.removeItem(atPath: entry)
      #expect(mkfifo(entry, 0o600) == 0)
      for _ in 0..<2 {
        rig.clock.pass(8 * 24 * Self.hour)
        _ = try await rig.timer { rig.scheduler.check() }
      }
      #expect(removed.isEmpty)
      #expect(await rig.missingApplications.missing(among: [Self.application]) == [])
    }
  }
}
