// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc

/// A time in an argument, such as `2026-11-24`, `2026-11-24 09:30`, `2026-11-24T09:30:00Z` or `2h`.
struct PointInTime: ExpressibleByArgument {
  /// The time in microseconds since 1970.
  let microseconds: UInt64

  init?(argument: String) { self.init(argument, now: time(nil)) }

  /// Creates the time that a text states; `nil` if it states none.
  ///
  /// - Parameter now: The current time, in seconds since 1970.
  init?(_ text: String, now: Int) {
    guard let seconds = Self.age(text).map({ now - $0 }) ?? Self.date(text), seconds >= 0 else { return nil }
    microseconds = UInt64(seconds) * 1_000_000
  }

  /// Returns the seconds of a number of minutes, hours or days, such as `30m`; `nil` for other texts.
  private static func age(_ text: String) -> Int? {
    let units = ["m": 60, "h": 3_600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[String($0)] }), let number = Int(text.dropLast()),
      (0...1_000_000).contains(number)
    else { return nil }
    return number * unit
  }

  /// Returns the seconds since 1970 of a date with or without a time; `nil` for other texts.
  private static func date(_ text: String) -> Int? {
    let isUTC = text.hasSuffix("Z")
    let parts = (isUTC ? text.dropLast() : text[...]).split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "T" || $0 == " " })
    guard let day = parts.first.flatMap({ numbers($0, separator: "-") }), day.count == 3 else { return nil }
    var clock = [0, 0, 0]
    if parts.count > 1 {
      guard let read = numbers(parts[1], separator: ":"), (2...3).contains(read.count) else { return nil }
      clock = read + (read.count == 2 ? [0] : [])
    }
    guard (1970...9999).contains(day[0]), (1...12).contains(day[1]), (1...31).contains(day[2]),
      clock[0] < 24, clock[1] < 60, clock[2] < 60
    else { return nil }
    var fields = tm()
    (fields.tm_year, fields.tm_mon, fields.tm_mday) = (Int32(day[0] - 1900), Int32(day[1] - 1), Int32(day[2]))
    (fields.tm_hour, fields.tm_min, fields.tm_sec) = (Int32(clock[0]), Int32(clock[1]), Int32(clock[2]))
    // The C library decides whether summer time applies.
    fields.tm_isdst = -1
    let seconds = isUTC ? timegm(&fields) : mktime(&fields)
    // It moves a day that the month does not have into the next one.
    return fields.tm_mday == Int32(day[2]) ? seconds : nil
  }

  /// Returns numbers of at most four digits; `nil` if a part is no such number.
  private static func numbers(_ text: Substring, separator: Character) -> [Int]? {
    var numbers: [Int] = []
    for part in text.split(separator: separator, omittingEmptySubsequences: false) {
      guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = Int(part)
      else { return nil }
      numbers.append(number)
    }
    return numbers
  }
}
