// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
@testable import Triggers

@Suite struct CalendarTests {
  static let zones = [
    "UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe",
    "Asia/Kolkata", "Asia/Kathmandu", "Pacific/Apia", "Pacific/Chatham", "Africa/Casablanca",
    "America/Santiago",
    "Asia/Tehran", "America/Nuuk", "Antarctica/Troll", "Europe/Dublin",
  ]

  static func rules(_ name: String) throws -> TimeZoneRules {
    let bytes = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))
    return try #require(TimeZoneRules(Array(bytes)), "\(name)")
  }

  private static func seconds(_ text: String) throws -> Int64 {
    Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970)
  }

  @Test(arguments: [
    // Clocks are set from 2:00 to 3:00 on 29 March 2026, and from 3:00 to 2:00 on 25 October 2026.
    ("2026-03-28T12:00:00Z", CalendarComponents(hour: 2, minute: 30), "2026-03-29T01:00:00Z"),
    ("2026-10-24T12:00:00Z", CalendarComponents(hour: 2, minute: 30), "2026-10-25T00:30:00Z"),
    ("2026-10-25T00:30:00Z", CalendarComponents(hour: 2, minute: 30), "2026-10-26T01:30:00Z"),
    // An hour that is not given counts each time.
    ("2026-10-25T00:45:00Z", CalendarComponents(minute: 30), "2026-10-25T01:30:00Z"),
    ("2026-03-29T00:45:00Z", CalendarComponents(minute: 30), "2026-03-29T01:30:00Z"),
    ("2026-11-24T08:00:00Z", CalendarComponents(hour: 9), "2026-11-25T08:00:00Z"),
    ("2026-11-24T07:59:59Z", CalendarComponents(hour: 9), "2026-11-24T08:00:00Z"),
    ("2026-11-24T12:00:00Z", CalendarComponents(weekday: 2, hour: 9), "2026-11-30T08:00:00Z"),
    ("2026-11-24T12:00:00Z", CalendarComponents(month: 2, day: 29), "2028-02-28T23:00:00Z"),
    ("2026-11-24T12:00:00Z", CalendarComponents(day: 31), "2026-12-30T23:00:00Z"),
    ("2026-11-24T12:00:00Z", CalendarComponents(month: 7, hour: 3), "2027-07-01T01:00:00Z"),
    ("2026-07-10T12:00:00Z", CalendarComponents(month: 7, hour: 3), "2026-07-11T01:00:00Z"),
  ])
  func `A calendar trigger is due at the next match`(
    start: String, components: CalendarComponents, next: String
  ) throws {
    let found = components.next(after: try Self.seconds(start), in: try Self.rules("Europe/Berlin"))
    #expect(found == (try Self.seconds(next)))
  }

  @Test(arguments: [CalendarComponents(month: 2, day: 30), CalendarComponents(year: 2020, month: 1)])
  func `Components that never match are due at no time`(components: CalendarComponents) throws {
    #expect(components.next(after: 1_800_000_000, in: .utc) == nil)
  }

  @Test(arguments: [
    "", "TZif", "TZif2" + String(repeating: "\0", count: 39),
    "TZif2" + String(repeating: "\u{7f}", count: 400),
  ])
  func `Bytes that are no zone are rejected`(text: String) { #expect(TimeZoneRules(Array(text.utf8)) == nil) }

  @Test func `Offsets are those of the C library's zones`() throws {
    var random = SeededGenerator(seed: 7)
    for name in Self.zones {
      let rules = try Self.rules(name)
      let zone = try #require(TimeZone(identifier: name))
      for _ in 0..<500 {
        let time = Int64.random(in: 0...4_000_000_000, using: &random)
        let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time)))
        #expect(rules.offset(at: time) == Int64(expected), "\(name) at \(time)")
      }
    }
  }

  @Test func `Ten thousand random components are due when Foundation says`() throws {
    var random = SeededGenerator(seed: 30)
    var differences = 0
    let all = try Self.zones.map { ($0, try Self.rules($0)) }
    for number in 0..<10_000 {
      let (name, rules) = all[number % all.count]
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: name))
      let components = CalendarComponents.random(using: &random)
      let start = Int64.random(in: 1_600_000_000...1_900_000_000, using: &random)
      let expected = calendar.nextDate(
        after: Date(timeIntervalSince1970: Double(start)), matching: components.foundation,
        matchingPolicy: .nextTime, repeatedTimePolicy: .first)
      let found = components.next(after: start, in: rules)
      guard found != expected.map({ Int64($0.timeIntervalSince1970) }) else { continue }
      differences += 1
      // Foundation leaves the month, day or hour of the start, although it has further matches, and replaces the 31st of a short
      // month with the next day. The result here must be an earlier time that has all components, or a later one of a short month.
      let date = found.map { Date(timeIntervalSince1970: Double($0)) }
      let isMatch = date.map { calendar.date($0, matchesComponents: components.foundation) }
      #expect(isMatch != false, "\(name) from \(start): \(components)")
      let isEarlier = date.flatMap { date in expected.map { date < $0 } } == true
      #expect(isEarlier || (components.day ?? 0) > 28, "\(name) from \(start): \(components)")
    }
    #expect(differences < 300)
  }
}

extension CalendarComponents {
  fileprivate static func random(using random: inout SeededGenerator) -> CalendarComponents {
    var components = CalendarComponents()
    if Int.random(in: 0..<6, using: &random) == 0 {
      components.year = Int.random(in: 2018...2035, using: &random)
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      components.month = Int.random(in: 1...12, using: &random)
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: components.day = Int.random(in: 1...31, using: &random)
    case 1: components.weekday = Int.random(in: 1...7, using: &random)
    default: break
    }
    if Bool.random(using: &random) { components.hour = Int.random(in: 0...23, using: &random) }
    if Bool.random(using: &random) { components.minute = Int.random(in: 0...59, using: &random) }
    if Int.random(in: 0..<3, using: &random) == 0 {
      components.second = Int.random(in: 0...59, using: &random)
    }
    if components == CalendarComponents() { components.hour = 9 }
    return components
  }

  fileprivate var foundation: DateComponents {
    DateComponents(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, weekday: weekday)
  }
}
