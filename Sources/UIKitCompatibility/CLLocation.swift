// SPDX-License-Identifier: Apache-2.0
import Scenes

/// An angle in degrees.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// An accuracy in metres.
public typealias CLLocationAccuracy = Double
/// A speed in metres per second.
public typealias CLLocationSpeed = Double
/// A direction in degrees, clockwise from the north.
public typealias CLLocationDirection = Double

/// A point on the Earth.
public struct CLLocationCoordinate2D: Sendable {
  /// The degrees north of the equator.
  public var latitude: CLLocationDegrees
  /// The degrees east of Greenwich.
  public var longitude: CLLocationDegrees
  /// Creates a coordinate; one outside of the ranges is not valid.
  public init(latitude: CLLocationDegrees = 0, longitude: CLLocationDegrees = 0) {
    self.latitude = latitude
    self.longitude = longitude
  }

  init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// The coordinate of `Scenes`; `nil` outside of the ranges.
  var coordinate: Coordinate? { Coordinate(latitude: latitude, longitude: longitude) }
}

/// Returns whether a coordinate is on the Earth.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  coordinate.coordinate != nil
}

/// A measured location.
public final class CLLocation: Sendable {
  /// The point.
  public let coordinate: CLLocationCoordinate2D
  /// The height above the sea in metres; 0 if it is unknown.
  public let altitude: CLLocationDistance
  /// The radius of the circle of accuracy; negative without a valid coordinate.
  public let horizontalAccuracy: CLLocationAccuracy
  /// Always negative: GeoClue reports no accuracy of the altitude.
  public let verticalAccuracy: CLLocationAccuracy = -1
  /// The speed; negative if it is unknown.
  public let speed: CLLocationSpeed
  /// The direction of the movement; negative if it is unknown.
  public let course: CLLocationDirection
  /// The time of the measurement.
  public let timestamp: Date

  /// Creates a location of now.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    (altitude, speed, course) = (0, -1, -1)
    horizontalAccuracy = CLLocationCoordinate2DIsValid(coordinate) ? 0 : -1
    timestamp = Date()
  }

  init(_ location: Location) {
    coordinate = CLLocationCoordinate2D(location.coordinate)
    altitude = location.altitude ?? 0
    horizontalAccuracy = location.horizontalAccuracy
    speed = location.speed ?? -1
    course = location.course ?? -1
    timestamp = Date(timeIntervalSince1970: Double(location.date.milliseconds) / 1_000)
  }

  /// Returns the distance between the points in metres; NaN if one is not valid.
  public func distance(from location: CLLocation) -> CLLocationDistance {
    guard let own = coordinate.coordinate, let other = location.coordinate.coordinate else { return .nan }
    return own.distance(to: other)
  }
}

/// An area that is monitored.
public class CLRegion {
  /// The identifier of the region in the application.
  public let identifier: String
  /// A Boolean value that indicates whether entries are reported.
  public var notifyOnEntry = true
  /// A Boolean value that indicates whether exits are reported.
  public var notifyOnExit = true

  fileprivate init(identifier: String) { self.identifier = identifier }
}

extension CLRegion: Hashable {
  /// Returns whether both regions have one identifier, as Core Location compares them.
  public static func == (left: CLRegion, right: CLRegion) -> Bool { left.identifier == right.identifier }
  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

/// A circle that is monitored.
public final class CLCircularRegion: CLRegion {
  /// The center.
  public let center: CLLocationCoordinate2D
  /// The radius in metres.
  public let radius: CLLocationDistance

  /// Creates a region.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    self.center = center
    self.radius = radius
    super.init(identifier: identifier)
  }

  convenience init(_ region: CircularRegion) {
    self.init(
      center: CLLocationCoordinate2D(region.center), radius: region.radius, identifier: region.identifier)
    notifyOnEntry = region.notifyOnEntry
    notifyOnExit = region.notifyOnExit
  }

  /// Returns whether a coordinate is in the circle.
  public func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    guard let own = center.coordinate, let other = coordinate.coordinate else { return false }
    return own.distance(to: other) <= radius
  }

  /// The region of `Scenes`; `nil` if the center is not on the Earth.
  var region: CircularRegion? {
    center.coordinate.map { center in
      CircularRegion(
        identifier: identifier, center: center, radius: radius, notifyOnEntry: notifyOnEntry,
        notifyOnExit: notifyOnExit)
    }
  }
}

/// The position of the computer relative to a region.
public enum CLRegionState: Int, Sendable {
  /// No measurement has decided it yet.
  case unknown
  /// The computer is inside.
  case inside
  /// The computer is outside.
  case outside

  init(_ state: RegionState) {
    self =
      switch state {
      case .unknown: .unknown
      case .inside: .inside
      case .outside: .outside
      }
  }
}

/// The user's answer to the request for the location.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// The user was not asked.
  case notDetermined
  /// The administrator does not allow it; Usher reports ``denied`` instead.
  case restricted
  /// The user does not allow it.
  case denied
  /// The user allows it, also while the application does not run.
  case authorizedAlways
  /// The user allows it while the application runs; Usher has no such answer.
  case authorizedWhenInUse

  init(_ status: LocationAuthorizationStatus) {
    self =
      switch status {
      case .notDetermined: .notDetermined
      case .denied: .denied
      case .authorizedAlways: .authorizedAlways
      }
  }
}

/// The error of a location manager.
public struct CLError: Error, Sendable, LocalizedError {
  /// The kind of an error.
  public enum Code: Int, Sendable {
    /// The location is not known.
    case locationUnknown
    /// The user does not allow it.
    case denied
    /// The user does not allow the monitoring of regions.
    case regionMonitoringDenied = 4
    /// The region cannot be monitored.
    case regionMonitoringFailure
  }

  /// The kind of the error.
  public let code: Code
  /// The message for the user.
  public let errorDescription: String?
}
