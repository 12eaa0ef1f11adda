// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@testable import Triggers

@Suite struct PendingNotificationTests {
  private static let second: Int64 = 1_000
  private static let day: Int64 = 86_400_000
  /// 2026-11-24 12:00 UTC.
  private static let start = WallTime(seconds: 1_795_521_600)

  private func pending(_ trigger: NotificationTrigger) -> PendingNotification {
    var content = NotificationContent()
    content.title = "a"
    return PendingNotification(
      application: "org.example.Notes",
      request: NotificationRequest(identifier: "a", content: content, trigger: trigger), anchor: Self.start,
      isOfUser: false)
  }

  private func state(_ trigger: NotificationTrigger, after milliseconds: Int64) -> TriggerState {
    pending(trigger).state(at: Self.start + milliseconds) { _ in .utc }
  }

  @Test func `A trigger waits until it is due, and is due once`() {
    let trigger = NotificationTrigger.interval(90 * Self.second, repeats: false)
    #expect(state(trigger, after: 0) == .waiting(until: Self.start + 90 * Self.second))
    #expect(state(trigger, after: 90 * Self.second - 1) == .waiting(until: Self.start + 90 * Self.second))
    #expect(
      state(trigger, after: 90 * Self.second) == .due(date: Self.start + 90 * Self.second, anchor: nil))
  }

  @Test func `A repeated interval that was missed is due once, and then in its rhythm`() {
    let trigger = NotificationTrigger.interval(90 * Self.second, repeats: true)
    let last = Self.start + 900 * Self.second
    #expect(state(trigger, after: 950 * Self.second) == .due(date: last, anchor: last))
    #expect(trigger.next(after: last) { _ in .utc } == last + 90 * Self.second)
  }

  @Test func `A daily trigger that was missed for a month is due once, for the last day`() {
    let trigger = NotificationTrigger.calendar(CalendarComponents(hour: 9), zone: nil, repeats: true)
    let last = WallTime(seconds: 1_795_521_600 - 3 * 3_600) + 30 * Self.day
    #expect(state(trigger, after: 30 * Self.day) == .due(date: last, anchor: last))
  }

  @Test func `A trigger each minute that was missed for years is due once, for the last minute`() {
    let trigger = NotificationTrigger.calendar(CalendarComponents(second: 5), zone: nil, repeats: true)
    let last = Self.start + 1_000 * Self.day + 5 * Self.second
    #expect(state(trigger, after: 1_000 * Self.day + 7 * Self.second) == .due(date: last, anchor: last))
  }

  @Test func `A notification that was due more than seven days ago is missed`() {
    let trigger = NotificationTrigger.date(Self.start)
    #expect(state(trigger, after: 7 * Self.day) == .due(date: Self.start, anchor: nil))
    #expect(state(trigger, after: 7 * Self.day + 1) == .missed(date: Self.start, anchor: nil))
    let yearly = NotificationTrigger.calendar(
      CalendarComponents(month: 12, day: 1), zone: nil, repeats: true)
    guard case .missed(let date, let anchor?) = state(yearly, after: 20 * Self.day) else {
      Issue.record("\(state(yearly, after: 20 * Self.day))")
      return
    }
    #expect(date == anchor)
    #expect(yearly.next(after: anchor) { _ in .utc } == WallTime(seconds: 1_827_619_200))
  }

  @Test func `A trigger with a region is due at no time, whatever the clock says`() throws {
    let center = try #require(Coordinate(latitude: 48, longitude: 11))
    let region = CircularRegion(identifier: "home", center: center, radius: 200)
    var notification = pending(.region(region, repeats: true))
    #expect(notification.region == region && notification.regionState == .unknown)
    #expect(pending(.date(Self.start)).region == nil)
    #expect(notification.request.trigger?.repeats == true)
    for time in [0, 400 * Self.day, -400 * Self.day] {
      notification.moveAnchor(byClockChange: time, now: Self.start + time)
      #expect(notification.anchor == Self.start)
      #expect(notification.state(at: Self.start + time) { _ in .utc } == .waitingForRegion)
    }
  }

  @Test func `A trigger of the system's zone moves with it`() throws {
    let trigger = NotificationTrigger.calendar(CalendarComponents(hour: 9), zone: nil, repeats: false)
    let berlin = try CalendarTests.rules("Europe/Berlin")
    let newYork = try CalendarTests.rules("America/New_York")
    #expect(trigger.next(after: Self.start) { _ in berlin } == Self.start + 20 * 3_600 * Self.second)
    #expect(trigger.next(after: Self.start) { _ in newYork } == Self.start + 2 * 3_600 * Self.second)
  }

  @Test func `An interval counts the time that passes when the clock is set`() {
    var interval = pending(.interval(90 * Self.second, repeats: false))
    interval.moveAnchor(byClockChange: Self.day, now: Self.start + Self.day)
    #expect(
      interval.state(at: Self.start + Self.day) { _ in .utc }
        == .waiting(until: Self.start + Self.day + 90 * Self.second))
    var daily = pending(.calendar(CalendarComponents(hour: 9), zone: nil, repeats: true))
    daily.moveAnchor(byClockChange: -400 * Self.day, now: Self.start + -400 * Self.day)
    #expect(
      daily.state(at: Self.start + -400 * Self.day) { _ in .utc }
        == .waiting(until: Self.start + (-399 * Self.day + 21 * 3_600 * Self.second)))
  }
}
