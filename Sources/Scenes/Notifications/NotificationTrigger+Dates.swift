// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import Triggers

extension NotificationTrigger {
  /// Returns the trigger of a time that passes, corresponding to `UNTimeIntervalNotificationTrigger`.
  ///
  /// The time counts while the machine is suspended, and does not change when the clock is set.
  ///
  /// - Parameters:
  ///   - duration: The time, rounded up to milliseconds; at least 60 seconds if the trigger repeats.
  ///   - repeats: Whether the notification is due again each time that `duration` has passed.
  public static func after(_ duration: Duration, repeats: Bool = false) -> Self {
    let (seconds, attoseconds) = duration.components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000)
    guard !isTooLong else { return .interval(seconds < 0 ? .min : .max, repeats: repeats) }
    let part = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return .interval(whole.addingReportingOverflow(part).partialValue, repeats: repeats)
  }

  /// Returns the trigger of a date; one in the past is due at once.
  public static func at(_ date: Date) -> Self { .date(WallTime(date)) }

  /// Returns the trigger of the next time that has the given components, corresponding to
  /// `UNCalendarNotificationTrigger`.
  ///
  /// ```swift
  /// .matching(CalendarComponents(weekday: 2, hour: 9), repeats: true)   // each Monday at 9:00
  /// ```
  /// - Parameters:
  ///   - timeZone: A name of the time zone database, such as `Europe/Berlin`; `nil` for the zone of the system, also
  ///     after it changes.
  ///   - repeats: Whether the notification is due at each such time.
  public static func matching(
    _ components: CalendarComponents, timeZone: String? = nil, repeats: Bool = false
  ) -> Self { .calendar(components, zone: timeZone, repeats: repeats) }
}

extension WallTime {
  /// Creates the time of a date, rounded to milliseconds; a date that is no number of milliseconds is the nearest one.
  init(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    self.init(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
  }
}

extension Date {
  /// Creates the date of a time.
  init(_ time: WallTime) { self.init(timeIntervalSince1970: Double(time.milliseconds) / 1_000) }
}
