// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces
public import DBus

/// A circle on the Earth whose border an application monitors: the `region` of `org.usher.Triggers1.AddRegion`.
public struct CircularRegion: Hashable, Sendable {
  /// `identifier` s: its identifier in the application.
  public var identifier: String
  /// `latitude` d and `longitude` d: its center.
  public var center: Coordinate
  /// `radius` d: its radius in metres.
  public var radius: Double
  /// `notify-on-entry` b: indicates whether the application is informed when it is entered.
  public var notifyOnEntry: Bool
  /// `notify-on-exit` b: indicates whether the application is informed when it is left.
  public var notifyOnExit: Bool

  /// Creates a region.
  public init(
    identifier: String, center: Coordinate, radius: Double, notifyOnEntry: Bool = true,
    notifyOnExit: Bool = true
  ) {
    self.identifier = identifier
    self.center = center
    self.radius = radius
    self.notifyOnEntry = notifyOnEntry
    self.notifyOnExit = notifyOnExit
  }

  /// Reads a region.
  /// - Throws: ``MessageError`` with the key, and never with a coordinate; the daemon replies `org.usher.Error.InvalidRequest`.
  public init(_ value: PropertyList) throws(MessageError) {
    try self.init(PropertyListFields(value))
  }

  init(_ fields: PropertyListFields) throws(MessageError) {
    identifier = try fields.requiredIdentifier()
    center = try Coordinate(fields)
    guard let radius = try fields.real("radius") else { throw fields.missing("radius") }
    guard LocationLimits.radius.contains(radius) else {
      throw fields.error("radius", "1 to 1000000, in metres")
    }
    self.radius = radius
    notifyOnEntry = try fields.flag("notify-on-entry", default: true)
    notifyOnExit = try fields.flag("notify-on-exit", default: true)
  }

  /// Reads the `a{sv}` of the bus.
  public init(_ entries: [String: Variant]) throws(MessageError) {
    try self.init(PropertyList(.dictionary(entries)))
  }

  /// The region as a property list.
  public var propertyList: PropertyList {
    var entries = center.propertyList
    entries["identifier"] = .string(identifier)
    entries["radius"] = .real(radius)
    entries["notify-on-entry"] = .boolean(notifyOnEntry)
    entries["notify-on-exit"] = .boolean(notifyOnExit)
    return .dictionary(entries)
  }

  /// The region as the `a{sv}` of the bus.
  public var entries: [String: Variant] { propertyList.variant.entries ?? [:] }

  /// Returns whether a coordinate is inside the circle.
  public func contains(_ coordinate: Coordinate) -> Bool { center.distance(to: coordinate) <= radius }

  /// Returns whether both regions have one center and one radius.
  public func hasBorder(of other: CircularRegion) -> Bool {
    center == other.center && radius == other.radius
  }
}
