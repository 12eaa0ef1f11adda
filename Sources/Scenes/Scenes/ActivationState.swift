/// Where a scene, or an application without scenes, is in its life: UIKit's `UIScene.ActivationState`.
public enum ActivationState: String, Sendable {
  /// Not connected.
  case unattached
  /// Seen, and about to get a person's input.
  case foregroundInactive
  /// Seen, and used.
  case foregroundActive
  /// Not seen.
  case background

  /// A call of the delegate between two states.
  enum Transition: Hashable {
    case willEnterForeground, didBecomeActive, willResignActive, didEnterBackground, didDisconnect
  }

  /// The calls on the way to another state, in UIKit's order.
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
}
