// SPDX-License-Identifier: Apache-2.0
public import BusInterfaces

/// A change of the location for which an application is started: the payload of the reason `location`.
public enum LocationEvent: Hashable, Sendable {
  /// The computer has entered a region.
  case entered(CircularRegion)
  /// The computer has left a region.
  case exited(CircularRegion)
  /// The location has changed significantly.
  case moved(Location)

  /// Reads a payload; `nil` if it is of another sender.
  public init?(_ payload: PropertyList) {
    switch payload["event"]?.string {
    case "enter-region":
      guard let region = payload["region"].flatMap({ try? CircularRegion($0) }) else { return nil }
      self = .entered(region)
    case "exit-region":
      guard let region = payload["region"].flatMap({ try? CircularRegion($0) }) else { return nil }
      self = .exited(region)
    case "significant-change":
      guard let location = payload["location"].flatMap({ try? Location($0) }) else { return nil }
      self = .moved(location)
    default: return nil
    }
  }

  /// The payload.
  ///
  /// - Parameter date: The time of the measurement that has caused the event.
  public func payload(date: WallTime) -> PropertyList {
    switch self {
    case .entered(let region):
      ["event": "enter-region", "region": region.propertyList, "date": .integer(date.milliseconds)]
    case .exited(let region):
      ["event": "exit-region", "region": region.propertyList, "date": .integer(date.milliseconds)]
    case .moved(let location):
      ["event": "significant-change", "location": location.propertyList, "date": .integer(date.milliseconds)]
    }
  }
}
