// SPDX-License-Identifier: Apache-2.0
/// The limits of monitored locations, as `desktop/org.usher.Triggers1.xml` states them.
public enum LocationLimits {
  /// The maximum number of regions of one application, as in Core Location.
  public static let regionsOfApplication = 20
  /// The maximum number of regions of all applications.
  public static let regions = 1_000
  /// The smallest and the largest radius of a region, in metres.
  public static let radius = 1.0...1_000_000
  /// The distance that makes a change of the location significant, in metres, as in Core Location.
  public static let significantDistance = 500.0
  /// The time between two significant changes of one application, in milliseconds, as in Core Location.
  public static let significantInterval: Int64 = 300_000
  /// The largest distance between two fixes that GeoClue is asked for, in metres.
  public static let distanceThreshold = 10_000.0
}
