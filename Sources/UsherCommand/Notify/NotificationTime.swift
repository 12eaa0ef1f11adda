// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Triggers

/// The time of a notification as the arguments of `usher notify` give it.
struct NotificationTime {
  /// The trigger as `AddNotification` expects it.
  let trigger: PropertyList

  /// Parses a time: of RFC 3339, of the local clock with or without a date, or of a day.
  ///
  /// - Parameter repeats: Whether a time without a date is due each day.
  init?(at text: String, every weekday: Int? = nil, repeats: Bool = false) {
    if let time = DateTime(text).flatMap(WallTime.init) {
      guard !repeats, weekday == nil else { return nil }
      trigger = ["kind": "date", "date": .integer(time.milliseconds)]
      return
    }
    let parts = text.split(whereSeparator: { $0 == " " || $0 == "T" })
    guard let clock = parts.last, parts.count <= 2 else { return nil }
    var entries: [String: PropertyList] = ["kind": "calendar"]
    if parts.count == 2 {
      guard !repeats, weekday == nil,
        let date = Self.numbers(parts[0], separatedBy: "-", digits: [4, 2, 2]), date.count == 3
      else { return nil }
      for (key, number) in zip(["year", "month", "day"], date) { entries[key] = .integer(number) }
    }
    guard let time = Self.numbers(clock, separatedBy: ":", digits: [2, 2, 2]), time.count >= 2 else {
      return nil
    }
    for (key, number) in zip(["hour", "minute", "second"], time) { entries[key] = .integer(number) }
    if let weekday { entries["weekday"] = .integer(Int64(weekday)) }
    if repeats { entries["repeats"] = true }
    trigger = .dictionary(entries)
  }

  /// Parses a duration such as `90s`, `15m`, `1h30m` or `2d`.
  init?(after text: String, repeats: Bool = false) {
    guard let seconds = Self.seconds(text) else { return nil }
    var entries: [String: PropertyList] = ["kind": "interval", "interval": .real(seconds)]
    if repeats { entries["repeats"] = true }
    trigger = .dictionary(entries)
  }

  /// Parses calendar components such as `month=12,day=24,hour=18`.
  init?(components text: String, repeats: Bool) {
    var entries: [String: PropertyList] = ["kind": "calendar"]
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, let number = Int64(pair[1]),
        ["year", "month", "day", "weekday", "hour", "minute", "second"].contains(pair[0])
      else { return nil }
      entries[String(pair[0])] = .integer(number)
    }
    guard entries.count > 1 else { return nil }
    if repeats { entries["repeats"] = true }
    trigger = .dictionary(entries)
  }

  /// The weekdays, of which the first is 1.
  static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

  private static func numbers(
    _ text: Substring, separatedBy separator: Character, digits: [Int]
  ) -> [Int64]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count <= digits.count, zip(parts, digits).allSatisfy({ $0.utf8.count == $1 }) else {
      return nil
    }
    let numbers = parts.compactMap { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int64($0) : nil }
    return numbers.count == parts.count ? numbers : nil
  }

  private static func seconds(_ text: String) -> Double? {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
    var (total, number) = (0.0, "")
    for character in text {
      if character.isASCII, character.isNumber || character == "." {
        number.append(character)
        continue
      }
      guard let unit = units[character], let count = Double(number) else { return nil }
      total += count * unit
      number = ""
    }
    guard number.isEmpty, total > 0, total <= NotificationLimits.interval else { return nil }
    return total
  }
}
