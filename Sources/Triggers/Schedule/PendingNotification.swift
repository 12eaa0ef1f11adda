// SPDX-License-Identifier: Apache-2.0
/// A stored notification whose trigger is not due, or was not handled yet.
public struct PendingNotification: Hashable, Sendable {
  /// The application, by desktop-file ID.
  public var application: String
  /// The notification; its trigger is present.
  public var request: NotificationRequest
  /// The time from which the next date is computed: when it was stored, or when it was last due.
  public var anchor: WallTime
  /// A Boolean value that is `true` if the user created it, and not the application.
  public var isOfUser: Bool
  /// The position of the computer relative to the region of its trigger; unknown for other triggers.
  public var regionState: RegionState

  /// Creates a pending notification.
  public init(
    application: String, request: NotificationRequest, anchor: WallTime, isOfUser: Bool,
    regionState: RegionState = .unknown
  ) {
    self.application = application
    self.request = request
    self.anchor = anchor
    self.isOfUser = isOfUser
    self.regionState = regionState
  }

  /// The region of its trigger; `nil` for other triggers.
  public var region: CircularRegion? {
    if case .region(let region, _) = request.trigger { region } else { nil }
  }
}

/// The state of a trigger at a time.
public enum TriggerState: Hashable, Sendable {
  /// It is due at this time.
  case waiting(until: WallTime)
  /// It was due at `date`, and next at a time after `anchor`; `nil` if it does not repeat.
  case due(date: WallTime, anchor: WallTime?)
  /// It was due too long ago to be shown; `anchor` as above.
  case missed(date: WallTime, anchor: WallTime?)
  /// It is due when the computer enters or leaves a region, and at no time.
  case waitingForRegion
  /// It is never due again.
  case never
}

extension PendingNotification {
  /// Returns the state of the trigger at `now`.
  ///
  /// One that repeats is due once for all the times that have passed.
  ///
  /// - Parameter zone: Returns the rules of a named zone, and of the system's zone for `nil`.
  public func state(at now: WallTime, zone: (String?) -> TimeZoneRules) -> TriggerState {
    guard let trigger = request.trigger else { return .due(date: anchor, anchor: nil) }
    if case .region = trigger { return .waitingForRegion }
    guard let next = trigger.next(after: anchor, zone: zone) else { return .never }
    guard next <= now else { return .waiting(until: next) }
    let date = trigger.repeats ? trigger.last(from: next, to: now, zone: zone) : next
    let isMissed = now.milliseconds - date.milliseconds > NotificationLimits.missed
    let repeated = trigger.repeats ? date : nil
    return isMissed ? .missed(date: date, anchor: repeated) : .due(date: date, anchor: repeated)
  }

  /// Moves the anchor after the clock was set.
  ///
  /// An interval counts time that passes, so it does not change with the clock. An anchor that is more than a day in the future
  /// would delay a calendar trigger, after a clock that was wrong.
  ///
  /// - Parameter milliseconds: By how much the clock was set forward; negative if it was set back.
  public mutating func moveAnchor(byClockChange milliseconds: Int64, now: WallTime) {
    switch request.trigger {
    case .interval: anchor = anchor + milliseconds
    case .region: break
    case .calendar, .date, nil: anchor = min(anchor, now + 86_400_000)
    }
  }
}

extension NotificationTrigger {
  /// Returns the first date after `anchor`; `nil` if it is not due again, or not at a date.
  public func next(after anchor: WallTime, zone: (String?) -> TimeZoneRules) -> WallTime? {
    switch self {
    case .interval(let interval, _): anchor + interval
    case .date(let date): date
    case .region: nil
    case .calendar(let components, let name, _):
      components.next(after: anchor.seconds, in: zone(name)).map(WallTime.init(seconds:))
    }
  }

  /// Returns the last date that is not after `now`, of a trigger that repeats and was first due at `first`.
  fileprivate func last(from first: WallTime, to now: WallTime, zone: (String?) -> TimeZoneRules) -> WallTime
  {
    switch self {
    case .interval(let interval, _):
      return first + (now.milliseconds - first.milliseconds) / interval * interval
    case .date, .region: return first
    case .calendar:
      // A window limits the number of dates, because a trigger may be due every minute.
      for window: Int64 in [60_000, 3_600_000, 86_400_000, NotificationLimits.missed] {
        var date = next(after: now + -window, zone: zone)
        guard var last = date, last <= now else { continue }
        while let following = date, following <= now {
          last = following
          date = next(after: following, zone: zone)
        }
        return max(last, first)
      }
      return first
    }
  }
}
