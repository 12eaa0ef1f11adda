// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// A measured location: a point, and the radius of the circle in which the computer is.
public struct Location: Hashable, Sendable {
  /// The most probable point.
  public var coordinate: Coordinate
  /// The radius of the circle in which the computer is, in metres; never negative.
  public var horizontalAccuracy: Double
  /// The time of the measurement.
  public var date: WallTime
  /// The height above the sea in metres; `nil` if it is unknown.
  public var altitude: Double?
  /// The speed in metres per second; `nil` if it is unknown.
  public var speed: Double?
  /// The direction of the movement in degrees, clockwise from the north; `nil` if it is unknown.
  public var course: Double?

  /// Creates a location; `nil` if the accuracy is negative, infinite or no number.
  public init?(coordinate: Coordinate, horizontalAccuracy: Double, date: WallTime) {
    guard horizontalAccuracy >= 0, horizontalAccuracy.isFinite else { return nil }
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.date = date
  }

  /// Reads a location from a payload.
  public init(_ value: PropertyList) throws(MessageError) {
    let fields = try PropertyListFields(value)
    let (coordinate, accuracy) = (try Coordinate(fields), try fields.real("accuracy") ?? 0)
    let date = WallTime(
      milliseconds: try fields.integer("date", 0...NotificationLimits.latestDate) ?? 0)
    guard let location = Location(coordinate: coordinate, horizontalAccuracy: accuracy, date: date) else {
      throw fields.error("accuracy", "0 or more, in metres")
    }
    self = location
    altitude = try fields.real("altitude")
    speed = try fields.real("speed")
    course = try fields.real("course")
  }

  /// The location as a property list.
  public var propertyList: PropertyList {
    var entries = coordinate.propertyList
    entries["accuracy"] = .real(horizontalAccuracy)
    entries["date"] = .integer(date.milliseconds)
    for case (let key, let value?) in [("altitude", altitude), ("speed", speed), ("course", course)]
    where value.isFinite {
      entries[key] = .real(value)
    }
    return .dictionary(entries)
  }

  /// Returns the distance between the two points, in metres.
  public func distance(from other: Location) -> Double { coordinate.distance(to: other.coordinate) }
}
