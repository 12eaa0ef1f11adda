// SPDX-License-Identifier: Apache-2.0
/// Components of a date and time in the Gregorian calendar, of which only the given ones have to match.
///
/// A component below the smallest given one is its lowest value; any other absent component is arbitrary.
public struct CalendarComponents: Hashable, Sendable {
  /// The year.
  public var year: Int?
  /// The month, 1 to 12.
  public var month: Int?
  /// The day of the month, 1 to 31.
  public var day: Int?
  /// The weekday, 1 (Sunday) to 7 (Saturday).
  public var weekday: Int?
  /// The hour, 0 to 23.
  public var hour: Int?
  /// The minute, 0 to 59.
  public var minute: Int?
  /// The second, 0 to 59.
  public var second: Int?

  /// Creates components, of which absent ones are arbitrary.
  public init(
    year: Int? = nil, month: Int? = nil, day: Int? = nil, weekday: Int? = nil, hour: Int? = nil,
    minute: Int? = nil, second: Int? = nil
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.weekday = weekday
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Returns the next time after `time` with these components; `nil` if no later time has them.
  ///
  /// A given hour in a gap of local time is at the first moment after the gap; one that occurs twice is the first of them.
  /// Of an arbitrary hour both count, and none in a gap.
  ///
  /// - Parameter time: Seconds since 1970.
  public func next(after time: Int64, in zone: TimeZoneRules) -> Int64? {
    let local = time + zone.offset(at: time)
    var date = CivilDate(number: Int((Double(local) / 86_400).rounded(.down)))
    // The Gregorian calendar repeats after 400 years, weekdays included.
    let lastYear = min(year ?? date.year + 400, 9_999)
    if let year, date.year < year { date = CivilDate(year: year, month: 1, day: 1) }
    // A time before a gap of a whole day, as where the date line was moved, may be due on a later local day.
    while date.year <= lastYear {
      if let month, date.month != month {
        let isPast = date.month > month
        date = CivilDate(year: isPast ? date.year + 1 : date.year, month: month, day: 1)
        continue
      }
      if matches(date), let found = next(on: date, after: time, in: zone) { return found }
      date = CivilDate(number: date.number + 1)
    }
    return nil
  }

  private func matches(_ date: CivilDate) -> Bool {
    // Without a smaller component, a year or month begins on its first day.
    let first = weekday == nil && hour == nil && minute == nil && second == nil
    let wanted = (
      month: month ?? (first && day == nil && year != nil ? 1 : nil), day: day ?? (first ? 1 : nil)
    )
    return (year ?? date.year) == date.year && (wanted.month ?? date.month) == date.month
      && (wanted.day ?? date.day) == date.day && (weekday ?? date.weekday) == date.weekday
  }

  /// Returns the first time of a day after `time` that matches.
  private func next(on date: CivilDate, after time: Int64, in zone: TimeZoneRules) -> Int64? {
    let midnight = Int64(date.number) * 86_400
    let isArbitraryHour = hour == nil && (minute != nil || second != nil)
    let hours = hour.map { $0...$0 } ?? (isArbitraryHour ? 0...23 : 0...0)
    let minutes = minute.map { $0...$0 } ?? (second != nil ? 0...59 : 0...0)
    // Without a transition near the day, the offset is constant.
    let isConstant = zone.transitions(in: (midnight - 180_000)...(midnight + 180_000)).isEmpty
    let offset = zone.offset(at: midnight)
    var best: Int64?
    for hour in hours {
      for minute in minutes {
        let local = midnight + Int64(hour * 3_600 + minute * 60 + (second ?? 0))
        if isConstant {
          if local - offset > time { return local - offset }
        } else {
          let times = isArbitraryHour ? zone.times(ofLocal: local) : [zone.time(ofLocal: local)]
          if let first = times.first(where: { $0 > time }), best.map({ first < $0 }) ?? true { best = first }
        }
      }
    }
    return best
  }
}
