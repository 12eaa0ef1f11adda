// SPDX-License-Identifier: Apache-2.0
/// The position of the computer relative to a region.
public enum RegionState: String, Sendable {
  /// No measurement has decided it yet.
  case unknown
  /// The computer is inside.
  case inside
  /// The computer is outside.
  case outside
}

extension CircularRegion {
  /// The width of the ring outside of the border in which the computer still counts as inside, in metres.
  ///
  /// Without it, measurements that scatter around the border would be entries and exits.
  var hysteresis: Double { min(max(50, radius / 10), 500) }

  /// Returns the state after a measurement.
  ///
  /// A circle of accuracy that intersects the border decides nothing. After `inside`, it must lie completely outside of the ring
  /// of the hysteresis.
  public func state(at location: Location, after state: RegionState) -> RegionState {
    let (distance, accuracy) = (center.distance(to: location.coordinate), location.horizontalAccuracy)
    if distance + accuracy <= radius { return .inside }
    let border = state == .inside ? radius + hysteresis : radius
    return distance - accuracy > border ? .outside : state
  }

  /// Returns the event of a change of the state; `nil` without one.
  ///
  /// The first state is not a change, as in Core Location.
  public func event(from old: RegionState, to new: RegionState) -> LocationEvent? {
    switch (old, new) {
    case (.outside, .inside): notifyOnEntry ? .entered(self) : nil
    case (.inside, .outside): notifyOnExit ? .exited(self) : nil
    default: nil
    }
  }

  /// Returns how far the computer can certainly move before the state changes, in metres; 0 or less if the state is undecided.
  func slack(at location: Location, in state: RegionState) -> Double {
    let distance = center.distance(to: location.coordinate)
    return switch state {
    case .unknown: 0
    case .inside: radius + hysteresis - distance - location.horizontalAccuracy
    // It enters when the circle of accuracy is completely inside.
    case .outside: distance - location.horizontalAccuracy - radius
    }
  }
}
