// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Testing

@testable import UsherCommand

@Suite struct `The time of a notification in arguments` {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-11-24T09:30:00Z", 1_795_512_600_000),
    ("2026-11-24T09:30:00+01:00", 1_795_509_000_000), ("2026-11-24T09:30:00.25-01:30", 1_795_518_000_250),
  ])
  func `of RFC 3339 is a date`(text: String, milliseconds: Int64) {
    #expect(
      NotificationTime(at: text)?.trigger == ["kind": "date", "date": .integer(milliseconds)])
  }

  @Test func `of the clock is a calendar trigger`() {
    #expect(NotificationTime(at: "09:30")?.trigger == ["kind": "calendar", "hour": 9, "minute": 30])
    #expect(
      NotificationTime(at: "09:30:07", repeats: true)?.trigger
        == ["kind": "calendar", "hour": 9, "minute": 30, "second": 7, "repeats": true])
    #expect(
      NotificationTime(at: "09:30", every: 2, repeats: true)?.trigger
        == ["kind": "calendar", "weekday": 2, "hour": 9, "minute": 30, "repeats": true])
    for text in ["2026-12-01 09:30", "2026-12-01T09:30"] {
      #expect(
        NotificationTime(at: text)?.trigger
          == ["kind": "calendar", "year": 2026, "month": 12, "day": 1, "hour": 9, "minute": 30])
    }
  }

  @Test(arguments: [
    "", "9:30", "09", "09:3", "09:30:", "09:30:00:00", "0930", "-9:30", "09:-1", "noon", "1 2 09:30",
    "2026-12 09:30", "26-12-01 09:30", "2026-12-01", "+9:30", "٠٩:٣٠", "1960-01-01T00:00:00Z",
  ])
  func `of the clock is rejected`(text: String) { #expect(NotificationTime(at: text) == nil) }

  @Test(arguments: ["2026-12-01 09:30", "2026-12-01T09:30:00Z"])
  func `with a date does not repeat`(text: String) {
    #expect(NotificationTime(at: text, repeats: true) == nil)
    #expect(NotificationTime(at: text, every: 2) == nil)
  }

  @Test(arguments: [
    ("90s", 90.0), ("15m", 900), ("1h30m", 5_400), ("2d", 172_800), ("1w", 604_800), ("0.5s", 0.5),
    ("1.5h", 5_400),
  ])
  func `after which it is due is an interval`(text: String, seconds: Double) {
    #expect(NotificationTime(after: text)?.trigger == ["kind": "interval", "interval": .real(seconds)])
    #expect(
      NotificationTime(after: text, repeats: true)?.trigger
        == ["kind": "interval", "interval": .real(seconds), "repeats": true])
  }

  @Test(arguments: [
    "", "0s", "s", "10", "1h30", "1x", "-1s", "1..5s", ".s", "1e9s", "inf", "nan", "1 h", "99999999999w",
    String(repeating: "9", count: 400) + "s", "٣s",
  ])
  func `after which it is due is rejected`(text: String) { #expect(NotificationTime(after: text) == nil) }

  @Test func `of components is a calendar trigger`() {
    #expect(
      NotificationTime(components: "month=12,day=24,hour=18", repeats: true)?.trigger
        == ["kind": "calendar", "month": 12, "day": 24, "hour": 18, "repeats": true])
    #expect(
      NotificationTime(components: "weekday=1", repeats: false)?.trigger == [
        "kind": "calendar", "weekday": 1,
      ])
  }

  @Test(arguments: [
    "", ",", "month", "month=", "=1", "century=20", "month=x", "month=1=2", "kind=1", "month=1;day=2",
  ])
  func `of components is rejected`(text: String) {
    #expect(NotificationTime(components: text, repeats: false) == nil)
  }
}
