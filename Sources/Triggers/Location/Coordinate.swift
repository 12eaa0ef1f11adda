// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import Glibc

/// A point on the Earth, in degrees (WGS 84).
public struct Coordinate: Hashable, Sendable {
  /// The degrees north of the equator, −90 to 90.
  public let latitude: Double
  /// The degrees east of Greenwich, −180 to 180.
  public let longitude: Double

  /// Creates a coordinate; `nil` if a value is outside its range or no number.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The mean radius of the Earth in metres (IUGG).
  private static let earthRadius = 6_371_008.8

  /// Returns the great-circle distance in metres, by the haversine formula.
  ///
  /// The Earth is taken as a sphere, which makes an error of at most 0.6 %.
  public func distance(to other: Coordinate) -> Double {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    func squaredSine(_ angle: Double) -> Double { sin(angle / 2) * sin(angle / 2) }
    let haversine =
      squaredSine(radians(other.latitude - latitude))
      + cos(radians(latitude)) * cos(radians(other.latitude))
      * squaredSine(radians(other.longitude - longitude))
    // Rounding makes the value of antipodes greater than 1.
    return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
  }

  init(_ fields: PropertyListFields) throws(MessageError) {
    guard let latitude = try fields.real("latitude") else { throw fields.missing("latitude") }
    guard let longitude = try fields.real("longitude") else { throw fields.missing("longitude") }
    guard (-90...90).contains(latitude) else { throw fields.error("latitude", "-90 to 90, in degrees") }
    guard (-180...180).contains(longitude) else { throw fields.error("longitude", "-180 to 180, in degrees") }
    self.latitude = latitude
    self.longitude = longitude
  }

  var propertyList: [String: PropertyList] {
    ["latitude": .real(latitude), "longitude": .real(longitude)]
  }
}
