// SPDX-License-Identifier: Apache-2.0
/// The rule by which a location has changed significantly since the last one that an application has received.
public enum SignificantChange {
  /// Returns whether `location` is a significant change after `last`; the first location is one, as in Core Location.
  ///
  /// The points are at least 500 metres apart, their circles of accuracy do not intersect, and at least five minutes have passed,
  /// or `last` is later than `location`.
  public static func happens(from last: Location?, to location: Location) -> Bool {
    guard let last else { return true }
    let distance = location.distance(from: last)
    let passed = location.date.milliseconds - last.date.milliseconds
    // The clock was set back after `last`; otherwise there would be no change until it reaches that time.
    let isDue = passed >= LocationLimits.significantInterval || passed < 0
    return isDue && distance >= LocationLimits.significantDistance
      && distance > location.horizontalAccuracy + last.horizontalAccuracy
  }

  /// Returns how far the computer can certainly move without a significant change, in metres; 0 or less after it has moved far enough.
  static func slack(from last: Location?, to location: Location) -> Double {
    guard let last else { return 0 }
    return LocationLimits.significantDistance - location.distance(from: last)
  }
}

/// The distance between two measurements that GeoClue reports.
public enum DistanceThreshold {
  /// Returns the distance in metres: half of what the computer can move without an event, and 0 while something is undecided.
  ///
  /// - Parameters:
  ///   - location: The last measurement; `nil` if there is none.
  ///   - regions: The regions with their states after that measurement.
  ///   - changes: The last significant change of each application that monitors them; an element is `nil` before its first one.
  public static func metres(
    after location: Location?, regions: [(region: CircularRegion, state: RegionState)], changes: [Location?]
  ) -> UInt32 {
    guard let location else { return 0 }
    let slacks =
      regions.map { $0.region.slack(at: location, in: $0.state) }
      + changes.map { SignificantChange.slack(from: $0, to: location) }
    let half = max(0, (slacks.min() ?? 0) / 2)
    return UInt32(min(half, LocationLimits.distanceThreshold))
  }
}

extension Location {
  /// Returns whether a measurement may follow `last`.
  ///
  /// A service may report an older measurement of another source. A measurement from the future cannot make all later ones old.
  ///
  /// - Parameter now: The time of the clock, which limits the time of both.
  public func follows(_ last: Location?, now: WallTime) -> Bool {
    guard let last else { return true }
    return min(date, now) >= min(last.date, now)
  }
}
