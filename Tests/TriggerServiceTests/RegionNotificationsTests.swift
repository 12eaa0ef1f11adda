// SPDX-License-Identifier: Apache-2.0
import BrokerCore
import BusInterfaces
import DBus
import Testing
@testable import TriggerService
import Triggers

/// The pending notifications with a region, without measurements.
@Suite struct `A notification with a region` {
  private static let key = MonitoredKey(application: "org.example.Notes", identifier: "a")

  private static func request(_ identifier: String = "a", radius: Double = 200, repeats: Bool) throws
    -> NotificationRequest
  {
    var content = NotificationContent()
    content.title = "Title"
    let center = try #require(Coordinate(latitude: 48, longitude: 11))
    let region = CircularRegion(identifier: "home", center: center, radius: radius)
    return NotificationRequest(
      identifier: identifier, content: content, trigger: .region(region, repeats: repeats))
  }

  @Test func `is due when its state changes, and once unless it repeats`() async throws {
    try await TriggersRig.with { rig in
      for repeats in [false, true] {
        try rig.scheduler.add(
          try Self.request(repeats: repeats), of: "org.example.Notes", isOfUser: false)
        #expect(rig.regions.regions[Self.key]?.state == .unknown)
        #expect(rig.regions.applications == ["org.example.Notes"])
        #expect(rig.scheduler.pending(of: "org.example.Notes").map(\.next) == [nil])
        rig.regions.record([Self.key: .outside], due: [])
        #expect(rig.regions.regions[Self.key]?.state == .outside)
        rig.regions.record([Self.key: .inside], due: [Self.key])
        #expect(rig.presenter.delivered(of: "org.example.Notes").map(\.request.identifier) == ["a"])
        #expect(rig.regions.regions[Self.key]?.state == (repeats ? .inside : nil))
      }
      // A state that has not changed makes nothing due.
      try rig.presenter.remove(nil, of: "org.example.Notes")
      rig.regions.record([Self.key: .inside], due: [Self.key])
      #expect(rig.presenter.isIdle)
    }
  }

  @Test(arguments: [false, true]) func `needs both permissions of its application`(isOfUser: Bool)
    async throws
  {
    try await TriggersRig.with { rig in
      try rig.scheduler.add(
        try Self.request(repeats: true), of: "org.example.Notes", isOfUser: isOfUser)
      #expect(Set(rig.regions.needs.map(\.permission)) == [.location, .notifications])
    }
  }

  @Test func `is stored with its state`() async throws {
    try await TriggersRig.with { rig in
      try rig.scheduler.add(
        try Self.request(repeats: true), of: "org.example.Notes", state: .inside, isOfUser: true)
      rig.regions.record([Self.key: .outside], due: [])
      let later = PendingNotifications(in: rig.file)
      try later.load()
      #expect(later.all.mapValues(\.regionState) == [Self.key: .outside])
    }
  }

  @Test func `keeps its state if it is added again with an equal border`() async throws {
    try await TriggersRig.with { rig in
      for (radius, state, expected) in [
        (200, .unknown, .unknown), (200, .outside, .unknown), (2_000, .inside, .inside),
        (300, .unknown, .unknown),
      ] as [(Double, RegionState, RegionState)] {
        try rig.scheduler.add(
          try Self.request(radius: radius, repeats: false), of: "org.example.Notes", state: state,
          isOfUser: false)
        #expect(rig.regions.regions[Self.key]?.state == expected)
      }
    }
  }

  @Test func `is replaced by one that is due at a time, or at once`() async throws {
    try await TriggersRig.with { rig in
      var changes = 0
      rig.pending.changed = { changes += 1 }
      for trigger in [.interval(3_600_000, repeats: false), nil] as [NotificationTrigger?] {
        var request = try Self.request(repeats: false)
        try rig.scheduler.add(request, of: "org.example.Notes", isOfUser: false)
        #expect(rig.regions.regions.count == 1)
        request.trigger = trigger
        try rig.scheduler.add(request, of: "org.example.Notes", isOfUser: false)
        #expect(rig.regions.regions.isEmpty)
        #expect(rig.pending.all.count == (trigger == nil ? 0 : 1))
      }
      #expect(changes == 4)
    }
  }

  @Test func `is limited, and removed by a call`() async throws {
    try await TriggersRig.with { rig in
      for number in 0..<NotificationLimits.pendingOfApplication {
        try rig.scheduler.add(
          try Self.request("\(number)", repeats: true), of: "org.example.Notes", isOfUser: false)
      }
      var refusal: BrokerErrorName?
      do throws(BusError) {
        try rig.scheduler.add(
          Self.interval("more"), of: "org.example.Notes", isOfUser: false)
      } catch { refusal = error.brokerError }
      #expect(refusal == .tooMany)
      var changes = 0
      rig.pending.changed = { changes += 1 }
      try rig.scheduler.remove(["0"], of: "org.example.Notes")
      try rig.scheduler.remove(["0"], of: "org.example.Notes")
      #expect(changes == 1)
      #expect(rig.regions.regions.count == NotificationLimits.pendingOfApplication - 1)
    }
  }

  private static func interval(_ identifier: String) -> NotificationRequest {
    NotificationRequest(
      identifier: identifier, content: NotificationContent(),
      trigger: .interval(3_600_000, repeats: false))
  }

  @Test func `is removed with its application`() async throws {
    try await TriggersRig.with { rig in
      try rig.scheduler.add(try Self.request(repeats: true), of: "org.example.Missing", isOfUser: false)
      // The first check notices that the application is missing.
      _ = try await rig.timer { rig.scheduler.check() }
      rig.clock.pass(8 * 24 * 3_600_000)
      _ = try await rig.timer { rig.scheduler.check() }
      rig.clock.pass(3_600_000)
      _ = try await rig.timer { rig.scheduler.check() }
      #expect(rig.regions.regions.isEmpty)
    }
  }
}
