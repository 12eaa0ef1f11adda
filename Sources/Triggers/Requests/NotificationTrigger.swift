// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// The condition on which a notification is due.
public enum NotificationTrigger: Hashable, Sendable {
  /// A time after the trigger was stored, in milliseconds.
  case interval(Int64, repeats: Bool)
  /// The next time with these components, in a named zone, or in that of the system.
  case calendar(CalendarComponents, zone: String?, repeats: Bool)
  /// A date.
  case date(WallTime)
  /// The computer enters or leaves a region, as the region says.
  case region(CircularRegion, repeats: Bool)

  /// Indicates whether it is due more than once.
  public var repeats: Bool {
    switch self {
    case .interval(_, let repeats), .calendar(_, _, let repeats), .region(_, let repeats): repeats
    case .date: false
    }
  }

  init(_ fields: PropertyListFields) throws(MessageError) {
    switch try fields.identifier("kind") {
    case nil: throw fields.missing("kind")
    case "interval":
      let repeats = try fields.flag("repeats")
      guard let seconds = try fields.real("interval") else { throw fields.missing("interval") }
      guard seconds > 0, seconds <= NotificationLimits.interval else {
        throw fields.error("interval", "greater than 0, in seconds, and at most 100 years")
      }
      guard !repeats || seconds >= NotificationLimits.repeatingInterval else {
        throw fields.error("interval", "at least 60 seconds if it repeats")
      }
      self = .interval(Int64((seconds * 1_000).rounded(.up)), repeats: repeats)
    case "date":
      guard let date = try fields.integer("date", 0...NotificationLimits.latestDate) else {
        throw fields.missing("date")
      }
      self = .date(WallTime(milliseconds: date))
    case "calendar":
      self = .calendar(
        try CalendarComponents(fields), zone: try fields.identifier("time-zone"),
        repeats: try fields.flag("repeats"))
    case "region":
      guard let value = try fields.fields("region") else { throw fields.missing("region") }
      let region = try CircularRegion(value)
      guard region.notifyOnEntry || region.notifyOnExit else {
        throw value.error(
          "notify-on-entry", "true if notify-on-exit is false, or the notification is never due")
      }
      self = .region(region, repeats: try fields.flag("repeats"))
    default: throw fields.error("kind", "one of: interval, calendar, date, region")
    }
  }

  /// The trigger as a property list.
  public var propertyList: [String: PropertyList] {
    var entries: [String: PropertyList]
    switch self {
    case .interval(let milliseconds, _):
      entries = ["kind": "interval", "interval": .real(Double(milliseconds) / 1_000)]
    case .date(let date): entries = ["kind": "date", "date": .integer(date.milliseconds)]
    case .calendar(let components, let zone, _):
      entries = components.propertyList
      entries["kind"] = "calendar"
      entries.set("time-zone", zone)
    case .region(let region, _): entries = ["kind": "region", "region": region.propertyList]
    }
    entries.set("repeats", repeats)
    return entries
  }
}

extension CalendarComponents {
  fileprivate init(_ fields: PropertyListFields) throws(MessageError) {
    func component(_ key: String, _ range: ClosedRange<Int64>) throws(MessageError) -> Int? {
      try fields.integer(key, range).map(Int.init)
    }
    self.init(
      year: try component("year", 1970...9999), month: try component("month", 1...12),
      day: try component("day", 1...31), weekday: try component("weekday", 1...7),
      hour: try component("hour", 0...23), minute: try component("minute", 0...59),
      second: try component("second", 0...59))
    guard self != CalendarComponents() else { throw fields.missing("hour") }
  }

  fileprivate var propertyList: [String: PropertyList] {
    let components = [
      ("year", year), ("month", month), ("day", day), ("weekday", weekday), ("hour", hour),
      ("minute", minute), ("second", second),
    ]
    var entries: [String: PropertyList] = [:]
    for case (let key, let value?) in components { entries[key] = .integer(Int64(value)) }
    return entries
  }
}
