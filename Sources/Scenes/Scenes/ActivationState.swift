// SPDX-License-Identifier: Apache-2.0
/// The activation state of a scene or of an application without scenes: UIKit's `UIScene.ActivationState`.
public enum ActivationState: String, Sendable {
  /// Not connected.
  case unattached
  /// Visible, without user input yet.
  case foregroundInactive
  /// Visible, with user input.
  case foregroundActive
  /// Not visible.
  case background

  /// A delegate call between two states.
  enum Transition: Hashable {
    case willEnterForeground, didBecomeActive, willResignActive, didEnterBackground, didDisconnect

    /// A Boolean value that indicates whether the state changes after the call instead of before it.
    var isAnnouncement: Bool { self == .willEnterForeground || self == .willResignActive }
  }

  /// Returns the next step to another state, in UIKit's order: the delegate call, if there is one, and the state to which it belongs.
  func step(to goal: ActivationState) -> (call: Transition?, state: ActivationState)? {
    switch (self, goal) {
    case (.foregroundActive, .foregroundActive), (.foregroundInactive, .foregroundInactive),
      (.background, .background), (.unattached, .unattached):
      nil
    case (.foregroundActive, _): (.willResignActive, .foregroundInactive)
    case (.foregroundInactive, .foregroundActive): (.didBecomeActive, .foregroundActive)
    case (.foregroundInactive, _): (.didEnterBackground, .background)
    case (_, .foregroundActive), (_, .foregroundInactive): (.willEnterForeground, .foregroundInactive)
    case (.unattached, .background): (nil, .background)
    case (.background, .unattached): (.didDisconnect, .unattached)
    }
  }
}
