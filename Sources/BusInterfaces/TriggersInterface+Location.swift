// SPDX-License-Identifier: Apache-2.0
public import DBus

/// The methods for regions and significant changes of the location.
extension TriggersInterface {
  /// Returns whether the user allows an application to be started for the location; asks the user once.
  public static let requestLocationAuthorization = BusMethod<Arguments<String>, Arguments<Bool>>(
    "RequestLocationAuthorization", of: name, takes: ["application"], returns: ["granted"])
  /// Returns whether the user allows an application to be started for the location, without asking the user.
  public static let locationAuthorization = BusMethod<Arguments<String>, Arguments<String>>(
    "LocationAuthorization", of: name, takes: ["application"], returns: ["status"])
  /// Monitors a region.
  public static let addRegion = BusMethod<Arguments<String, [String: Variant]>, Arguments<>>(
    "AddRegion", of: name, takes: ["application", "region"])
  /// Ends the monitoring of regions.
  public static let removeRegions = BusMethod<Arguments<String, [String]>, Arguments<>>(
    "RemoveRegions", of: name, takes: ["application", "identifiers"])
  /// Ends the monitoring of all regions of an application.
  public static let removeAllRegions = BusMethod<Arguments<String>, Arguments<>>(
    "RemoveAllRegions", of: name, takes: ["application"])
  /// Monitors significant changes of the location.
  public static let startSignificantLocationChanges = BusMethod<Arguments<String>, Arguments<>>(
    "StartSignificantLocationChanges", of: name, takes: ["application"])
  /// Ends the monitoring of significant changes of the location.
  public static let stopSignificantLocationChanges = BusMethod<Arguments<String>, Arguments<>>(
    "StopSignificantLocationChanges", of: name, takes: ["application"])
  /// Returns what the caller monitors, and the status of the location service.
  public static let monitoredLocations = BusMethod<Arguments<>, Arguments<[String: Variant]>>(
    "MonitoredLocations", of: name, returns: ["monitored"])
}
