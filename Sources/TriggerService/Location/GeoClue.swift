// SPDX-License-Identifier: Apache-2.0
import BusInterfaces
import DBus
import Triggers

/// The D-Bus interfaces of GeoClue 2, the location service of the system bus.
enum GeoClue {
  static let busName: BusName = "org.freedesktop.GeoClue2"
  static let manager = RemoteObject(busName, "/org/freedesktop/GeoClue2/Manager")

  private static let managerInterface: InterfaceName = "org.freedesktop.GeoClue2.Manager"
  private static let clientInterface: InterfaceName = "org.freedesktop.GeoClue2.Client"
  private static let locationInterface: InterfaceName = "org.freedesktop.GeoClue2.Location"

  /// Returns the client of the caller's connection; it waits until an agent of the user's session has registered.
  static let getClient = BusMethod<Arguments<>, Arguments<ObjectPath>>(
    "GetClient", of: managerInterface, returns: ["client"])
  static let deleteClient = BusMethod<Arguments<ObjectPath>, Arguments<>>(
    "DeleteClient", of: managerInterface, takes: ["client"])

  static let start = BusMethod<Arguments<>, Arguments<>>("Start", of: clientInterface)
  static let stop = BusMethod<Arguments<>, Arguments<>>("Stop", of: clientInterface)
  static let locationUpdated = BusSignal<Arguments<ObjectPath, ObjectPath>>(
    "LocationUpdated", of: clientInterface, carries: ["old", "new"])
  static let desktopID = BusProperty<String>("DesktopId", of: clientInterface, writable: true)
  static let distanceThreshold = BusProperty<UInt32>("DistanceThreshold", of: clientInterface, writable: true)
  static let accuracyLevel = BusProperty<UInt32>(
    "RequestedAccuracyLevel", of: clientInterface, writable: true)
  static let location = BusProperty<ObjectPath>("Location", of: clientInterface)

  /// The entry by which agents name Usher to the user; they reject an ID without an installed entry.
  static let ownDesktopID = "org.usher.Handler"
  /// `GCLUE_ACCURACY_LEVEL_EXACT`.
  ///
  /// A lower level would exclude satellite receivers, which are the only source of many machines.
  static let exact: UInt32 = 8

  /// Reads a location; `nil` if it is not a measurement.
  static func location(at path: ObjectPath, on bus: BusConnection) async throws(BusError) -> Location? {
    let values = try await bus.call(
      PropertiesInterface.getAll, at: RemoteObject(busName, path), locationInterface.rawValue,
      autoStart: false)
    return Location(geoClue: values)
  }
}

extension Location {
  /// Reads the properties of a location of GeoClue; `nil` if they are not a measurement.
  init?(geoClue values: [String: Variant]) {
    func number(_ name: String) -> Double? {
      guard case .double(let value) = values[name], value.isFinite else { return nil }
      return value
    }
    guard let latitude = number("Latitude"), let longitude = number("Longitude"),
      let coordinate = Coordinate(latitude: latitude, longitude: longitude),
      let accuracy = number("Accuracy"), case .structure(let time)? = values["Timestamp"], time.count == 2,
      let seconds = time[0].integer, let microseconds = time[1].integer,
      (0...NotificationLimits.latestDate / 1_000).contains(seconds), (0..<1_000_000).contains(microseconds)
    else { return nil }
    self.init(
      coordinate: coordinate, horizontalAccuracy: accuracy,
      date: WallTime(milliseconds: seconds * 1_000 + microseconds / 1_000))
    // The smallest number stands for an unknown altitude, and -1 for an unknown speed and heading.
    altitude = number("Altitude").flatMap { $0 > -100_000 ? $0 : nil }
    speed = number("Speed").flatMap { $0 >= 0 ? $0 : nil }
    course = number("Heading").flatMap { $0 >= 0 ? $0 : nil }
  }
}
