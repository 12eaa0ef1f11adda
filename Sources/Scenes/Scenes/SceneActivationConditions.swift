// SPDX-License-Identifier: Apache-2.0
/// The conditions for the content that a scene accepts: UIKit's `UISceneActivationConditions`.
public struct SceneActivationConditions: Hashable, Sendable {
  /// The content that the scene accepts if no other scene prefers it; by default ``ActivationPredicate/any``.
  public var canActivateForTargetContentIdentifier = ActivationPredicate.any
  /// The content that the scene prefers; by default ``ActivationPredicate/none``.
  public var prefersToActivateForTargetContentIdentifier = ActivationPredicate.none

  /// Creates conditions that accept any content and prefer none.
  public init() {}

  /// Creates conditions that prefer some content, and accept some.
  public init(canActivate: ActivationPredicate = .any, prefersToActivate: ActivationPredicate) {
    canActivateForTargetContentIdentifier = canActivate
    prefersToActivateForTargetContentIdentifier = prefersToActivate
  }
}
