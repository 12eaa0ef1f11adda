// SPDX-License-Identifier: Apache-2.0
import Scenes

/// A notification and its trigger.
public struct UNNotificationRequest {
  /// The identifier that the application gave to the notification.
  public let identifier: String
  /// The content.
  public let content: UNNotificationContent
  /// The trigger; `nil` if the notification is due at once, and in a ``UNNotification`` that the application has scheduled.
  public let trigger: UNNotificationTrigger?

  /// Creates a request.
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    self.identifier = identifier
    self.content = content
    self.trigger = trigger
  }

  init(_ request: NotificationRequest) {
    self.init(
      identifier: request.identifier, content: UNNotificationContent(request.content),
      trigger: request.trigger.map(UNNotificationTrigger.of))
  }

  /// The request of `Scenes`.
  ///
  /// - Throws: ``NoPropertyList`` if the data of the application is no property list, and ``CLError`` if the center of the region is not on
  ///   the Earth.
  var request: NotificationRequest {
    get throws {
      if let trigger = trigger as? UNLocationNotificationTrigger, trigger.trigger == nil {
        throw CLError(
          code: .regionMonitoringFailure,
          errorDescription: "the center of the region “\(trigger.region.identifier)” is not on the Earth")
      }
      return NotificationRequest(
        identifier: identifier, content: try content.content, trigger: trigger?.trigger)
    }
  }
}

/// The condition on which a notification is due.
public class UNNotificationTrigger {
  /// The trigger of `Scenes`; `nil` for a notification that a server has sent, and for a region that is not valid.
  let trigger: NotificationTrigger?
  /// A Boolean value that indicates whether the notification is due more than once.
  public var repeats: Bool { trigger?.repeats ?? false }

  fileprivate init(_ trigger: NotificationTrigger?) { self.trigger = trigger }

  /// Returns a trigger in UIKit's class for it.
  static func of(_ trigger: NotificationTrigger) -> UNNotificationTrigger {
    switch trigger {
    case .interval(let milliseconds, let repeats):
      UNTimeIntervalNotificationTrigger(timeInterval: Double(milliseconds) / 1_000, repeats: repeats)
    case .calendar, .date: UNCalendarNotificationTrigger(of: trigger)
    case .region(let region, let repeats):
      UNLocationNotificationTrigger(region: CLCircularRegion(region), repeats: repeats)
    }
  }
}

/// The trigger of a remote notification: its server has sent it.
public final class UNPushNotificationTrigger: UNNotificationTrigger {
  init() { super.init(nil) }
}

/// The trigger of a region that the computer enters or leaves.
///
/// The user must allow the location, too: call `requestAlwaysAuthorization()` of a `CLLocationManager` before.
public final class UNLocationNotificationTrigger: UNNotificationTrigger {
  /// A copy of the region.
  public let region: CLRegion

  /// Creates a trigger; `notifyOnEntry` and `notifyOnExit` of the region say for which changes the notification is due.
  public init(region: CLRegion, repeats: Bool) {
    let circle = (region as? CLCircularRegion)?.region
    let copy: CLRegion? = circle.map { CLCircularRegion($0) }
    self.region = copy ?? region
    super.init(circle.map { NotificationTrigger.crossing($0, repeats: repeats) })
  }
}

/// The trigger of a time that passes.
public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
  /// The time in seconds.
  public let timeInterval: TimeInterval

  /// Creates a trigger; one that repeats needs at least 60 seconds.
  ///
  /// A notification with an interval of 0 or less, above 100 years, or that is no number, cannot be added.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    self.timeInterval = timeInterval
    let milliseconds = (timeInterval * 1_000).rounded(.up)
    super.init(
      .interval(Int64(exactly: milliseconds) ?? (milliseconds > 0 ? .max : .min), repeats: repeats))
  }

  /// Returns the time at which a notification that is scheduled now is due.
  public func nextTriggerDate() -> Date? { Date(timeIntervalSinceNow: timeInterval) }
}

/// The trigger of the next time with the given components.
public final class UNCalendarNotificationTrigger: UNNotificationTrigger {
  /// The components.
  public let dateComponents: DateComponents

  /// Creates a trigger; a time zone of the components is kept by its name.
  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(
      .matching(
        CalendarComponents(
          year: dateComponents.year, month: dateComponents.month, day: dateComponents.day,
          weekday: dateComponents.weekday, hour: dateComponents.hour, minute: dateComponents.minute,
          second: dateComponents.second),
        timeZone: dateComponents.timeZone?.identifier, repeats: repeats))
  }

  fileprivate init(of trigger: NotificationTrigger) {
    switch trigger {
    case .calendar(let components, let zone, _):
      dateComponents = DateComponents(
        timeZone: zone.flatMap(TimeZone.init(identifier:)), year: components.year, month: components.month,
        day: components.day, hour: components.hour, minute: components.minute, second: components.second,
        weekday: components.weekday)
    case .date(let date):
      dateComponents = Calendar(identifier: .gregorian).dateComponents(
        [.year, .month, .day, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: Double(date.milliseconds) / 1_000))
    case .interval, .region: dateComponents = DateComponents()
    }
    super.init(trigger)
  }

  /// Returns the next time with the components.
  public func nextTriggerDate() -> Date? {
    var calendar = Calendar(identifier: .gregorian)
    if let zone = dateComponents.timeZone { calendar.timeZone = zone }
    return calendar.nextDate(after: Date(), matching: dateComponents, matchingPolicy: .nextTime)
  }
}
