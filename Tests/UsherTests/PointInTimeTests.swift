// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import UsherCommand

@Suite struct `A time in an argument` {
  @Test(arguments: [
    ("2026-11-24T09:30:00Z", 1_795_512_600), ("2026-11-24T09:30Z", 1_795_512_600), ("1970-01-01T00:00Z", 0),
    ("2026-11-24 09:30:07Z", 1_795_512_607), ("30m", 998_200), ("2h", 992_800), ("1d", 913_600),
  ])
  func `is read`(text: String, seconds: UInt64) {
    #expect(PointInTime(text, now: 1_000_000)?.microseconds == seconds * 1_000_000)
  }

  @Test func `without Z is one of the local time zone`() throws {
    var fields = tm()
    (fields.tm_year, fields.tm_mon, fields.tm_mday, fields.tm_isdst) = (126, 10, 24, -1)
    let midnight = UInt64(mktime(&fields)) * 1_000_000
    #expect(PointInTime("2026-11-24", now: 0)?.microseconds == midnight)
    #expect(PointInTime("2026-11-24 00:01", now: 0)?.microseconds == midnight + 60_000_000)
  }

  @Test(arguments: [
    "", "yesterday", "2026-11-31", "2026-13-01", "2026-11-24T25:00", "2026-11-24T9", "2026-11", "-1h", "1",
    "h",
    "99999999999999999999d", "2026-11-24T09:30:00+01:00", "2026-11-24 09:30 x", "1969-12-31T23:00Z",
  ])
  func `is rejected`(text: String) { #expect(PointInTime(text, now: 1_000_000) == nil) }
}
