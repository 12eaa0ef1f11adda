// SPDX-License-Identifier: Apache-2.0
/// The value of `TZ` with which a TZif file ends: the offsets of a zone in every later year (POSIX, section 8.3; RFC 8536, section 3.3.1).
struct YearlyZoneRule: Hashable, Sendable {
  /// A day of each year, and a time on it in seconds after midnight, which may be negative or longer than a day.
  private struct Change: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// 1 to 365; 29 February is never counted.
      case julian(Int)
      /// 0 to 365; 29 February is counted.
      case zeroBased(Int)
      /// The n-th weekday (0: Sunday) of a month; 5 is the last one.
      case weekday(month: Int, week: Int, weekday: Int)
    }
    let day: Day
    let time: Int64

    /// Returns the local time in a year, in seconds since 1970.
    func local(in year: Int) -> Int64 { Int64(number(in: year)) * 86_400 + time }

    private func number(in year: Int) -> Int {
      let first = CivilDate(year: year, month: 1, day: 1).number
      switch day {
      case .zeroBased(let day): return first + day
      case .julian(let day): return first + day - 1 + (day >= 60 && CivilDate.isLeap(year) ? 1 : 0)
      case .weekday(let month, let week, let weekday):
        let start = CivilDate(year: year, month: month, day: 1)
        let next = CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1).number
        var number = start.number + (weekday - (start.weekday - 1) + 7) % 7 + 7 * (week - 1)
        while number >= next { number -= 7 }
        return number
      }
    }
  }

  /// The offset of standard time, in seconds east of UTC.
  let standard: Int64
  private let daylight: (offset: Int64, start: Change, end: Change)?

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.standard == rhs.standard && lhs.daylight?.offset == rhs.daylight?.offset
      && lhs.daylight?.start == rhs.daylight?.start && lhs.daylight?.end == rhs.daylight?.end
  }

  func hash(into hasher: inout Hasher) { hasher.combine(standard) }

  /// Parses a rule; `nil` if it is malformed.
  init?(_ text: String) {
    var reader = RuleReader(bytes: Array(text.utf8))
    guard reader.name(), let west = reader.time(maximumHours: 24) else { return nil }
    standard = -west
    guard !reader.isAtEnd else {
      daylight = nil
      return
    }
    guard reader.name() else { return nil }
    var offset = standard + 3_600
    if reader.next != UInt8(ascii: ","), !reader.isAtEnd {
      guard let west = reader.time(maximumHours: 24) else { return nil }
      offset = -west
    }
    guard let start = Self.change(&reader), let end = Self.change(&reader), reader.isAtEnd else { return nil }
    daylight = (offset, start, end)
  }

  private static func change(_ reader: inout RuleReader) -> Change? {
    guard reader.skip(","), let day = day(&reader) else { return nil }
    guard reader.skip("/") else { return Change(day: day, time: 7_200) }
    return reader.time(maximumHours: 167).map { Change(day: day, time: $0) }
  }

  private static func day(_ reader: inout RuleReader) -> Change.Day? {
    if reader.skip("M") {
      guard let month = reader.number(1...12), reader.skip("."), let week = reader.number(1...5),
        reader.skip("."), let weekday = reader.number(0...6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
    if reader.skip("J") { return reader.number(1...365).map { .julian($0) } }
    return reader.number(0...365).map { .zeroBased($0) }
  }

  /// Returns the offset at a time, in seconds east of UTC.
  func offset(at time: Int64) -> Int64 {
    guard daylight != nil else { return standard }
    return changes(around: time...time).last { $0.time <= time }?.after ?? standard
  }

  /// Returns the transitions in a range of times, in their order.
  func transitions(in range: ClosedRange<Int64>) -> [TimeZoneRules.Transition] {
    guard daylight != nil else { return [] }
    return changes(around: range).filter { range.contains($0.time) && $0.before != $0.after }
  }

  /// Returns all changes from the year before a range to the year after it.
  private func changes(around range: ClosedRange<Int64>) -> [TimeZoneRules.Transition] {
    guard let daylight else { return [] }
    let first = CivilDate(number: Int(range.lowerBound / 86_400)).year - 1
    let last = CivilDate(number: Int(range.upperBound / 86_400)).year + 1
    var changes: [(time: Int64, offset: Int64)] = []
    for year in first...last {
      changes.append((daylight.end.local(in: year) - daylight.offset, standard))
      changes.append((daylight.start.local(in: year) - standard, daylight.offset))
    }
    // An end and a beginning at one time, as of daylight saving time throughout the year, leave daylight saving time on.
    changes.sort { $0.time != $1.time ? $0.time < $1.time : $0.offset == standard && $1.offset != standard }
    var offset = changes.first.map { $0.offset == standard ? daylight.offset : standard } ?? standard
    return changes.map { change in
      defer { offset = change.offset }
      return TimeZoneRules.Transition(time: change.time, before: offset, after: change.offset)
    }
  }
}

/// A reader of the characters of a rule.
private struct RuleReader {
  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    var (number, count) = (0, 0)
    while let digit = next, (48...57).contains(digit), count < 4 {
      number = number * 10 + Int(digit) - 48
      index += 1
      count += 1
    }
    return count > 0 && range.contains(number) ? number : nil
  }

  /// Skips the abbreviation of a zone: at least three letters, or any characters between `<` and `>`.
  mutating func name() -> Bool {
    if skip("<") {
      while let character = next, character != UInt8(ascii: ">") {
        _ = character
        index += 1
      }
      return skip(">")
    }
    let start = index
    while let character = next, (65...90).contains(character) || (97...122).contains(character) { index += 1 }
    return index - start >= 3
  }

  /// Reads `[+-]hh[:mm[:ss]]` in seconds.
  mutating func time(maximumHours: Int) -> Int64? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hours = number(0...maximumHours) else { return nil }
    var seconds = hours * 3_600
    for unit in [60, 1] where skip(":") {
      guard let number = number(0...59) else { return nil }
      seconds += number * unit
    }
    return Int64(isNegative ? -seconds : seconds)
  }
}
