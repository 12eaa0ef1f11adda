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
  }

  /// Returns the delegate calls that lead to another state, in UIKit's order.
  func transitions(to goal: ActivationState) -> [Transition] {
    let leaving: [Transition] = self == .foregroundActive ? [.willResignActive] : []
    switch (self, goal) {
    case (.foregroundActive, .foregroundActive), (.foregroundInactive, .foregroundInactive),
      (.background, .background), (.unattached, .unattached):
      return []
    case (.foregroundInactive, .foregroundActive): return [.didBecomeActive]
    case (_, .foregroundActive): return [.willEnterForeground, .didBecomeActive]
    case (.foregroundActive, .foregroundInactive): return leaving
    case (_, .foregroundInactive): return [.willEnterForeground]
    case (.unattached, .background): return []
    case (_, .background): return leaving + [.didEnterBackground]
    case (.background, .unattached): return [.didDisconnect]
    case (_, .unattached): return leaving + [.didEnterBackground, .didDisconnect]
    }
  }

  /// Changes to another state if the current one is among `states`, any by default, and returns the delegate calls.
  mutating func move(to goal: ActivationState, from states: Set<ActivationState>? = nil) -> [Transition] {
    guard states?.contains(self) ?? true else { return [] }
    defer { self = goal }
    return transitions(to: goal)
  }
}
