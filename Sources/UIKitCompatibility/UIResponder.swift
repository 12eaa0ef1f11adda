// SPDX-License-Identifier: Apache-2.0
/// The superclass of delegates, as in UIKit.
///
/// It has identity, and nothing else: views are the toolkit's.
@MainActor open class UIResponder: UIUserActivityRestoring {
  /// The activity of the responder.
  open var userActivity: NSUserActivity?

  /// Creates a responder.
  public required init() {}

  /// Restores the state of an activity; does nothing unless it is overridden.
  open func restoreUserActivityState(_ userActivity: NSUserActivity) {}
}

extension UIResponder: Hashable {
  /// Returns `true` if the objects are identical.
  nonisolated public static func == (lhs: UIResponder, rhs: UIResponder) -> Bool { lhs === rhs }
  /// Hashes the identity.
  nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An object that restores the state of an activity, for the restoration handler of `application(_:continue:restorationHandler:)`.
@MainActor public protocol UIUserActivityRestoring: AnyObject {
  /// Restores the state of an activity.
  func restoreUserActivityState(_ userActivity: NSUserActivity)
}
